"""Motions of bodies in a scene: when they meet, and whether they are certainly free."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest

import impinge
from impinge import InputError, Motion
from impinge.results import MotionVerdict
from support import meshes, motions

SHAPES = (meshes.sphere(4), meshes.box((-0.5, -0.6, -0.3), (0.5, 0.6, 0.3)), meshes.torus(10, 6))


def heap(seed: int, count: int) -> tuple[impinge.Scene, dict[str, motions.Rigid]]:
    """Bodies around the origin that do not meet at first, and motions of some of them."""
    rng = np.random.default_rng(seed)
    scene = impinge.Scene()
    moving = {}
    for index in range(count):
        rigid = motions.random_motion(rng, motions.KINDS[index % 4])
        rigid.start[:3, 3] *= 2
        rigid.goal[:3, 3] *= 2
        scene.add(*SHAPES[index % 3], name=f"part-{index}", pose=rigid.start)
        if index % 4:
            moving[f"part-{index}"] = rigid
    return scene, moving


@pytest.mark.parametrize("seed", range(4))
def test_a_scene_is_the_earliest_of_its_pairs(seed: int) -> None:
    scene, moving = heap(seed, 9)
    own = {name: rigid.motion() for name, rigid in moving.items()}
    found = scene.time_of_impact(own, tolerance=1e-6)
    earliest = math.inf
    for a, b in combinations(range(len(scene)), 2):
        names = scene[a].name, scene[b].name
        if not set(names) & set(own):
            continue
        sides = [own.get(name) or [scene[name].pose] * 2 for name in names]
        one = impinge.time_of_impact(
            scene[a].mesh, scene[b].mesh, motion_a=sides[0], motion_b=sides[1], tolerance=1e-6
        )
        if one.time < earliest:
            earliest, pair, faces = one.time, (a, b), one.pair
    assert found.time == earliest
    if earliest < math.inf:
        assert found.bodies == pair
        assert found.impact.pair == faces
        assert found.names == (scene[pair[0]].name, scene[pair[1]].name)
    for workers in (1, 2, 5):
        again = scene.time_of_impact(own, tolerance=1e-6, workers=workers)
        assert (again.time, again.bodies) == (found.time, found.bodies)


def test_ignored_pairs_and_bodies_that_stay_are_left_out() -> None:
    scene = impinge.Scene()
    block = meshes.box()
    for name, x in (("a", 0.0), ("b", 0.5), ("c", 4.0), ("d", 8.0)):
        scene.add(*block, name=name, pose=motions.pose(np.zeros(3), np.array([x, 0, 0])))
    aside = np.stack([scene["d"].pose, motions.pose(np.zeros(3), np.array([-8.0, 0, 0]))])
    assert scene.time_of_impact({"d": aside}).names == ("c", "d")
    assert scene.time_of_impact({"d": aside}, ignore=[("c", "d")]).names == ("b", "d")
    scene.ignore("b", "d")
    scene.ignore("c", "d")
    assert scene.free({"d": aside}).names == ("a", "d")
    scene.ignore("a", "d")
    assert scene.free({"d": aside}).verdict is MotionVerdict.FREE
    assert scene.free({}).verdict is MotionVerdict.FREE


def test_many_motions_of_many_bodies() -> None:
    rng = np.random.default_rng(9)
    scene, moving = heap(2, 6)
    many = {
        name: np.array([motions.random_motion(rng, "both")[:2] for _ in range(12)])
        for name in moving
    }
    found = scene.time_of_impact(many)
    free = scene.free(many)
    assert len(found) == len(free) == 12
    for index in range(12):
        one = scene.time_of_impact({name: poses[index] for name, poses in many.items()})
        assert (one.time, one.bodies) == (found[index].time, found[index].bodies)
        assert bool(free[index]) == (one.time == math.inf)
        assert free[index].time == one.time


def free_motions(seed: int, count: int, samples: int) -> tuple[int, int, int]:
    """Counts of verdicts, each held to exact collisions in many poses; the first is never wrong."""
    rng = np.random.default_rng(seed)
    first, second = SHAPES[rng.integers(3)], SHAPES[rng.integers(3)]
    a, b = impinge.Mesh(*first), impinge.Mesh(*second)
    scene = impinge.Scene()
    scene.add(a, name="a")
    scene.add(b, name="b")
    rigid = [
        motions.random_motion(rng, motions.KINDS[i])._replace(screw=False)
        for i in rng.integers(4, size=count)
    ]
    found = scene.free({"b": np.array([one[:2] for one in rigid])})
    times = rng.uniform(0, 1, samples)
    hits = impinge.collides(a, b, poses=np.concatenate([one.at(times) for one in rigid]))
    met = hits.reshape(count, samples).any(axis=1)
    assert not met[found.verdicts == MotionVerdict.FREE].any()
    # what is blocked collides in a pose that can be looked up
    blocked = np.flatnonzero(found.verdicts == MotionVerdict.BLOCKED)
    assert met[blocked].mean() > 0.9
    tally = np.bincount(found.verdicts, minlength=3).tolist()
    return tally[0], tally[1], tally[2]


def test_free_is_never_wrong() -> None:
    tally = np.sum([free_motions(seed, 40, 500) for seed in range(12)], axis=0)
    assert tally.min(initial=1000, where=[True, True, False]) > 40
    assert tally[2] <= 5


def test_what_only_passes_by_within_the_tolerance_is_uncertain() -> None:
    scene = impinge.Scene()
    block = meshes.box()
    scene.add(*block, name="a")
    scene.add(*block, name="b")
    # a face slides past at a distance within the rounding bound
    past = np.tile(np.eye(4), (2, 1, 1))
    past[:, 0, 3], past[:, 1, 3] = (-3, 3), 1 + 1e-15
    found = scene.free({"b": past})
    assert found.verdict is MotionVerdict.UNCERTAIN
    assert not found
    past[:, 1, 3] = 1.0
    assert scene.free({"b": past}).verdict is MotionVerdict.BLOCKED
    assert scene.free({"b": past}, touching="exclude").verdict is MotionVerdict.FREE
    past[:, 1, 3] = 1.001
    assert scene.free({"b": past}).verdict is MotionVerdict.FREE


def test_a_body_that_is_stretched_where_it_rests() -> None:
    scene = impinge.Scene()
    scene.add(*meshes.box(), name="long", pose=np.diag([10.0, 1.0, 1.0, 1.0]))
    scene.add(*meshes.box(), name="block")
    down = np.tile(np.eye(4), (2, 1, 1))
    down[:, 0, 3], down[:, 2, 3] = 8.0, (3.0, -1.0)
    found = scene.time_of_impact({"block": down})
    assert found.time == pytest.approx(0.5, abs=1e-9)
    assert found.time <= 0.5


def test_bodies_that_deform_are_asked_as_they_are() -> None:
    scene = impinge.Scene()
    sheet = scene.add(*meshes.grid(2, 2, width=4, height=4), name="sheet")
    scene.add(*meshes.box((1, 1, 3), (2, 2, 4)), name="block")
    down = np.tile(np.eye(4), (2, 1, 1))
    down[1, 2, 3] = -4.0
    assert scene.time_of_impact({1: down}).time == pytest.approx(0.75)
    sheet.vertices = sheet.vertices + np.array([0, 0, 1])
    assert scene.time_of_impact({scene[1]: down}).time == pytest.approx(0.5)


def test_bad_input_is_named() -> None:
    scene, moving = heap(0, 3)
    motion = moving["part-1"].motion()
    with pytest.raises(InputError, match="motions must map bodies to motions"):
        scene.free([motion])  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"part-1"):
        scene.free({"part-11": motion})
    with pytest.raises(InputError, match="motions names the body 'part-1' twice"):
        scene.free({"part-1": motion, 1: motion})
    with pytest.raises(InputError, match=r"motions\['part-1'\] is None; leave out"):
        scene.free({"part-1": None})
    with pytest.raises(InputError, match=r"motions\['part-2'\] must be a Motion"):
        scene.free({"part-2": np.eye(4)})
    with pytest.raises(InputError, match=r"motions\['part-1'\] has 2 motions and .* has 3"):
        scene.free({"part-1": [motion] * 2, "part-2": [motion] * 3})
    far = np.stack([np.eye(4)] * 2)
    far[1, 0, 3] = 1e101
    with pytest.raises(InputError, match=r"motions\['part-1'\]\[1\] moves the mesh beyond 1e100"):
        scene.free({"part-1": far})
    with pytest.raises(InputError, match="beyond 1e100"):
        scene.free({"part-1": Motion(far)})
