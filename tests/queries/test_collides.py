"""One pose of kept meshes takes a short way: the same answers and errors as the long one."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import impinge
from families import PAIRS
from impinge import _core
from impinge._arrays import LARGEST
from support import meshes

BALL, RING = meshes.sphere(8), meshes.torus(12, 6)
FAR, NEAR = np.eye(4)[None].repeat(2, 0)[:, None]
FAR[0, 0, 3] = 9.0
STRAY = meshes.arrays([*BALL[0], (1e99, 0, 0)], BALL[1])
Kept = tuple[impinge.Mesh, impinge.Mesh]


def kept(a: meshes.Arrays = BALL, b: meshes.Arrays = RING, poses: np.ndarray = FAR) -> Kept:
    """Two meshes that were asked about twice."""
    pair = impinge.Mesh(*a), impinge.Mesh(*b)
    impinge.collides(*pair, poses=poses.repeat(2, 0))
    return pair


def shortly(a: impinge.Mesh, b: impinge.Mesh, poses: object) -> bool | None:
    """What the short way says; None when it is not for these."""
    return _core.bvh_collides_one(a._tree, b._tree, poses, b._reach, LARGEST)


@pytest.mark.parametrize("name", ["spheres", "boxes_face_to_face", "needles", "scale_denormal"])
def test_one_by_one_is_all_at_once(name: str) -> None:
    rng = np.random.default_rng(3)
    a, b = PAIRS[name].build("small", 1)
    reach = max(np.abs(a[0]).max(), np.abs(b[0]).max())
    poses = np.stack([np.eye(4), *(meshes.pose(rng, spread=4 * reach) for _ in range(40))])
    poses[20:, :3, :3] *= rng.uniform(0.3, 2, (21, 1, 1))
    poses[30:, :3, :3] += 0.2 * rng.normal(size=(11, 3, 3))
    pair = kept(a, b, poses[:1])
    truth = impinge.collide(a, b, poses=poses, method="brute").counts > 0
    assert 0 < np.count_nonzero(truth) < len(poses)
    np.testing.assert_array_equal(impinge.collides(*pair, poses=poses), truth)
    for pose, hit in zip(poses, truth, strict=True):
        assert shortly(*pair, pose[None]) == hit
        assert impinge.collides(*pair, poses=pose[None], workers=1).tolist() == [hit]


def spindle(tip: np.ndarray, other: np.ndarray) -> meshes.Arrays:
    """A thin triangle: the ball around it touches nothing but its two tips."""
    middle = (tip + other) / 2 + 1e-3 * np.roll(tip - other, 1)
    return meshes.arrays([tip, other, middle], [[0, 1, 2]])


@settings(max_examples=200)
@given(st.integers(0, 2**32 - 1))
def test_balls_that_touch(seed: int) -> None:
    """Both meshes share one point, where their balls meet, and rounding decides all else."""
    rng = np.random.default_rng(seed)
    size, offset, stretch, ratio = 10.0 ** rng.uniform((-9, 0, -6, -2), (9, 13, 6, 2))
    centre, half = size * rng.normal(size=(2, 3))
    centre *= rng.choice([0.0, offset])
    b = spindle(centre + half, centre - half)
    pose = meshes.pose(rng, spread=rng.choice([0.0, offset * size]))
    pose[:3, :3] *= rng.choice([1.0, stretch])
    tip, end, _ = meshes.posed(b, pose)[0]
    a = spindle(tip, tip + ratio * (tip - end))
    pair = kept(a, b)
    assert shortly(*pair, pose[None])
    assert impinge.collides(*pair, poses=pose[None])[0]
    # by a few steps of the grid: whatever the exact test says
    pose[:3, 3] += rng.integers(-3, 4, 3) * np.spacing(np.abs(tip).max())
    truth = impinge.collide(a, b, poses=pose[None], method="brute")
    assert shortly(*pair, pose[None]) == bool(truth)


@pytest.mark.parametrize("pose", [FAR, NEAR], ids=["apart", "colliding"])
def test_any_layout_and_type(pose: np.ndarray) -> None:
    pair, truth = kept(), impinge.collides(BALL, RING, poses=pose)
    assert impinge.collides(*pair, poses=pose).tolist() == truth.tolist()
    frozen = pose.copy()
    frozen.setflags(write=False)
    assert shortly(*pair, frozen) == truth[0]
    odd = [pose.astype(kind) for kind in ("f4", "i8", ">f8", "g")]
    odd += [np.asfortranarray(pose), pose[:, ::-1][:, ::-1], pose.view(np.recarray)]
    odd += [pose.repeat(4, 0)[::4], np.ma.array(pose), pose.tolist()]
    for poses in odd:
        assert impinge.collides(*pair, poses=poses).tolist() == truth.tolist()


def test_every_answer_is_a_new_array() -> None:
    pair = kept()
    for pose, hit in ((FAR, False), (NEAR, True)):
        answer = impinge.collides(*pair, poses=pose)
        assert (answer.dtype, answer.shape) == (np.bool_, (1,))
        answer[0] = not hit
        assert impinge.collides(*pair, poses=pose).tolist() == [hit]


def test_the_short_way_is_for_what_it_knows() -> None:
    a, b = fresh = impinge.Mesh(*BALL), impinge.Mesh(*RING)
    assert shortly(*fresh, FAR) is None
    impinge.collides(a, b, poses=FAR)
    assert shortly(a, b, FAR) is None, "the first question goes without slabs"
    impinge.collides(a, b, poses=FAR)
    assert shortly(a, b, FAR) is False
    assert shortly(b, a, FAR) is None, "the reach of a was not asked for yet"
    for again in (copy.copy(a), pickle.loads(pickle.dumps(a))):
        assert shortly(again, b, FAR) is None
        assert not impinge.collides(again, b, poses=FAR)[0]
    empty = kept(meshes.empty(), RING)
    assert not impinge.collides(*empty, poses=NEAR)[0]
    assert not impinge.collides(*empty[::-1], poses=NEAR)[0]
    another = impinge.detector("brute", kernel="moller")
    assert impinge.collides(*kept(), poses=NEAR, method=another)[0]


def test_options_are_heeded() -> None:
    low, high = meshes.box(), meshes.box((0, 0, 1), (1, 1, 2))
    identity = np.eye(4)[None]
    pair = kept(low, high, identity)
    assert impinge.collides(*pair, poses=identity)[0]
    assert not impinge.collides(*pair, poses=identity, touching="exclude")[0]
    every = impinge.collide(*pair, poses=identity).pairs
    assert not impinge.collides(*pair, poses=identity, ignore=every)[0]
    reached: list[float] = []
    assert impinge.collides(*pair, poses=identity, progress=reached.append)[0]
    assert reached[-1] == 1.0


def entry(row: int, column: int, value: float) -> np.ndarray:
    pose = FAR.copy()
    pose[0, row, column] = value
    return pose


BAD: list[dict[str, Any]] = [
    *({"poses": entry(i, j, x)} for i, j in ((0, 0), (2, 3)) for x in (np.nan, np.inf, -np.inf)),
    *({"poses": entry(3, j, x)} for j in range(4) for x in (np.nan, 0.5)),
    *({"poses": entry(1, j, 2e100)} for j in (0, 3)),
    *({"poses": FAR.astype(kind)} for kind in (bool, complex, object, str)),
    *({"poses": np.zeros(shape)} for shape in ((4, 4), (1, 3, 4), (1, 1, 4, 4), (16,), ())),
    {"poses": np.ma.masked_equal(FAR, 1.0)},
    {"poses": np.full((1, 4, 4), np.longdouble("1e400"))},
    {"poses": "FAR"},
    *({"poses": FAR, "workers": workers} for workers in (0, -1, True, 1.5, "2")),
    *({"poses": FAR, "touching": word} for word in ("yes", True, ["include"])),
    {"poses": FAR, "touching": np.array(["include"])},
    {"poses": FAR, "method": np.array(["bvh"])},
    {"poses": FAR, "progress": 1},
    {"poses": FAR, "ignore": [(0, 10**6)]},
]


@pytest.mark.parametrize("options", BAD)
def test_errors_are_those_of_the_long_way(options: dict[str, Any]) -> None:
    def complaint(a: object, b: object) -> str:
        with pytest.raises(impinge.InputError) as raised:
            impinge.collides(a, b, **options)
        return str(raised.value)

    assert complaint(*kept()) == complaint(BALL, RING)


def test_a_vertex_that_no_face_uses_has_a_limit_too() -> None:
    grown = FAR * [100, 100, 100, 1]
    grown[0, 3] = (0, 0, 0, 1)
    pair = kept(RING, STRAY)
    assert not impinge.collides(*pair, poses=FAR)[0]
    with pytest.raises(impinge.InputError, match=r"poses\[0\] moves the mesh beyond 1e100"):
        impinge.collides(*pair, poses=grown)
