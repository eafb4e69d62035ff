"""orient3d and orient2d give the sign of the exact determinant, whatever the coordinates."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from impinge import _core

SPREAD = [5e-324, 1e-310, 1e-200, 1e-100, 2.0**-306, 1e-12, 1.0, 3.0, 1e12, 1e60, 1e100]
coordinates = st.one_of(
    st.integers(-3, 3).map(float),
    st.floats(-1e100, 1e100, allow_nan=False),
    st.sampled_from([s * x for x in SPREAD for s in (1, -1)]),
    st.floats(-1e-300, 1e-300, allow_nan=False),
)
points = st.tuples(coordinates, coordinates, coordinates)


def sign(x: Fraction) -> int:
    return (x > 0) - (x < 0)


def exact3d(a: object, b: object, c: object, d: object) -> int:
    p, q, r, s = ([Fraction(float(x)) for x in point] for point in (a, b, c, d))
    u, v, w = ([x - y for x, y in zip(point, s, strict=True)] for point in (p, q, r))
    return sign(
        u[0] * (v[1] * w[2] - v[2] * w[1])
        + u[1] * (v[2] * w[0] - v[0] * w[2])
        + u[2] * (v[0] * w[1] - v[1] * w[0])
    )


def exact2d(a: object, b: object, c: object) -> int:
    p, q, r = ([Fraction(float(x)) for x in point] for point in (a, b, c))
    return sign((p[0] - r[0]) * (q[1] - r[1]) - (p[1] - r[1]) * (q[0] - r[0]))


def check(p: np.ndarray) -> None:
    """Both signs of quadruples (4, n, 3) against fractions."""
    expected = [exact3d(*q) for q in p.swapaxes(0, 1)]
    assert _core.orient3d(*np.ascontiguousarray(p)).tolist() == expected
    flat = np.ascontiguousarray(p[:3, :, :2])
    assert _core.orient2d(*flat).tolist() == [exact2d(*q) for q in flat.swapaxes(0, 1)]


def test_convention() -> None:
    a, b, c = np.array([[[0.0, 0, 0]], [[1, 0, 0]], [[0, 1, 0]]])
    assert _core.orient3d(a, b, c, np.array([[0.0, 0, -1]])) == [1]
    assert _core.orient3d(a, b, c, np.array([[0.0, 0, 1]])) == [-1]
    flat = [np.ascontiguousarray(p[:, :2]) for p in (a, b, c)]
    assert _core.orient2d(*flat) == [1]


@given(st.tuples(points, points, points, points))
def test_any_coordinates(quadruple: tuple[object, ...]) -> None:
    check(np.array(quadruple, dtype=float)[:, None])


@pytest.mark.parametrize("scale", [1e-318, 1e-250, 1e-108, 1e-90, 1e-12, 1.0, 1e12, 1e90])
@pytest.mark.parametrize("per_axis", [False, True])
def test_almost_flat(scale: float, per_axis: bool) -> None:
    """Points off a plane by a few last bits, at every scale and with unequal axes."""
    rng = np.random.default_rng(8)
    p = rng.normal(size=(4, 300, 3))
    s, t = rng.random((2, 300, 1))
    p[3] = p[0] + s * (p[1] - p[0]) + t * (p[2] - p[0])
    p[3] += np.spacing(p[3]) * rng.integers(-1, 2, p[3].shape)
    p *= scale * (2.0 ** rng.integers(-30, 30, (1, 300, 3)) if per_axis else 1.0)
    check(p)


@pytest.mark.parametrize("exponent", [-1074, -1000, -358, -306, -305, 0, 300])
def test_exactly_flat(exponent: int) -> None:
    """Integer points of one plane, and the same one unit off it, times a power of two."""
    rng = np.random.default_rng(9)
    p = rng.integers(-9, 10, (4, 300, 3)).astype(float)
    p[..., 2] = p[..., 0] + 2 * p[..., 1]
    off = p.copy()
    off[3, :, 2] += rng.choice([-1, 1], 300)
    unit = 2.0**exponent
    assert not _core.orient3d(*(p * unit)).any()
    check(off * unit)


def test_far_from_the_origin() -> None:
    """All bits of the differences count, not only those of the rounded ones."""
    rng = np.random.default_rng(10)
    p = rng.normal(size=(4, 400, 3)) * 10.0 ** rng.uniform(-12, 12, (4, 400, 3))
    check(p)
    check(p * 1e-9 + 1e3)


def test_mixed_extremes() -> None:
    rng = np.random.default_rng(11)
    check(rng.choice([0.0, *SPREAD, *(-x for x in SPREAD)], (4, 500, 3)))


@given(st.tuples(points, points, points, points))
def test_swapping_two_points_turns_the_sign(quadruple: tuple[object, ...]) -> None:
    a, b, c, d = np.array(quadruple, dtype=float)[:, None]
    assert _core.orient3d(a, b, c, d) == -_core.orient3d(b, a, c, d)
    assert _core.orient3d(a, b, c, d) == -_core.orient3d(a, b, d, c)


def test_lengths_must_agree() -> None:
    one, two = np.zeros((1, 3)), np.zeros((2, 3))
    with pytest.raises(ValueError, match="same length, got 1 and 2"):
        _core.orient3d(one, one, two, one)
