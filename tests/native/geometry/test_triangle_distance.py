"""The distance of two triangles against rational arithmetic, for every shape they can have."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from impinge import _core
from support import distance_reference as reference

ROUNDINGS = 16 * 2.0**-53


def measured(a: object, b: object) -> tuple[float, np.ndarray]:
    p, q = np.array(a, dtype=float)[None], np.array(b, dtype=float)[None]
    values, points = _core.triangle_distances(p, q)
    return float(values[0]), points[0]


def extent(a: np.ndarray, b: np.ndarray) -> float:
    """Size of both together: what roundings are relative to."""
    points = np.concatenate([a, b])
    return float(np.ptp(points, axis=0).max())


def check(a: np.ndarray, b: np.ndarray) -> None:
    exact = reference.triangle_distance(a, b)
    value, points = measured(a, b)
    slack = ROUNDINGS * extent(a, b)
    assert abs(value - exact) <= slack, (value, exact)
    assert (value == 0.0) == (_core.classify(a[None], b[None])[0] != 0)
    reach = float(np.abs(np.concatenate([a, b])).max())
    for point, triangle in zip(points, (a, b), strict=True):
        assert reference.to_triangle(point, triangle) <= slack + 4 * 2.0**-53 * reach
    assert abs(math.dist(*points) - exact) <= slack + 8 * 2.0**-53 * reach


def shapes(rng: np.random.Generator, kind: str) -> tuple[np.ndarray, np.ndarray]:
    a, b = rng.normal(size=(2, 3, 3))
    if kind == "segments":
        a[2], b[1] = a[0] + 0.25 * (a[1] - a[0]), b[0]
    elif kind == "points":
        a[:], b[1:] = a[0], b[0]
    elif kind == "needles":
        a[2] = a[1] + 1e-9 * rng.normal(size=3)
        b[2] = 0.5 * (b[0] + b[1]) + 1e-12 * rng.normal(size=3)
    elif kind == "parallel":
        b = a + rng.normal(size=3) + 1e-10 * rng.normal(size=(3, 3))
    elif kind == "close":
        b = a + 1e-11 * rng.normal(size=3)
    elif kind == "far":
        a, b = a + 1e9, b + 1e9
    elif kind == "tiny":
        a, b = 1e-200 * a, 1e-200 * b
    elif kind == "huge":
        a, b = 1e99 * a, 1e99 * b
    elif kind == "grid":
        a, b = np.round(a), np.round(b)
    elif kind == "unequal":
        a, b = 1e6 * a, 1e-6 * b
    elif kind == "apart":
        b = b + 1e8
    return a, b


@pytest.mark.parametrize(
    "kind",
    [
        "random",
        "segments",
        "points",
        "needles",
        "parallel",
        "close",
        "far",
        "tiny",
        "huge",
        "grid",
        "unequal",
        "apart",
    ],
)
def test_is_rational(kind: str) -> None:
    rng = np.random.default_rng(7)
    for _ in range(60):
        check(*shapes(rng, kind))


@settings(max_examples=150)
@given(hnp.arrays(np.int64, (2, 3, 3), elements=st.integers(-3, 3)))
def test_is_rational_on_a_coarse_grid(corners: np.ndarray) -> None:
    check(*corners.astype(float))


@pytest.mark.parametrize(
    ("b", "expected"),
    [
        ([(1, 1, 2), (1, 1, 3), (1, 2, 3)], 2.0),  # vertex over face
        ([(-1, -1, 1), (3, -1, 1), (1, -9, 9)], np.sqrt(2)),  # edge and edge, parallel
        ([(7, 0, 0), (9, 0, 0), (8, 1, 0)], 3.0),  # vertex and vertex in one plane
        ([(5, 5, 0), (6, 5, 0), (5, 6, 0)], np.sqrt(18)),  # vertex and edge
        ([(0, 0, 0), (-1, 0, 0), (0, -1, 0)], 0.0),  # a common corner
        ([(1, 1, -1), (1, 1, 1), (2, 1, 1)], 0.0),  # through the face
    ],
)
def test_by_hand(b: object, expected: float) -> None:
    floor = [(0, 0, 0), (4, 0, 0), (0, 4, 0)]
    assert measured(floor, b)[0] == pytest.approx(expected, rel=1e-15)
    assert measured(b, floor)[0] == measured(floor, b)[0]


def test_meeting_triangles_have_a_common_point() -> None:
    value, points = measured([(0, 0, 0), (4, 0, 0), (0, 4, 0)], [(1, 1, -1), (1, 1, 1), (2, 1, 1)])
    assert value == 0.0
    assert points[0].tolist() == points[1].tolist()


def test_barely_apart_is_never_zero() -> None:
    floor = np.array([(0, 0, 0), (4, 0, 0), (0, 4, 0.0)])
    above = np.array([(1, 1, 5e-324), (1, 2, 1), (2, 1, 1)])
    assert _core.classify(floor[None], above[None])[0] == 0
    value, _ = measured(floor, above)
    assert 0.0 < value < 1e-300


@given(hnp.arrays(np.float64, (2, 3, 3), elements=st.floats(-1e6, 1e6)))
def test_is_symmetric_to_the_bit(corners: np.ndarray) -> None:
    a, b = corners
    assert measured(a, b)[0] == measured(b, a)[0]


def test_lengths_must_agree() -> None:
    with pytest.raises(ValueError, match="same length"):
        _core.triangle_distances(np.zeros((2, 3, 3)), np.zeros((1, 3, 3)))
