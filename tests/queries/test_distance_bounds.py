"""Distances where float32 bounds are at their limit: what they skip must never be the answer."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import impinge
from impinge import _core
from impinge.mesh import Mesh
from support import distance_reference as reference
from support import meshes

SEEDS = st.integers(0, 2**32 - 1)
IDENTITY = np.eye(4)


def check(a: meshes.Arrays, b: meshes.Arrays, pose: np.ndarray = IDENTITY) -> impinge.Distance:
    """The answer for `b` in a pose is the smallest of all pairs, to the bit and to the face."""
    value, pair = reference.mesh_distance(a, meshes.posed(b, pose))
    found = impinge.distance(a, b, poses=pose[None])[0]
    assert found.value == value
    if value > 0.0:
        assert found.pair == pair
    return found


def rough_plate(rng: np.random.Generator, roughness: float, cells: int = 10) -> meshes.Arrays:
    """A plate in which float32 cannot tell which vertex is the highest."""
    vertices, faces = meshes.grid(cells, cells)
    vertices[:, 2] = roughness * rng.uniform(-1, 1, size=len(vertices))
    return meshes.arrays(vertices, rng.permutation(faces))


def turned(rng: np.random.Generator, mesh: meshes.Arrays) -> tuple[meshes.Arrays, np.ndarray]:
    """A mesh and a pose that brings it back to where it was, up to rounding."""
    turn = IDENTITY.copy()
    turn[:3, :3] = meshes.rotation(rng)
    back = IDENTITY.copy()
    back[:3, :3] = turn[:3, :3].T
    return meshes.posed(mesh, turn), back


@settings(max_examples=60)
@given(SEEDS)
def test_plates_that_float32_cannot_tell_apart(seed: int) -> None:
    rng = np.random.default_rng(seed)
    roughness, gap = 10.0 ** rng.uniform(-18, -5, size=2)
    gap = float(rng.choice([gap, 0.5, 30.0]))
    a, b = rough_plate(rng, roughness), rough_plate(rng, roughness)
    b = meshes.moved(b, (0, 0, gap))
    if rng.integers(2):
        check(a, b)
    else:
        check(a, *turned(rng, b))


@settings(max_examples=60)
@given(SEEDS)
def test_spheres_at_distances_near_rounding(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = meshes.sphere(6), meshes.sphere(6, radius=float(10.0 ** rng.uniform(-3, 1)))
    pose = meshes.pose(rng, spread=0.0)
    radii = 1.0 + float(np.abs(b[0]).max())
    pose[:3, 3] = meshes.rotation(rng)[0] * radii * (1 + rng.choice([1e-3, 1e-7, 1e-12, 1e-16]))
    check(a, b, pose)


@pytest.mark.parametrize("scale", [1e-120, 1e-38, 1e-20, 1e20, 1e38, 1e85])
@pytest.mark.parametrize("offset", [0.0, 1e4, 1e8])
def test_any_scale_and_far_from_the_origin(scale: float, offset: float) -> None:
    rng = np.random.default_rng(int(offset) + 1)
    for roughness in (1e-4, 1e-8):
        a = meshes.moved(rough_plate(rng, roughness), offset, scale=1)
        b = meshes.moved(rough_plate(rng, roughness), np.add(offset, (0.1, 0.2, 0.3)), scale=1)
        p, q = (meshes.arrays(scale * m[0], m[1]) for m in (a, b))
        check(p, q)
        shift = IDENTITY.copy()
        shift[:3, 3] = scale * rng.normal(size=3) * 10.0 ** rng.uniform(-3, 6)
        check(p, q, shift)


@settings(max_examples=80)
@given(SEEDS)
def test_poses_that_are_far_from_rigid(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = meshes.torus(9, 5), rough_plate(rng, 0.1, cells=6)
    pose = meshes.pose(rng, spread=3.0)
    stretch = 10.0 ** rng.uniform(-7, 3, size=3)
    pose[:3, :3] = meshes.rotation(rng) * stretch @ meshes.rotation(rng)
    if rng.integers(3) == 0:
        pose[:3, 2] = pose[:3, 1] * (1 + 1e-14)
    check(a, b, pose)
    check(b, a, pose)


@settings(max_examples=60)
@given(SEEDS)
def test_needles_and_slivers(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=(2, 60, 3, 3))
    for triangles in (a, b):
        thin = 10.0 ** rng.uniform(-17, -3, size=(60, 1))
        triangles[:, 2] = triangles[:, 1] + thin * rng.normal(size=(60, 3))
        triangles[::3] *= 10.0 ** rng.uniform(-8, 0, size=(20, 1, 1))
    check(meshes.soup(a), meshes.soup(b), meshes.pose(rng, spread=float(rng.choice([0, 4, 40]))))


@settings(max_examples=40)
@given(SEEDS)
def test_next_to_the_upper_bound(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = rough_plate(rng, 1e-7), rough_plate(rng, 1e-7)
    pose = meshes.pose(rng, spread=0.0)
    pose[:3, 3] = rng.normal(size=3) + 4
    free = check(a, b, pose)
    for bound in (free.value, math.nextafter(free.value, math.inf)):
        found = impinge.distance(a, b, poses=pose[None], upper_bound=bound)[0]
        assert (found.value, found.pair) == (free.value, free.pair)
    below = math.nextafter(free.value, 0.0)
    assert impinge.distance(a, b, poses=pose[None], upper_bound=below)[0].value == math.inf


@settings(max_examples=30)
@given(SEEDS)
def test_against_rational_arithmetic(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=(2, 3, 3, 3)) * 10.0 ** rng.uniform(-3, 3, size=(2, 1, 1, 1))
    b += rng.normal(size=3) * 10.0 ** rng.uniform(-3, 6)
    exact = min(reference.squared(p, q) for p in a for q in b)
    found = impinge.distance(meshes.soup(a), meshes.soup(b)).value
    reach = Fraction(float(np.ptp(np.concatenate([a, b]).reshape(-1, 3), axis=0).max()))
    assert abs(Fraction(found) - Fraction(reference.root(exact))) <= 16 * reach / 2**53


@pytest.mark.parametrize("cells", [3, 14])
@pytest.mark.parametrize("heights", [1, 3])
def test_ties_name_the_smallest_pair(cells: int, heights: int) -> None:
    rng = np.random.default_rng(cells)
    for axis in range(3):
        a, b = (meshes.grid(cells, cells) for _ in range(2))
        # faces of several heights that differ by one unit, in any order
        a, b = (meshes.soup(m[0][rng.permutation(m[1])]) for m in (a, b))
        for triangles, base in ((a, 0.0), (b, 0.5)):
            step = np.spacing(0.5) * rng.integers(heights, size=len(triangles[1]))
            triangles[0][:, 2] = np.repeat(base + step, 3)
        a, b = (meshes.arrays(np.roll(m[0], axis, axis=1), m[1]) for m in (a, b))
        for p, q in ((a, b), (b, a), (a, meshes.moved(b, (0, 0, 0), scale=0.5))):
            check(p, q)
        quarter = IDENTITY[[1, 2, 0, 3]]
        check(meshes.posed(a, quarter), b, quarter)


@settings(max_examples=200)
@given(SEEDS)
def test_flat_triangles_are_never_closer_than_their_planes(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=(2, 50, 3, 3)) * 10.0 ** rng.uniform(-6, 6, size=(2, 50, 1, 1))
    b += rng.normal(size=(50, 1, 3)) * 10.0 ** rng.uniform(-6, 6, size=(50, 1, 1))
    axis = int(rng.integers(3))
    for triangles in (a, b):
        triangles[:, 1:, axis] = triangles[:, :1, axis]
    a, b = (10.0 ** rng.uniform(-35, 30) * m for m in (a, b))
    values, _ = _core.triangle_distances(a, b)
    assert (values >= np.abs(b[:, 0, axis] - a[:, 0, axis])).all()


def test_many_ties_are_not_slow() -> None:
    a, b = meshes.grid(60, 60), meshes.moved(meshes.grid(60, 60), (0, 0, 0.5))
    trees = [_core.Tree(*mesh, 1) for mesh in (a, b)]
    _, _, pairs, counters = _core.bvh_distances(*trees, IDENTITY[None], math.inf, None, 1, None)
    assert pairs.tolist() == [[0, 0]]
    assert counters["triangle_pairs"] < 2000


def test_what_no_plane_separates() -> None:
    rng = np.random.default_rng(2)
    a, b = meshes.sphere(70), meshes.moved(meshes.tetrahedron(), (0, 0, 0), scale=0.05)
    assert len(a[1]) > 16 * 1024
    for _ in range(4):
        pose = meshes.pose(rng, spread=0.4)
        check(a, b, pose)
        check(b, a, pose)


@settings(max_examples=30)
@given(SEEDS)
def test_touching_is_zero_and_a_hair_apart_is_not(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a = meshes.sphere(8)
    top = float(a[0][:, 2].max())
    b = meshes.moved(rough_plate(rng, 0.0), (-0.5, -0.5, top), scale=1)
    assert check(a, b).value == 0.0
    for gap in (np.spacing(top), 1e-12, 1e-7):
        b[0][:, 2] = top + gap
        assert check(a, b).value > 0.0


def test_neither_threads_nor_history_nor_company_change_the_answer() -> None:
    rng = np.random.default_rng(7)
    a, b = Mesh(*meshes.sphere(20)), Mesh(*rough_plate(rng, 1e-9, cells=20))
    poses = np.array([meshes.pose(rng, spread=3.0) for _ in range(40)])
    many = impinge.distance(a, b, poses=poses, workers=1)
    order = rng.permutation(40)
    again = impinge.distance(a, b, poses=poses[order], workers=2)
    for i, k in enumerate(order):
        alone = impinge.distance(a, b, poses=poses[k : k + 1])
        for other in (again[i], alone[0]):
            assert (other.value, other.pair) == (many[int(k)].value, many[int(k)].pair)
            np.testing.assert_array_equal(other.points, many[int(k)].points)
