"""The closest points of meshes, against fractions and against all faces one by one."""

from __future__ import annotations

import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import impinge
from impinge import Mesh, nearest, side, signed_distance
from support import meshes
from support.cells import cell_solid, places_of
from support.distance_reference import to_triangle
from support.meshes import Arrays, box, merge, moved

BOX = box((0, 0, 0), (4, 4, 4))


def by_all_faces(mesh: Arrays, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Distances (m,) and the lowest faces (m,), each face a mesh of its own."""
    each = np.array([nearest((mesh[0][face], [(0, 1, 2)]), points).distances for face in mesh[1]])
    return each.min(axis=0), each.argmin(axis=0)


def check(mesh: Arrays, points: np.ndarray) -> impinge.Nearest:
    """The same as by all faces, and a point of the face at that distance."""
    found = nearest(mesh, points)
    distances, faces = by_all_faces(mesh, points)
    np.testing.assert_array_equal(found.distances, distances)
    np.testing.assert_array_equal(found.faces, faces)
    size = np.abs(mesh[0]).max() + np.abs(points).max()
    ways = np.linalg.norm((found.points - points) / size, axis=1) * size
    np.testing.assert_allclose(ways, found.distances, rtol=1e-12, atol=1e-14 * size)
    return found


def random_soup(rng: np.random.Generator, count: int) -> Arrays:
    return meshes.soup(rng.normal(size=(count, 1, 3)) + 0.3 * rng.normal(size=(count, 3, 3)))


@pytest.mark.parametrize("count", [1, 7, 8, 9, 64, 65, 600])
def test_soups_by_all_faces(count: int) -> None:
    rng = np.random.default_rng(count)
    mesh = random_soup(rng, count)
    check(mesh, np.concatenate([rng.normal(size=(150, 3)), mesh[0][:50]]))


@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1))
def test_triangles_against_fractions(seed: int) -> None:
    """Any triangle: needles, segments and points among them."""
    rng = np.random.default_rng(seed)
    triangle = rng.normal(size=(3, 3))
    triangle[2] = triangle[2] if rng.random() < 0.5 else triangle[0] + 1e-9 * rng.normal(size=3)
    if rng.random() < 0.3:
        triangle = np.round(2 * triangle)
    points = rng.normal(size=(8, 3)) * 10.0 ** rng.integers(-3, 4)
    found = nearest((triangle, [(0, 1, 2)]), points)
    for point, distance in zip(points, found.distances, strict=True):
        size = max(np.abs(triangle - point).max(), np.abs(triangle - triangle[0]).max())
        assert abs(to_triangle(point, triangle) - distance) <= 1e-14 * size


def test_small_grids_have_many_equal_distances() -> None:
    """Of equally close faces the lowest, whatever the order of the search."""
    rng = np.random.default_rng(3)
    for _ in range(10):
        mesh = meshes.soup(rng.integers(-2, 3, (40, 3, 3)).astype(float))
        check(mesh, rng.integers(-6, 7, (60, 3)) / 2)


@pytest.mark.parametrize("distance", [1.0, 1e2, 1e4, 1e6, 1e9, 1e15, 1e18, 1e60])
def test_points_far_away(distance: float) -> None:
    rng = np.random.default_rng(7)
    mesh = meshes.torus(12, 8)
    points = rng.normal(size=(40, 3))
    check(mesh, points * (distance / np.linalg.norm(points, axis=1))[:, None])


@pytest.mark.parametrize("power", [-1000, -330, -200, -40, 40, 200, 320])
def test_scales(power: int) -> None:
    rng = np.random.default_rng(5)
    mesh, points = random_soup(rng, 60), rng.normal(size=(40, 3))
    one = nearest(mesh, points)
    scaled = nearest((np.ldexp(mesh[0], power), mesh[1]), np.ldexp(points, power))
    if power > -900:
        np.testing.assert_array_equal(scaled.faces, one.faces)
    np.testing.assert_allclose(np.ldexp(scaled.distances, -power), one.distances, rtol=1e-12)


def test_a_mesh_far_from_zero() -> None:
    rng = np.random.default_rng(6)
    place = np.array([1e7, -2e7, 3e6])
    check(moved(meshes.torus(10, 8), place), rng.normal(size=(60, 3)) + place)


def test_tiny_and_huge_coordinates_together() -> None:
    """All x are 1e100, and y and z far smaller: nothing overflows on the way."""
    flat = np.array([(1e100, 0, 0), (1e100, 1e-290, 0), (1e100, 0, 1e-290)])
    found = nearest((flat, [(0, 1, 2)]), np.array([(1e100, -3e-290, 0), (1e100, 1e-291, 1e-291)]))
    np.testing.assert_allclose(found.distances, [3e-290, 0], rtol=1e-12, atol=1e-305)


def test_vertices_edges_and_faces_are_at_no_distance() -> None:
    mesh = moved(meshes.torus(10, 8), (2, 3, 5))
    corners = mesh[0][mesh[1]]
    assert not nearest(mesh, mesh[0]).distances.any()
    on = np.concatenate([corners.mean(axis=1), corners[:, :2].mean(axis=1)])
    assert nearest(mesh, on).distances.max() < 1e-15


def test_threads_order_and_company_do_not_matter() -> None:
    rng = np.random.default_rng(9)
    mesh = Mesh(*merge(meshes.torus(40, 30), meshes.torus(40, 30)))
    points = np.concatenate([rng.uniform(-2, 2, size=(2000, 3)), mesh.vertices[::5]])
    expected = nearest(mesh, points)
    assert expected.faces.max() < len(mesh) // 2, "each face is there twice"
    order = rng.permutation(len(points))
    for workers in (1, 2, 3):
        found = nearest(mesh, points[order], workers=workers)
        for name in ("points", "distances", "faces"):
            np.testing.assert_array_equal(getattr(found, name), getattr(expected, name)[order])


def test_no_faces() -> None:
    for empty in (meshes.empty(), (np.ones((3, 3)), np.zeros((0, 3), dtype=int))):
        found = nearest(empty, np.zeros((2, 3)))
        assert found.distances.tolist() == [np.inf, np.inf]
        assert found.faces.tolist() == [-1, -1]
        assert np.isnan(found.points).all()


def test_the_answer_is_frozen() -> None:
    found = nearest(BOX, np.ones((3, 3)))
    assert len(found) == 3
    assert repr(found) == "Nearest(3 points)"
    same = pickle.loads(pickle.dumps(found))
    for name, shape in (("points", (3, 3)), ("distances", (3,)), ("faces", (3,))):
        assert getattr(same, name).shape == shape
        assert not getattr(same, name).flags.writeable
    with pytest.raises(AttributeError):
        found.faces = found.faces  # type: ignore[misc]


def test_signed_distances_have_the_sign_of_the_side() -> None:
    rng = np.random.default_rng(11)
    mesh = Mesh(*meshes.torus(30, 20))
    points = np.concatenate([rng.uniform(-1.5, 1.5, size=(3000, 3)), mesh.vertices])
    signed = signed_distance(mesh, points)
    np.testing.assert_array_equal(np.sign(signed), side(mesh, points))
    np.testing.assert_array_equal(np.abs(signed), nearest(mesh, points).distances)
    assert np.signbit(signed[signed == 0]).sum() == 0


def exact_sign(normal: np.ndarray, p: np.ndarray, q: np.ndarray) -> int:
    """Of the product of the normal with p - q."""
    rows = np.stack([normal, p, q], axis=1).tolist()
    product = sum(Fraction(n) * (Fraction(x) - Fraction(y)) for n, x, y in rows)
    return (product > 0) - (product < 0)


def test_what_is_rounded_to_zero_keeps_its_sign() -> None:
    """A point so near a face that its distance is rounded to 0 is still inside or outside."""
    tetrahedron = np.array([(0, 0, 0), (3, 0, 0), (0, 7, 0), (1, 1, 11.0)])
    mesh = Mesh(tetrahedron, [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)])
    a, b, c = tetrahedron[1:]
    points = (a * np.arange(1, 60)[:, None] + b + c) / np.arange(3, 62)[:, None]
    signs = [exact_sign(np.cross(b - a, c - a), p, a) for p in points]
    assert {-1, 1} <= set(signs)
    assert side(mesh, points).tolist() == signs
    assert np.sign(signed_distance(mesh, points)).tolist() == signs


def test_faces_within_the_solid_are_at_no_surface() -> None:
    nested = merge(BOX, box((1, 1, 1), (3, 3, 3)))
    assert signed_distance(nested, [(2, 2, 2), (1, 2, 2), (0.5, 2, 2)]).tolist() == [-2, -1, -0.5]
    glued = merge(BOX, moved(BOX, (4, 0, 0)))
    points = [(4, 2, 2), (4, 2, 1.5), (3.5, 2, 2), (4, 0, 2), (4, -1, 2)]
    assert signed_distance(glued, points).tolist() == [-2, -1.5, -2, 0, 1]
    hollow = merge(BOX, (box((1, 1, 1), (3, 3, 3))[0], BOX[1][:, ::-1]))
    assert signed_distance(hollow, [(2, 2, 2), (1.5, 2, 2), (0.75, 2, 2)]).tolist() == [
        1,
        0.5,
        -0.25,
    ]
    # a sheet of two faces back to back, alone and in a box
    sheet = np.array([(1, 1, 1), (3, 1, 1), (1, 3, 1.0)]), np.array([(0, 1, 2), (0, 2, 1)])
    assert signed_distance(sheet, [(1, 1, 2)]).tolist() == [np.inf]
    assert signed_distance(merge(BOX, sheet), [(1.5, 1.5, 1)]).tolist() == [-1]


def test_cells_by_all_squares() -> None:
    """Solids of cells: the distance from the squares between full and empty cells."""
    rng = np.random.default_rng(13)
    for _ in range(30):
        full = rng.choice((0, 1), size=rng.integers(1, 4, size=3))
        full[0, 0, 0] = 1
        solid = cell_solid(rng, full)
        plain = cell_solid_unsheared(solid.mesh, solid.shear, solid.offset, solid.scale)
        places = places_of(rng, full, 20)
        found = signed_distance(plain, places)
        np.testing.assert_allclose(
            found, solid.sides(places) * to_squares(full, places), atol=1e-14
        )


def cell_solid_unsheared(
    mesh: Arrays, shear: np.ndarray, offset: np.ndarray, scale: float
) -> Arrays:
    back = np.round(np.linalg.inv(shear))
    return meshes.arrays((mesh[0] / scale - offset) @ back.T, mesh[1])


def to_squares(full: np.ndarray, places: np.ndarray) -> np.ndarray:
    """(m,) distance of places from the squares where a full cell ends."""
    padded = np.pad(full, 1)
    best = np.full(len(places), np.inf)
    for axis in range(3):
        for cell in np.argwhere(np.diff(padded, axis=axis) != 0):
            low = cell - 1.0
            low[axis] += 1
            high = low + 1
            high[axis] = low[axis]
            gap = np.maximum(np.maximum(low - places, places - high), 0)
            best = np.minimum(best, np.linalg.norm(gap, axis=1))
    return best
