"""Distances of meshes: the smallest over all pairs of faces, however it is asked for."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import impinge
from impinge import _core
from impinge.errors import Cancelled, InputError
from impinge.mesh import Mesh
from support import distance_reference as reference
from support import meshes

SEEDS = st.integers(0, 2**32 - 1)


def bodies(seed: int, *, gap: float | None = None) -> tuple[meshes.Arrays, meshes.Arrays]:
    """Two bodies of random kinds, sizes and places; about half of them collide."""
    rng = np.random.default_rng(seed)
    made = (
        meshes.sphere(5),
        meshes.torus(9, 5),
        meshes.gear(6),
        meshes.box(),
        meshes.soup(rng.normal(size=(40, 3, 3))),
        meshes.tetrahedron(),
    )
    a, b = (made[i] for i in rng.integers(len(made), size=2))
    b = meshes.moved(b, (0, 0, 0), scale=float(10.0 ** rng.uniform(-2, 2)))
    spread = rng.uniform(0, 4) if gap is None else gap
    return a, meshes.posed(b, meshes.pose(rng, spread=spread * (1 + float(np.abs(b[0]).max()))))


def check(a: meshes.Arrays, b: meshes.Arrays, found: impinge.Distance) -> None:
    value, pair = reference.mesh_distance(a, b)
    assert found.value == value
    assert found.pair is not None
    assert found.points is not None
    assert (value == 0.0) == impinge.collides(a, b)
    if value > 0.0:
        assert found.pair == pair
        reach = max(float(np.abs(m[0]).max()) for m in (a, b))
        assert math.dist(*found.points) == pytest.approx(value, rel=1e-14, abs=1e-15 * reach)
    else:
        hits = impinge.collide(a, b).pairs.tolist()
        assert list(found.pair) in hits
        assert found.points[0].tolist() == found.points[1].tolist()


@settings(max_examples=120)
@given(SEEDS)
def test_is_the_smallest_of_all_pairs(seed: int) -> None:
    a, b = bodies(seed)
    check(a, b, impinge.distance(a, b))


@settings(max_examples=40)
@given(SEEDS)
def test_far_from_the_origin_and_far_apart(seed: int) -> None:
    a, b = bodies(seed)
    for offset_a, offset_b in ((1e9, 1e9), (0, 1e5), (-1e12, 1e3)):
        p, q = meshes.moved(a, offset_a), meshes.moved(b, offset_b)
        check(p, q, impinge.distance(p, q))


@pytest.mark.parametrize("scale", [1e-150, 1e-30, 1e30, 1e90])
def test_any_scale(scale: float) -> None:
    for seed in range(8):
        a, b = bodies(seed)
        p, q = (meshes.moved(m, (0, 0, 0), scale=scale) for m in (a, b))
        check(p, q, impinge.distance(p, q))


def test_degenerate_faces() -> None:
    rng = np.random.default_rng(3)
    for _ in range(30):
        a, b = rng.normal(size=(2, 30, 3, 3))
        a[::2, 2] = a[::2, 1]
        b[::3] = b[::3, :1]
        b[1::3, 2] = b[1::3, 0] + 1e-13 * rng.normal(size=(10, 3))
        p, q = meshes.soup(a), meshes.moved(meshes.soup(b), (3, 0, 0))
        check(p, q, impinge.distance(p, q))


def test_equal_distances_name_the_smallest_pair() -> None:
    a, b = meshes.grid(12, 12), meshes.moved(meshes.grid(12, 12), (0, 0, 0.5))
    found = impinge.distance(a, b)
    assert (found.value, found.pair) == (0.5, (0, 0))


@settings(max_examples=60)
@given(SEEDS)
def test_symmetry(seed: int) -> None:
    a, b = bodies(seed)
    there, back = impinge.distance(a, b), impinge.distance(b, a)
    assert there.value == back.value
    if there.normal is not None and there.value > 1e-3:
        _, pair = reference.mesh_distance(a, b)
        if (there.pair, back.pair) == (pair, pair[::-1]):
            np.testing.assert_allclose(there.normal, -np.asarray(back.normal), atol=1e-9)


@settings(max_examples=40)
@given(SEEDS)
def test_rigid_motion_changes_nothing_but_roundings(seed: int) -> None:
    a, b = bodies(seed)
    motion = meshes.pose(np.random.default_rng(seed + 1), spread=3.0)
    still = impinge.distance(a, b).value
    moved = impinge.distance(meshes.posed(a, motion), meshes.posed(b, motion)).value
    reach = max(float(np.abs(m[0]).max()) for m in (a, b)) + 10
    assert moved == pytest.approx(still, rel=1e-13, abs=1e-14 * reach)


@settings(max_examples=60)
@given(SEEDS, st.floats(0.1, 3.0))
def test_upper_bound(seed: int, factor: float) -> None:
    a, b = bodies(seed)
    free = impinge.distance(a, b)
    bound = free.value * factor
    found = impinge.distance(a, b, upper_bound=bound)
    if free.value <= bound:
        assert (found.value, found.pair) == (free.value, free.pair)
    else:
        assert (found.value, found.points, found.pair) == (math.inf, None, None)
    exactly = impinge.distance(a, b, upper_bound=free.value)
    assert (exactly.value, exactly.pair) == (free.value, free.pair)


@settings(max_examples=60)
@given(SEEDS)
def test_a_hint_never_changes_the_answer(seed: int) -> None:
    a, b = bodies(seed)
    free = impinge.distance(a, b)
    rng = np.random.default_rng(seed)
    for _ in range(3):
        pair = int(rng.integers(len(a[1]))), int(rng.integers(len(b[1])))
        hint = impinge.Distance(1.0, np.zeros((2, 3)), pair)
        for start in (hint, free):
            found = impinge.distance(a, b, hint=start)
            assert (found.value, found.pair) == (free.value, free.pair)
            np.testing.assert_array_equal(found.points, free.points)


def test_many_poses_are_many_questions() -> None:
    rng = np.random.default_rng(11)
    a, b = Mesh(*meshes.torus(24, 10)), Mesh(*meshes.gear(9))
    poses = np.array([meshes.pose(rng, spread=2.5) for _ in range(60)])
    poses[::7, :3, :3] *= 1.5
    poses[3, :3, :3] *= 40
    many = impinge.distance(a, b, poses=poses)
    assert len(many) == 60
    assert 0 < np.count_nonzero(many.values) < 60
    for pose, found in zip(poses, many, strict=True):
        moved = meshes.posed((b.vertices, b.faces), pose)
        one = impinge.distance(a, moved)
        assert one.value == found.value
        if one.value > 0:
            assert one.pair == found.pair
            np.testing.assert_array_equal(one.points, found.points)
    np.testing.assert_array_equal(many.values == 0.0, impinge.collides(a, b, poses=poses))
    for options in ({"workers": 1}, {"workers": 2}, {"hint": many}, {"hint": many[5]}):
        again = impinge.distance(a, b, poses=poses, **options)  # type: ignore[call-overload]
        np.testing.assert_array_equal(again.values, many.values)
        np.testing.assert_array_equal(again.pairs, many.pairs)
        np.testing.assert_array_equal(again.points, many.points)
    bounded = impinge.distance(a, b, poses=poses, upper_bound=0.5)
    beyond = many.values > 0.5
    assert np.isinf(bounded.values[beyond]).all()
    assert np.isnan(bounded.points[beyond]).all()
    assert (bounded.pairs[beyond] == -1).all()
    np.testing.assert_array_equal(bounded.values[~beyond], many.values[~beyond])


def test_the_normal_points_from_a_to_b() -> None:
    found = impinge.distance(meshes.box(), meshes.moved(meshes.box(), (3, 0, 0)))
    assert float(found) == 2.0
    assert found.normal is not None
    assert found.normal.tolist() == [1.0, 0.0, 0.0]


def test_one_inside_the_other_is_apart() -> None:
    found = impinge.distance(meshes.box((-3, -3, -3), (3, 3, 3)), meshes.box())
    assert found.value == 2.0
    a, b = meshes.sphere(9, radius=2.0), meshes.sphere(9)
    check(a, b, impinge.distance(a, b))


@pytest.mark.parametrize("apart", [1e1, 1e4, 1e7])
def test_what_is_far_apart_is_not_slow(apart: float) -> None:
    a, b = meshes.sphere(40), meshes.moved(meshes.sphere(40), apart)
    trees = [_core.Tree(*mesh, 1) for mesh in (a, b)]
    _, _, _, counters = _core.bvh_distances(*trees, np.eye(4)[None], math.inf, None, 1, None)
    assert counters["triangle_pairs"] < 5000


def test_nothing_to_measure() -> None:
    for a, b in ((meshes.empty(), meshes.box()), (meshes.box(), meshes.empty())):
        found = impinge.distance(a, b)
        assert (found.value, found.points, found.pair, found.normal) == (math.inf, None, None, None)
    none = impinge.distance(meshes.box(), meshes.box(), poses=np.zeros((0, 4, 4)))
    assert (len(none), none.points.shape, none.pairs.shape) == (0, (0, 2, 3), (0, 2))


def test_results_are_frozen() -> None:
    found = impinge.distance(meshes.box(), meshes.moved(meshes.box(), (3, 0, 0)))
    assert found.points is not None
    with pytest.raises(ValueError, match="read-only"):
        found.points[0] = 0.0
    with pytest.raises(AttributeError):
        found.value = 1.0  # type: ignore[misc]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"upper_bound": -1.0}, "upper_bound must be None or a number of at least 0, got -1.0"),
        ({"upper_bound": math.nan}, "upper_bound must be"),
        ({"upper_bound": "far"}, "upper_bound must be"),
        ({"hint": (0, 0)}, "hint must be what impinge.distance returned earlier, got tuple"),
        ({"hint": impinge.Distance(1.0, None, (99, 0))}, "belongs to other meshes"),
        ({"poses": np.eye(4)}, "poses=pose"),
        ({"workers": 0}, "workers must be"),
    ],
)
def test_bad_options(options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        impinge.distance(meshes.box(), meshes.box(), **options)  # type: ignore[call-overload]


def test_hints_for_poses() -> None:
    poses = np.eye(4)[None].repeat(3, axis=0)
    many = impinge.distance(meshes.box(), meshes.box(), poses=poses)
    with pytest.raises(InputError, match="3 distances for 2 poses"):
        impinge.distance(meshes.box(), meshes.box(), poses=poses[:2], hint=many)
    with pytest.raises(InputError, match="pass hint"):
        impinge.distance(meshes.box(), meshes.box(), hint=many)  # type: ignore[call-overload]


def test_progress_and_cancelling() -> None:
    seen: list[float] = []
    impinge.distance(meshes.box(), meshes.box(), progress=seen.append)
    assert (seen[0], seen[-1]) == (0.0, 1.0)
    with pytest.raises(Cancelled):
        impinge.distance(meshes.box(), meshes.box(), progress=lambda _: False)


def test_real_meshes(shared_data: Path) -> None:
    a, b = (impinge.load_mesh(shared_data / "single" / name) for name in ("cow.obj", "torus.obj"))
    size = float(np.ptp(a.bounds, axis=0).max() + np.ptp(b.bounds, axis=0).max())
    pose = np.eye(4)
    pose[:3, 3] = a.bounds.mean(axis=0) - b.bounds.mean(axis=0) + size
    found = impinge.distance(a, b, poses=pose[None])[0]
    moved = meshes.posed((b.vertices, b.faces), pose)
    assert found.pair is not None
    # a sample of faces never comes closer, and the pair is as far as it says
    rng = np.random.default_rng(0)
    some = a.faces[rng.integers(len(a), size=300)], moved[1][rng.integers(len(b), size=300)]
    assert reference.mesh_distance((a.vertices, some[0]), (moved[0], some[1]))[0] >= found.value
    named = (a.vertices, a.faces[[found.pair[0]]]), (moved[0], moved[1][[found.pair[1]]])
    assert reference.mesh_distance(*named)[0] == found.value
