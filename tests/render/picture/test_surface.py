"""Normals and feature edges of simple solids."""

from __future__ import annotations

import numpy as np
import pytest

from impinge.render.picture.surface import drawn_mesh

CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
QUADS = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
FACES = np.array([t for a, b, c, d in QUADS for t in ((a, b, c), (a, c, d))], dtype=np.int32)


def test_a_box_has_twelve_sharp_edges_and_flat_normals() -> None:
    shape = drawn_mesh(CORNERS, FACES)
    assert shape.closed
    assert len(shape.edges) == 12
    assert np.allclose(np.linalg.norm(shape.normals, axis=2), 1.0)
    assert np.allclose(np.sort(np.abs(shape.normals), axis=2), [0.0, 0.0, 1.0])


def test_unwelded_corners_count_as_one() -> None:
    soup = CORNERS[FACES].reshape(-1, 3)
    shape = drawn_mesh(soup, np.arange(36, dtype=np.int32).reshape(-1, 3))
    assert shape.closed
    assert len(shape.edges) == 12


def test_a_high_crease_angle_smooths_the_box() -> None:
    shape = drawn_mesh(CORNERS, FACES, crease=100.0)
    assert len(shape.edges) == 0
    outward = np.sign(shape.corners - 0.5) / np.sqrt(3.0)
    assert np.allclose(shape.normals, outward, atol=1e-9)


def test_open_borders_are_edges() -> None:
    shape = drawn_mesh(CORNERS, FACES[2:])
    assert not shape.closed
    assert len(shape.edges) == 12


@pytest.mark.parametrize("rows", [[], [[0, 0, 1]]])
def test_empty_and_collapsed_meshes_are_drawable(rows: list[list[int]]) -> None:
    shape = drawn_mesh(CORNERS, np.array(rows, dtype=np.int32).reshape(-1, 3))
    assert not shape.closed
    assert np.isfinite(shape.normals).all()
