"""A scene is the union of its pairs of bodies and, when asked, of its bodies with themselves."""

from __future__ import annotations

import numpy as np
import pytest

from conformance.methods import able, sized
from conformance.unions import rows, scene_of, union
from families import SCENES, cases
from support.meshes import pose, transformed


@pytest.mark.parametrize("self_collision", [False, True], ids=["others", "self"])
@pytest.mark.parametrize(("method", "size"), sized("pairs", "bodies", "self"))
@pytest.mark.parametrize(("name", "seed"), cases(SCENES, 1))
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


@pytest.mark.parametrize("method", able("pairs", "bodies", "self"))
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


@pytest.mark.parametrize("method", able("pairs", "bodies", "self"))
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


@pytest.mark.parametrize("method", able("pairs", "bodies", "self"))
def test_removed_bodies(method: str) -> None:
    bodies = SCENES["box_pile"].build("small", 0)
    scene = scene_of(bodies)
    scene.collide(method=method)
    scene.remove(scene.bodies[1])
    rest = [bodies[0], *bodies[2:]]
    truth = union(rest, self_collision=False, touching="include")
    assert np.array_equal(truth, rows(scene.collide(method=method)))
