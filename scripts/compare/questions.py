"""What is asked of some meshes: each question gives several answers, by name.

Of an answer whose name begins with "first" any pair will do.
"""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Any

import numpy as np
from parts import named, tried

import impinge
from conformance.test_poses import some_poses
from conformance.unions import scene_of
from support.meshes import Arrays, box, pose

Answers = dict[str, Any]
TOUCHING = ("include", "exclude")
collides, contact_points = named(impinge, "collides"), named(impinge, "contact_points")


def pair(meshes: Any, **options: Any) -> Answers:
    """As arrays, which are asked about once, and as meshes, which keep what was built."""
    found: Answers = {}
    kept = [impinge.Mesh(*mesh) for mesh in meshes]
    for touching in TOUCHING:
        ask = {"touching": touching, **options}
        hits = found[touching] = impinge.collide(*kept, **ask)
        found[f"once {touching}"] = impinge.collide(*meshes, **ask)
        found[f"but some {touching}"] = impinge.collide(*kept, ignore=hits.pairs[::2], **ask)
        found[f"first {touching}"] = impinge.collide(*kept, mode="first", **ask)
        found[f"collides {touching}"] = collides(*kept, **ask)
    return found


def itself(mesh: Arrays, **options: Any) -> Answers:
    found: Answers = {}
    for touching in TOUCHING:
        ask = partial(impinge.self_collide, mesh, touching=touching, **options)
        found[touching], found[f"first {touching}"] = ask(), ask(mode="first")
        found[f"duplicates {touching}"] = ask(report_duplicates=True)
    return found


def posed(meshes: Any, **options: Any) -> Answers:
    found: Answers = {}
    a, b = (impinge.Mesh(*mesh) for mesh in meshes)
    poses = some_poses(np.random.default_rng(7), meshes[1])
    for touching in TOUCHING:
        ask = {"touching": touching, **options}
        found[touching] = impinge.collide(a, b, poses=poses, **ask)
        found[f"first {touching}"] = impinge.collide(a, b, poses=poses, mode="first", **ask)
        # the trees are prepared after some questions
        one_by_one = [collides(a, b, poses=one[None], **ask) for one in poses for _ in range(2)]
        found[f"collides {touching}"] = [collides(a, b, poses=poses, **ask), one_by_one]
    return found


def scene(meshes: list[Arrays], *, own: bool = True, **options: Any) -> Answers:
    """All bodies, some of them ignored, moved and removed."""
    found: Answers = {}
    made, rng = scene_of(meshes), np.random.default_rng(3)
    for alone, touching in product((False, True)[: 1 + own], TOUCHING):
        ask = partial(made.collide, self_collision=alone, touching=touching, **options)
        found[f"{touching} {alone}"], found[f"first {touching} {alone}"] = ask(), ask(mode="first")
    found["ignore"] = made.collide(ignore=[(1, 0)], **options)
    made.ignore(0, 1)
    for step in range(3):
        made.bodies[step % len(meshes)].pose = pose(rng, spread=0.5)
        found[f"moved {step}"] = made.collide(**options)
    made.remove(1)
    return {**found, "removed": made.collide(**options)}


def refitted(sequence: tuple[np.ndarray, list[np.ndarray]], **options: Any) -> Answers:
    """A deforming body alone, and among others that move."""
    faces, frames = sequence
    found: Answers = {}
    rng, others = np.random.default_rng(4), scene_of([box(), (frames[0], faces), box()])
    alone = scene_of([(frames[0], faces)])
    for number, vertices in enumerate([*frames, *frames[::-1]]):
        alone.bodies[0].vertices = others.bodies[1].vertices = vertices
        others.bodies[1].pose = pose(rng, spread=0.3)
        found[f"alone {number}"] = alone.collide(self_collision=True, **options)
        found[f"with others {number}"] = others.collide(self_collision=True, **options)
    return found


def curves(meshes: Any) -> Answers:
    hits = impinge.collide(*meshes)
    return {name: getattr(hits, name) for name in ("segments", "polygons", "loops")}


