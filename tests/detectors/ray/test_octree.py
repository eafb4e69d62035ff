"""The octree: where triangles are kept, and rays through it against every face."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from detectors.ray import reference
from detectors.ray.scenes import torus
from impinge import _core
from support import meshes
from support.meshes import Arrays

DEEPEST = 12


def mixed(seed: int, count: int) -> Arrays:
    """Triangles of very different sizes."""
    rng = np.random.default_rng(seed)
    size = 2.0 ** rng.uniform(-14, 0, (count, 1, 1))
    return meshes.soup(rng.uniform(-1, 1, (count, 1, 3)) + size * rng.normal(size=(count, 3, 3)))


SHAPES = {
    "mixed": mixed(1, 3000),
    "torus": torus(),
    "box": meshes.box(),
    "grid": meshes.grid(16, 16),
    "points": meshes.soup(np.repeat(np.random.default_rng(2).normal(size=(50, 1, 3)), 3, axis=1)),
    "one point": meshes.soup(np.ones((1, 3, 3))),
    "far": meshes.moved(torus(), (1e6, -1e6, 1e6)),
    "very far": meshes.moved(torus(), (1e15, 1e15, 1e15)),
}


@pytest.mark.parametrize("name", SHAPES)
def test_at_most_eight_cells_at_the_deepest_level_that_is_larger(name: str) -> None:
    vertices, faces = SHAPES[name]
    skin = _core.Skin(vertices, faces)
    x, y, z, side = _core.octree_root(skin)
    face, level, *place = _core.octree_cells(skin).T
    assert np.array_equal(np.unique(face), np.arange(len(faces)))
    assert np.bincount(face).max() <= 8
    corners = vertices[faces]
    sizes = np.ptp(corners, axis=1).max(axis=1)
    cell = side / 2.0**level
    assert (cell > sizes[face]).all()
    # one level deeper the cells are not larger than the triangle, but for its padding
    deeper = (level < DEEPEST) & (cell / 2 > sizes[face] * (1 + 1e-7) + 1e-12 * side)
    assert not deeper.any()
    # and the cells cover the triangle
    low = np.array([x, y, z]) + np.stack(place, axis=1) * cell[:, None]
    for k in range(3):
        begin, end = np.full(len(faces), np.inf), np.full(len(faces), -np.inf)
        np.minimum.at(begin, face, low[:, k])
        np.maximum.at(end, face, low[:, k] + cell)
        room = 1e-9 * side + 1e-15 * np.abs(vertices).max()
        assert (begin <= corners[:, :, k].min(axis=1) + room).all()
        assert (end >= corners[:, :, k].max(axis=1) - room).all()


def test_the_root_is_larger_than_a_body_of_few_roundings() -> None:
    """By a rounding of its coordinates on each side, however small the body is against them."""
    shape = meshes.sphere(3)[0]
    for place in (1.0, 1.7, 1.99):
        for size in 10.0 ** np.arange(-15.5, -8, 0.25):
            vertices = np.ascontiguousarray(place + size * shape)
            *low, side = _core.octree_root(_core.Skin(vertices, meshes.sphere(3)[1]))
            rounding = np.spacing(place)
            assert (vertices.min(axis=0) - low >= rounding).all(), size
            assert (side - (vertices.max(axis=0) - low) >= rounding).all(), size


def test_the_same_cells_from_all_threads() -> None:
    mesh = meshes.torus(200, 120)  # large enough for several threads
    skins = [_core.Skin(*mesh) for _ in range(2)]
    one, two = (_core.octree_cells(s, w) for s, w in zip(skins, (1, 2), strict=True))
    np.testing.assert_array_equal(one, two)


def rays(rng: np.random.Generator, count: int) -> tuple[np.ndarray, np.ndarray]:
    """From inside and outside; along the axes, in their planes, and anywhere."""
    origins = rng.uniform(-1.6, 1.6, (count, 3))
    directions = rng.normal(size=(count, 3))
    zeros = rng.integers(0, 4, count)
    for k in range(3):
        directions[zeros == k, k] = 0.0
    along = np.flatnonzero(zeros == 3)[::2]
    directions[along] = np.eye(3)[rng.integers(0, 3, len(along))] * rng.choice(
        [-1, 1], (len(along), 1)
    )
    return origins, directions / np.linalg.norm(directions, axis=1)[:, None]


def check(mesh: Arrays, origins: np.ndarray, directions: np.ndarray) -> None:
    truth = reference.nearest(mesh, origins, directions)
    skin = _core.Skin(*mesh)
    by_octree, by_tree = (
        _core.nearest_hits(skin, origins, directions, 0.0, octree) for octree in (True, False)
    )
    for one, other in zip(by_octree[:3], by_tree[:3], strict=True):
        np.testing.assert_array_equal(one, other)
    faces, t = by_octree[:2]
    np.testing.assert_array_equal(faces < 0, truth.face < 0)
    hit = faces >= 0
    np.testing.assert_allclose(t[hit], truth.t[hit], rtol=1e-9, atol=1e-12)
    clear = hit.copy()
    # where faces meet, both are the nearest
    every = reference.crossings(mesh, origins[hit], directions[hit])
    clear[hit] = (every < (truth.t[hit] + 1e-9)[:, None]).sum(axis=1) == 1
    np.testing.assert_array_equal(faces[clear], truth.face[clear])


@pytest.mark.parametrize("name", ["mixed", "torus", "box", "grid"])
def test_nearest_hits_are_those_of_every_face(name: str) -> None:
    check(SHAPES[name], *rays(np.random.default_rng(7), 1500 if name == "torus" else 400))


def test_few_faces_are_tested() -> None:
    origins, directions = rays(np.random.default_rng(7), 1500)
    skin = _core.Skin(*torus())
    tests = _core.nearest_hits(skin, origins, directions, 0.0, True)[3]
    assert tests / 1500 < 30


def crossed(skin: _core.Skin, origins: np.ndarray, directions: np.ndarray) -> int:
    """How many faces are kept in cells that a ray passes, summed over rays."""
    *low, side = _core.octree_root(skin)
    face, level, *place = _core.octree_cells(skin).T
    cell = side / 2.0 ** level[:, None]
    begin = np.array(low) + np.stack(place, axis=1) * cell
    t = (np.stack([begin, begin + cell]) - origins[:, None, None]) / directions[:, None, None]
    enter, leave = t.min(axis=1).max(axis=2), t.max(axis=1).min(axis=2)
    ray, kept = np.nonzero((enter <= leave) & (leave >= 0))
    return len(np.unique(np.stack([ray, face[kept]]), axis=1).T)


@pytest.mark.parametrize("name", ["mixed", "torus", "box"])
def test_rays_that_hit_nothing_test_what_is_in_their_cells(name: str) -> None:
    """Not more: neither cells beside the ray nor behind its origin."""
    rng = np.random.default_rng(3)
    skin = _core.Skin(*SHAPES[name])
    origins, directions = rng.uniform(-3, 3, (2, 300, 3))
    missing = _core.nearest_hits(skin, origins, directions, 0.0, True)[0] < 0
    origins, directions = origins[missing], directions[missing]
    expected = crossed(skin, origins, directions)
    # no ray that misses a box passes its root
    assert expected > 300 if name != "box" else expected == 0
    assert _core.nearest_hits(skin, origins, directions, 0.0, True)[3] == expected


@settings(max_examples=60)
@given(st.integers(0, 2**32 - 1))
def test_rays_on_grids(seed: int) -> None:
    # whole numbers: vertices, edges, planes of cells and zero areas are met all the time
    rng = np.random.default_rng(seed)
    mesh = meshes.soup(rng.integers(-2, 3, (30, 3, 3)).astype(float))
    directions = rng.integers(-2, 3, (20, 3)).astype(float)
    directions[~directions.any(axis=1)] = (0, 0, 1)
    origins = rng.integers(-3, 4, (20, 3)).astype(float)
    check(mesh, origins, directions / np.linalg.norm(directions, axis=1)[:, None])


@settings(max_examples=60)
@given(st.integers(0, 2**32 - 1), st.sampled_from([1e-3, 1.0, 1e3, 1e6]))
def test_rays_on_soups(seed: int, scale: float) -> None:
    rng = np.random.default_rng(seed)
    vertices, faces = mixed(seed, 40)
    origins, directions = rays(rng, 20)
    check((vertices * scale, faces), origins * scale, directions)


@pytest.mark.parametrize("name", ["torus", "ball", "box"])
def test_no_ray_slips_through_edges_and_vertices(name: str) -> None:
    mesh = {"torus": torus(), "ball": meshes.sphere(9), "box": meshes.box()}[name]
    inside = {"torus": (1.0, 0.01, 0.02), "ball": (0.01, 0.02, 0.03), "box": (0.5, 0.5, 0.5)}[name]
    ends = mesh[0][mesh[1][:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2)]
    targets = np.concatenate([mesh[0], ends.mean(axis=1), ends[:, 0] * 0.3 + ends[:, 1] * 0.7])
    directions = targets - np.array(inside)
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    origins = np.broadcast_to(inside, directions.shape).copy()
    skin = _core.Skin(*mesh)
    for octree in (True, False):
        assert (_core.nearest_hits(skin, origins, directions, 0.0, octree)[0] >= 0).all()


@pytest.mark.parametrize("octree", [True, False])
def test_hits_of_nothing(octree: bool) -> None:
    skin = _core.Skin(*meshes.empty())
    faces, t, *_ = _core.nearest_hits(skin, np.zeros((1, 3)), np.eye(3)[:1].copy(), 0.0, octree)
    assert faces.tolist() == [-1]
    assert np.isinf(t).all()
