"""Polygons into triangles."""

from __future__ import annotations

import numpy as np
import pytest

from impinge.io.polygons import fan_triangles, split_strips, strip_triangles, triangulate

L_SHAPE = np.array([[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]], dtype=float)
ARROW = np.array([[0, 0], [2, 1], [0, 2], [1, 1]], dtype=float)
COMB = np.array([[0, 0], [5, 0], [5, 2], [4, 2], [4, 1], [3, 1], [3, 2], [2, 2], [2, 1], [1, 1],
                 [1, 2], [0, 2]], dtype=float)  # fmt: skip
STRAIGHT = np.array([[0, 0], [1, 0], [2, 0], [2, 2], [1, 1], [0, 2]], dtype=float)


def placed(flat, axis):
    """The outline in a plane across one axis, mirrored for odd planes."""
    return np.insert(flat, axis, 0.5, axis=1)


def area(points, faces):
    a, b, c = (points[faces[:, k]] for k in range(3))
    return np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2


def vector_area(points, faces):
    a, b, c = (points[faces[:, k]] for k in range(3))
    return np.cross(b - a, c - a).sum(axis=0) / 2


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("turned", [1, -1])
@pytest.mark.parametrize("flat", [L_SHAPE, ARROW, COMB, STRAIGHT])
@pytest.mark.parametrize("first", range(6))
def test_triangles_cover_the_polygon_and_nothing_else(flat, axis, turned, first):
    points = placed(np.roll(flat, first, axis=0)[::turned], axis)
    faces, polygon = triangulate(points, np.arange(len(points)), np.array([len(points)]))
    expected = vector_area(points, fan_triangles(np.arange(len(points))))
    assert np.allclose(vector_area(points, faces), expected)
    # Overlapping or outside triangles would make the plain area larger than the vector's.
    assert np.isclose(area(points, faces), np.linalg.norm(expected))
    assert polygon.tolist() == [0] * len(faces)


def test_convex_ones_stay_fans():
    points = placed(np.array([[0, 0], [1, 0], [2, 1], [1, 2], [0, 1]], dtype=float), 2)
    faces, _ = triangulate(points, np.arange(5), np.array([5]))
    assert faces.tolist() == [[0, 1, 2], [0, 2, 3], [0, 3, 4]]


def test_mixed_sizes_keep_their_order():
    points = np.concatenate((placed(ARROW, 2), placed(L_SHAPE, 2) + 5))
    corners = np.array([0, 1, 2, *range(4, 10), 0, 1, 2, 3])
    faces, polygon = triangulate(points, corners, np.array([3, 6, 4]))
    assert polygon.tolist() == [0, 1, 1, 1, 1, 2, 2]
    assert np.isclose(area(points, faces[1:5]), 3)
    assert np.isclose(area(points, faces[5:]), 1)


def test_corners_out_of_range_are_left_for_the_check():
    faces, _ = triangulate(placed(ARROW, 2), np.array([0, 1, 99, 3]), np.array([4]))
    assert faces.tolist() == [[0, 1, 99], [0, 99, 3]]


def test_polygon_that_crosses_itself_becomes_a_fan():
    bow_tie = placed(np.array([[0, 0], [1, 1], [1, 0], [0, 1]], dtype=float), 2)
    faces, _ = triangulate(bow_tie, np.arange(4), np.array([4]))
    assert faces.tolist() == [[0, 1, 2], [0, 2, 3]]


def test_strip_and_fan():
    assert strip_triangles(np.arange(5)).tolist() == [[0, 1, 2], [1, 3, 2], [2, 3, 4]]
    assert fan_triangles(np.arange(5)).tolist() == [[0, 1, 2], [0, 2, 3], [0, 3, 4]]
    assert strip_triangles(np.arange(2)).shape == (0, 3)
    assert fan_triangles(np.arange(1)).shape == (0, 3)


@pytest.mark.parametrize("holes", [5, 100])
def test_an_outline_that_comes_to_one_point_again_and_again(holes):
    """A star of blades that meet in one point, to which the outline returns after each."""
    turns = np.linspace(0, 2 * np.pi, holes, endpoint=False)
    blades = np.stack(
        [
            np.zeros((holes, 2)),
            np.stack((np.cos(turns), np.sin(turns)), axis=1),
            np.stack((np.cos(turns + 2 / holes), np.sin(turns + 2 / holes)), axis=1),
        ],
        axis=1,
    )
    points = placed(blades.reshape(-1, 2), 2)
    faces, _ = triangulate(points, np.arange(len(points)), np.array([len(points)]))
    expected = np.linalg.norm(vector_area(points, np.arange(3 * holes).reshape(-1, 3)))
    assert np.isclose(area(points, faces), expected)


def test_strips_of_many_rows_and_of_restarts():
    rows = ([0, 1, 2, 3], [], [4, 5, -1, 6, 7, 8], [-1, -1, 1, 2], [3], [2, 1, 0, -1])
    faces, row = split_strips(
        np.array([i for own in rows for i in own]), np.array([len(own) for own in rows])
    )
    assert faces.tolist() == [[0, 1, 2], [1, 3, 2], [6, 7, 8], [2, 1, 0]]
    assert row.tolist() == [0, 0, 2, 5]