def distances(meshes: Any) -> Answers:
    a, b = (impinge.Mesh(*mesh) for mesh in meshes)
    ask = partial(impinge.distance, a, b, poses=some_poses(np.random.default_rng(8), meshes[1]))
    found = ask()
    near = ask(upper_bound=0.3)
    return {"rest": impinge.distance(a, b), "poses": found, "hint": ask(hint=found), "near": near}


def rays(mesh: Arrays) -> Answers:
    """Through vertices, edges and anywhere."""
    rng = np.random.default_rng(9)
    vertices, faces = mesh
    size = float(np.abs(vertices).max(initial=1.0))
    edges = vertices[faces[:20, :2]].mean(axis=1)
    aims = np.concatenate([rng.uniform(-size, size, (20, 3)), vertices[:20], edges])
    origins = rng.uniform(-2 * size, 2 * size, aims.shape)
    ask = partial(impinge.raycast, mesh, origins, aims - origins)
    return {"closest": ask(), "all": ask(mode="all", t_max=1.5), "any": ask(mode="any").hit}


def points(meshes: list[Arrays], **options: Any) -> Answers:
    ask = partial(tried, named(scene_of(meshes), "contact_points"), **options)
    two = tried(contact_points, *meshes[:2], **options)
    return {"two": two, "all": ask(), "own": ask(self_collision=True), "some": ask(ignore=[(0, 1)])}


def overlaps(meshes: list[Arrays], **options: Any) -> Answers:
    made = scene_of(meshes)
    refined = tried(made.collide, refine="bvh", **options)
    return {"overlaps": tried(made.overlaps, **options), "refined": refined}


def mistakes() -> Answers:
    """What errors say."""
    a, made, nan = impinge.Mesh(*box()), scene_of([box(), box()]), float("nan")
    ask = {
        "operand": lambda: impinge.collide(a, 1),
        "faces": lambda: impinge.Mesh(np.zeros((3, 3)), [[0, 1, 3]]),
        "vertices": lambda: impinge.Mesh([[nan, 0, 0]], np.zeros((0, 3), dtype=int)),
        "method": lambda: impinge.collide(a, a, method="bhv"),
        "touching": lambda: collides(a, a, touching="no"),
        "mode": lambda: impinge.collide(a, a, mode="one"),
        "workers": lambda: made.collide(workers=0),
        "progress": lambda: impinge.self_collide(a, progress=1),
        "cancelled": lambda: made.collide(progress=lambda _: False),
        "poses": lambda: impinge.collide(a, a, poses=np.eye(4)),
        "affine": lambda: collides(a, a, poses=np.ones((1, 4, 4))),
        "pose": lambda: made.add(a, pose=np.full((4, 4), nan)),
        "far": lambda: made.add(a, pose=np.diag([1e101, 1, 1, 1])),
        "ignore": lambda: impinge.collide(a, a, ignore=[[0, 99]]),
        "body": lambda: made.ignore(0, "box-7"),
        "pair": lambda: made.collide(ignore=["ab"]),
        "pairs of ray": lambda: made.collide(method="ray"),
        "pairs of cinder": lambda: impinge.collide(a, a, method="cinder"),
        "points of bvh": lambda: contact_points(a, a, method="bvh"),
        "open": lambda: contact_points((a.vertices, a.faces[:5]), a),
        "t": lambda: impinge.raycast(a, np.zeros(3), np.ones(3), t_min=nan),
        "direction": lambda: impinge.raycast(a, np.zeros((2, 3)), np.eye(3)[:2] * [[1], [0]]),
        "bound": lambda: impinge.distance(a, a, upper_bound=-1),
        "hint": lambda: impinge.distance(a, a, hint=3),
        "option": lambda: impinge.detector("dop", k=7),
        "file": lambda: impinge.load_mesh("nowhere.stl"),
    }
    return {name: tried(each) for name, each in ask.items()}
