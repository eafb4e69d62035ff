"""Spans against a plain test of every pixel centre."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from impinge.render.picture.raster import fragments, nearest

SIZE = (24, 16)


def _inside(triangle: np.ndarray, x: float, y: float) -> bool:
    sides = []
    for k in range(3):
        (ax, ay), (bx, by) = triangle[k, :2], triangle[(k + 1) % 3, :2]
        sides.append((bx - ax) * (y - ay) - (by - ay) * (x - ax))
    return all(s > 0 for s in sides) or all(s < 0 for s in sides)


@given(st.integers(0, 2**32 - 1))
def test_strictly_covered_pixels_are_found(seed: int) -> None:
    rng = np.random.default_rng(seed)
    triangles = rng.uniform(-6.0, 30.0, (3, 3, 3))
    found = {
        pair
        for owner, pixel, _ in fragments(triangles, SIZE)
        for pair in zip(owner.tolist(), pixel.tolist(), strict=True)
    }
    for index, triangle in enumerate(triangles):
        for y in range(SIZE[1]):
            for x in range(SIZE[0]):
                if _inside(triangle, x + 0.5, y + 0.5):
                    assert (index, y * SIZE[0] + x) in found


def test_two_halves_of_a_square_cover_each_pixel_once() -> None:
    square = np.array([[0.0, 0.0, 1.0], [24.0, 0.0, 1.0], [24.0, 16.0, 1.0], [0.0, 16.0, 1.0]])
    halves = square[[[0, 1, 2], [0, 2, 3]]]
    pixels = np.concatenate([pixel for _, pixel, _ in fragments(halves, SIZE)])
    assert sorted(pixels.tolist()) == list(range(SIZE[0] * SIZE[1]))


def test_depth_is_interpolated_and_the_nearest_wins() -> None:
    square = np.array([[0.0, 0.0, 0.0], [24.0, 0.0, 24.0], [24.0, 16.0, 24.0], [0.0, 16.0, 0.0]])
    slope = square[[[0, 1, 2], [0, 2, 3]]]
    flat = slope.copy()
    flat[:, :, 2] = 12.0
    index, depth = nearest(np.concatenate([slope, flat]), SIZE)
    row = depth.reshape(SIZE[1], SIZE[0])[8]
    assert np.allclose(row, np.minimum(np.arange(24) + 0.5, 12.0), atol=1e-3)
    assert set(index.reshape(SIZE[1], SIZE[0])[8, 13:].tolist()) <= {2, 3}


def test_cutting_away_shows_what_lies_behind() -> None:
    near = np.array([[[0.0, 0.0, 1.0], [60.0, 0.0, 1.0], [0.0, 60.0, 1.0]]])
    far = near + np.array([0.0, 0.0, 4.0])
    both = np.concatenate([near, far])
    assert set(nearest(both, SIZE)[0].tolist()) == {0}
    assert set(nearest(both, SIZE, beyond=3.0)[0].tolist()) == {1}


def test_nothing_to_draw() -> None:
    index, depth = nearest(np.zeros((0, 3, 3)), SIZE)
    assert (index == -1).all()
    assert np.isinf(depth).all()
