"""A scene is the union of its pairs of bodies and, when asked, of its bodies with themselves."""

from __future__ import annotations

import numpy as np
import pytest

import impinge
from conformance.detectors import able
from families import SCENES, cases
from meshes import Arrays, pose, transformed

CASES = [(size, *case) for size in ("small", "big") for case in cases(SCENES, 2)]


def rows(hits: object) -> np.ndarray:
    """(n, 5) body a, face a, body b, face b, kind."""
    return np.column_stack(
        [hits.bodies[:, 0], hits.pairs[:, 0], hits.bodies[:, 1], hits.pairs[:, 1], hits.kinds]
    )


def union(bodies: list[Arrays], *, self_collision: bool, touching: str) -> np.ndarray:
    """The same rows from the oracle, one pair of bodies after the other."""
    parts = [np.zeros((0, 5), dtype=np.int64)]
    for i, a in enumerate(bodies):
        for j, b in enumerate(bodies[i:], start=i):
            if i == j and not self_collision:
                continue
            if i == j:
                hits = impinge.self_collide(a, method="brute", touching=touching)
            else:
                hits = impinge.collide(a, b, method="brute", touching=touching)
            part = np.full((len(hits.pairs), 5), (i, 0, j, 0, 0))
            part[:, 1], part[:, 3] = hits.pairs[:, 0], hits.pairs[:, 1]
            part[:, 4] = hits.kinds
            parts.append(part)
    found = np.concatenate(parts)
    return found[np.lexsort(found[:, 3::-1].T)]


def scene_of(bodies: list[Arrays]) -> impinge.Scene:
    scene = impinge.Scene()
    for vertices, faces in bodies:
        scene.add(vertices, faces)
    return scene


@pytest.mark.parametrize("self_collision", [False, True], ids=["others", "self"])
@pytest.mark.parametrize("method", able("scenes"))
@pytest.mark.parametrize(("size", "name", "seed"), CASES)
def test_scene_is_the_union(
    method: str, size: str, name: str, seed: int, self_collision: bool
) -> None:
    bodies = SCENES[name].build(size, seed)
    scene = scene_of(bodies)
    for touching in ("include", "exclude"):
        truth = union(bodies, self_collision=self_collision, touching=touching)
        for workers in (1, 2):
            hits = scene.collide(
                method=method, self_collision=self_collision, touching=touching, workers=workers
            )
            assert np.array_equal(truth, rows(hits)), (name, seed, touching, workers)
        first = scene.collide(
            method=method, self_collision=self_collision, touching=touching, mode="first"
        )
        pairs_of_bodies = np.unique(truth[:, [0, 2]], axis=0)
        assert np.array_equal(np.unique(first.bodies, axis=0), pairs_of_bodies)
        assert len(first) == len(pairs_of_bodies)
        known = set(map(tuple, truth.tolist()))
        assert all(tuple(row) in known for row in rows(first).tolist())


@pytest.mark.parametrize("method", able("scenes"))
@pytest.mark.parametrize("name", SCENES)
def test_ignored_bodies_are_left_out_and_nothing_else(method: str, name: str) -> None:
    bodies = SCENES[name].build("small", 0)
    scene = scene_of(bodies)
    truth = union(bodies, self_collision=False, touching="include")
    left_out = ((truth[:, 0] == 0) & (truth[:, 2] == 1)) | ((truth[:, 0] == 1) & (truth[:, 2] == 2))
    hits = scene.collide(method=method, ignore=[(1, 0), (1, 2)])
    assert np.array_equal(truth[~left_out], rows(hits))
    scene.ignore(0, 1)
    scene.ignore(2, 1)
    assert np.array_equal(truth[~left_out], rows(scene.collide(method=method)))


@pytest.mark.parametrize("method", able("scenes"))
@pytest.mark.parametrize("name", ["box_pile", "brick_wall", "crumpled_layers"])
def test_moving_bodies(method: str, name: str) -> None:
    """Poses set one after the other give what a scene of transformed meshes gives."""
    bodies = SCENES[name].build("small", 1)
    scene = scene_of(bodies)
    rng = np.random.default_rng(3)
    for _ in range(4):
        moving = rng.integers(len(bodies))
        scene.bodies[moving].pose = pose(rng, spread=0.5)
        world = [
            (transformed(v, body.pose), f)
            for (v, f), body in zip(bodies, scene.bodies, strict=True)
        ]
        truth = union(world, self_collision=True, touching="include")
        assert np.array_equal(truth, rows(scene.collide(method=method, self_collision=True)))


@pytest.mark.parametrize("method", able("scenes"))
def test_removed_bodies(method: str) -> None:
    bodies = SCENES["box_pile"].build("small", 0)
    scene = scene_of(bodies)
    scene.collide(method=method)
    scene.remove(scene.bodies[1])
    rest = [bodies[0], *bodies[2:]]
    truth = union(rest, self_collision=False, touching="include")
    assert np.array_equal(truth, rows(scene.collide(method=method)))
