"""Whether triangles are within a distance, against arithmetic on fractions."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from families.triangles import float_triangles, grid_triangles, nudged
from impinge import _core
from support import distance_reference, rational

COUNT = 120
YES, NO, UNKNOWN = 1, 0, 2


def needles(rng: np.random.Generator, n: int) -> np.ndarray:
    """Long and thin: corners nearly, or exactly, on one line."""
    start, along = rng.uniform(-1, 1, (n, 1, 3)), rng.uniform(-1, 1, (n, 1, 3))
    ends = start + rng.uniform(0, 1, (n, 3, 1)) * along
    return ends + rng.choice([0.0, 1e-17, 1e-12], (n, 1, 1)) * rng.uniform(-1, 1, (n, 3, 3))


def parallel(rng: np.random.Generator, n: int) -> np.ndarray:
    """In planes z = 0 and z = 1 in turns: distances that are whole, and edges that are parallel."""
    triangles = rng.integers(0, 4, (n, 3, 3)).astype(np.float64)
    triangles[:, :, 2] = (np.arange(n) % 2)[:, None]
    return triangles


FAMILIES = {
    "floats": float_triangles,
    "grid": lambda rng, n: grid_triangles(rng, n, cells=5),
    "nudged": lambda rng, n: nudged(rng, grid_triangles(rng, n, cells=5)),
    "needles": needles,
    "parallel": parallel,
    "huge": lambda rng, n: float_triangles(rng, n) * 1e99,
    "tiny": lambda rng, n: float_triangles(rng, n) * 1e-160,
    "subnormal": lambda rng, n: grid_triangles(rng, n, cells=9) * 5e-324,
    "far": lambda rng, n: grid_triangles(rng, n, cells=5) + 2.0**40,
}


def margins_near(square: Fraction) -> list[float]:
    """Floats at the root of a number, just below and above it, and far from it."""
    root = distance_reference.root(square)
    near = [root, math.nextafter(root, 0), math.nextafter(root, math.inf)]
    near += [root * (1 - 1e-14), root * (1 + 1e-14), root / 2, 2 * root]
    return [margin for margin in near if 0 < margin < math.inf]


@pytest.mark.parametrize("name", FAMILIES)
def test_exactly(name: str) -> None:
    rng = np.random.default_rng([7, len(name)])
    a, b = FAMILIES[name](rng, COUNT), FAMILIES[name](rng, COUNT)
    a, b = np.ascontiguousarray(a), np.ascontiguousarray(np.roll(b, 1, axis=0))
    ties = decided = asked = 0
    for one, other in zip(a, b, strict=True):
        square = distance_reference.squared(one, other)
        if square == 0:
            continue
        for margin in margins_near(square):
            truth = square <= Fraction(margin) ** 2
            both = one[None], other[None]
            assert _core.triangles_within(*both, margin)[0] == truth, (one, other, margin)
            assert _core.triangles_within(*both[::-1], margin)[0] == truth, (other, one, margin)
            quick = _core.triangles_within(*both, margin, exactly=False)[0]
            assert quick in (UNKNOWN, YES if truth else NO), (one, other, margin)
            ties += square == Fraction(margin) ** 2
            decided += quick != UNKNOWN
            asked += 1
    if name == "parallel":
        assert ties > COUNT / 10
    if name == "floats":
        assert decided > asked / 4


def test_equal_is_within_where_no_float_is_the_distance() -> None:
    # sqrt(2) is no float: one margin is below it, the next above
    a = np.array([[[0.0, 0, 0], [-1, 0, 0], [0, -1, 0]]])
    b = np.array([[[1.0, 1, 0], [2, 1, 0], [1, 2, 0]]])
    root = math.sqrt(2)
    margins = [math.nextafter(root, 0), root, math.nextafter(root, 2)]
    found = [bool(_core.triangles_within(a, b, margin)[0]) for margin in margins]
    assert found == [Fraction(margin) ** 2 >= 2 for margin in margins]
    assert rational.kind(a[0], b[0]) == rational.NONE
