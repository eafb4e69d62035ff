"""What is timed, in a process of one build: prepared once, then run step by step as it is told."""

from __future__ import annotations

import gc
import json
import os
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from parts import digest, named, package

import impinge
from support.meshes import box, pose, posed, sphere, torus

Step = Callable[[], Any]
# steps of a workload of the benchmark, evenly chosen
MOST_STEPS = 20
# a tree is asked some times before it is worth preparing
WARM_UP = 5


def _poses() -> list[np.ndarray]:
    """In which two spheres cross, all but touch, or are apart."""
    rng = np.random.default_rng(1)
    poses = [pose(rng, spread=0.0) for _ in range(10)]
    for matrix, distance in zip(poses, np.linspace(1.7, 2.1, 10), strict=True):
        matrix[0, 3] = distance
    return poses


def _placed(ask: Callable[..., Any], **options: Any) -> list[Step]:
    a, b = (impinge.Mesh(*sphere(8)) for _ in range(2))
    return [partial(ask, a, b, poses=one[None], **options) for one in _poses()]


def _at_rest(ask: Callable[..., Any], **options: Any) -> list[Step]:
    a = impinge.Mesh(*sphere(8))
    return [partial(ask, a, impinge.Mesh(*posed(sphere(8), one)), **options) for one in _poses()]


def _one_ray() -> list[Step]:
    mesh, directions = impinge.Mesh(*sphere(8)), np.random.default_rng(2).normal(size=(10, 3))
    return [partial(impinge.raycast, mesh, 3 * one[None], -one[None]) for one in directions]


def _curves(a: Any, b: Any) -> Any:
    hits = impinge.collide(a, b)
    return hits.segments if hits.loops else hits.pairs


def _moving(
    bodies: list[Any], frames: np.ndarray, ignored: list[Any], **options: Any
) -> list[Step]:
    """A scene whose bodies are all moved before it is asked."""
    scene = impinge.Scene()
    parts = [scene.add(mesh) for mesh in bodies]
    for a, b in ignored:
        scene.ignore(a, b)

    def step(poses: list[np.ndarray]) -> Any:
        for body, matrix in zip(parts, poses, strict=True):
            body.pose = matrix
        return scene.collide(**options)

    return [partial(step, [*poses]) for poses in frames]


def _ten_bodies(**options: Any) -> list[Step]:
    """Few of them meet, and more than half of the pairs are ignored, as those of a robot are."""
    rng = np.random.default_rng(3)
    shapes = [box(), sphere(4), torus(8, 6)]
    frames = [[pose(rng, spread=3.0) for _ in range(10)] for _ in range(10)]
    ignored = [(k, k + d) for d in (1, 2, 3) for k in range(10 - d)]
    return _moving([shapes[k % 3] for k in range(10)], np.array(frames), ignored, **options)


def _robot(**options: Any) -> list[Step]:
    """Seven links in a chain, each turned against the one before; neighbours may meet."""
    rng = np.random.default_rng(4)
    link = posed(sphere(6), np.diag([0.3, 0.3, 0.8, 1.0]))
    frames = []
    for _ in range(10):
        here, poses = np.eye(4), []
        for _ in range(7):
            turn = pose(rng, spread=0.0)
            turn[2, 3] = 1.2
            here = here @ turn
            poses.append(here)
        frames.append(poses)
    return _moving([link] * 7, np.array(frames), [(k, k + 1) for k in range(6)], **options)


_COLLIDES = named(impinge, "collides")
SMALL: dict[str, Callable[[], list[Step]]] = {
    "collides": partial(_at_rest, _COLLIDES),
    "collides-pose": partial(_placed, _COLLIDES),
    "collides-exclude": partial(_placed, _COLLIDES, touching="exclude"),
    "collide": partial(_at_rest, impinge.collide),
    "collide-pose": partial(_placed, impinge.collide),
    "first": partial(_at_rest, impinge.collide, mode="first"),
    "first-pose": partial(_placed, impinge.collide, mode="first"),
    "dop-pose": partial(_placed, impinge.collide, method="dop"),
    "distance-pose": partial(_placed, impinge.distance),
    "ray": _one_ray,
    "curves": partial(_at_rest, _curves),
    "ten-bodies": _ten_bodies,
    "ten-bodies-first": partial(_ten_bodies, mode="first"),
    "robot": _robot,
    "robot-first": partial(_robot, mode="first"),
}


def _workloads() -> dict[str, Any]:
    rows = package("impinge.lab.bench", "workloads").available()
    return {row.name: row for row in rows if row.task != "memory"}


def names() -> list[tuple[str, bool]]:
    """Of all workloads, and whether they are small."""
    return [*((name, True) for name in SMALL), *((name, False) for name in _workloads())]


def prepared(name: str) -> tuple[list[Step], str]:
    """The steps, and a digest of the work and its answers: only equal ones are compared."""
    if name in SMALL:
        # what else there is to an answer is compared by `answers`
        steps = SMALL[name]()
        done = digest([np.size(getattr(step(), "pairs", 0)) for step in steps])
    else:
        workload = _workloads()[name]
        case = workload.make()
        task = package("impinge.lab.bench", "peers").Impinge().prepare(workload.task, case)
        some = np.linspace(0, workload.steps - 1, min(workload.steps, MOST_STEPS)).astype(int)
        steps = [partial(task.run, int(k)) for k in some]
        done = digest(case, [task.rows(step()) for step in steps])
    for step in WARM_UP * steps if name in SMALL else steps:
        step()
    gc.collect()
    gc.disable()
    return steps, done


def cpu_seconds(step: Step) -> float:
    start = time.process_time()
    step()
    return time.process_time() - start


def serve() -> None:
    """Answers what is asked on the input: nothing for the names, a name, the number of a step."""
    steps: list[Step] = []
    print(json.dumps(impinge.__file__), flush=True)
    for line in sys.stdin.buffer:
        # little is done between two steps, since that would take their place in the caches
        if line[:1].isdigit():
            os.write(1, b"%r\n" % cpu_seconds(steps[int(line)]))
            continue
        asked = json.loads(line)
        if asked is None:
            reply: Any = names()
        else:
            steps, done = prepared(asked)
            reply = [len(steps), done]
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    serve()
