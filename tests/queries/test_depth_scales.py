"""Depths of solids of any size, and of solids much larger than what they have in common."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest

import impinge
from support.meshes import Arrays, box, moved, posed, rotation, sphere

TURNED = np.eye(4)
TURNED[:3, :3] = rotation(np.random.default_rng(1))
OVERLAPS: dict[str, tuple[Arrays, Arrays]] = {
    "balls": (sphere(8, radius=1.0), moved(sphere(6, radius=0.7), (1.1, 0.2, 0.1))),
    "boxes": (box((0, 0, 0), (3, 2, 1)), posed(box((-0.5, -0.5, -0.5), (1, 1, 1)), TURNED)),
    "inside": (box((0, 0, 0), (3, 3, 3)), box((1, 1, 1), (2, 2, 2))),
    "equal": (box((0, 0, 0), (3, 2, 1)), box((0, 0, 0), (3, 2, 1))),
    "flush": (box((0, 0, 0), (3, 2, 1)), box((1, 1, 1 - 2**-30), (2, 3, 2))),
}
# from 1e-300 to 1e100
EXPONENTS = [-996, -740, -532, -520, -400, -280, -255, -201, -200, -90, 90, 200, 201, 260, 328]


def times(mesh: Arrays, factor: float) -> impinge.Mesh:
    return impinge.Mesh(mesh[0] * factor, mesh[1])


@pytest.mark.parametrize("name", OVERLAPS)
@pytest.mark.parametrize("exponent", EXPONENTS)
def test_as_deep_at_every_size(name: str, exponent: int) -> None:
    a, b = OVERLAPS[name]
    expected = impinge.penetration(times(a, 1.0), times(b, 1.0))
    found = impinge.penetration(times(a, 2.0**exponent), times(b, 2.0**exponent))
    assert found.relation == expected.relation
    for one in ("depth_bounds", "point", "centroid", "bounds"):
        scaled = np.ldexp(getattr(expected, one), exponent)
        # below 2^-1022 numbers have fewer digits
        np.testing.assert_allclose(getattr(found, one), scaled, rtol=0, atol=2.0**-1073)
    assert found.volume == pytest.approx(math.ldexp(expected.volume, 3 * exponent), abs=0)
    assert found.translation is not None
    away = moved((b[0] * 2.0**exponent, b[1]), found.translation)
    parted = impinge.relation(times(a, 2.0**exponent), impinge.Mesh(*away))
    assert parted in (impinge.Relation.APART, impinge.Relation.TOUCHING)
    length = np.linalg.norm(np.ldexp(found.translation, -exponent))
    assert length == pytest.approx(np.linalg.norm(expected.translation), rel=1e-3)


@pytest.mark.parametrize("exponent", [-996, -600, -300, 0, 250, 320])
def test_verdicts_at_every_size(exponent: int) -> None:
    factor = 2.0**exponent
    scene = impinge.Scene()
    for x, deep in enumerate((0.0, 2**-12, 2**-6, 0.5)):
        for low in (0.0, 1.0 - deep):
            scene.add(times(box((4 * x, 0, low), (4 * x + 1, 1, low + 1)), factor))
    scene.add(times(box((20, 0, 0), (21, 1, 1)), factor))
    scene.add(times(box((20.25, 0.25, 0.25), (20.75, 0.75, 0.75)), factor))
    found = scene.check(tolerance=2**-8 * factor)
    assert found.verdicts.tolist() == ["contact", "contact", "clash", "clash", "inside"]
    assert found.warnings == ()
    deep = np.array((0, 2**-12, 2**-6, 0.5, 0.5)) * factor
    assert (found.depths[:, 0] <= deep).all()
    assert (deep <= found.depths[:, 1]).all()
    np.testing.assert_allclose(found.depths[2:, 0], deep[2:], rtol=1e-3)


SIZES = [2.0**k for k in (-996, -700, -520, -260, -100, 0, 100, 328)]


@pytest.mark.parametrize("large", SIZES)
@pytest.mark.parametrize("small", SIZES)
def test_a_small_part_in_the_side_of_a_large_one(small: float, large: float) -> None:
    if small > large:
        return
    block = times(box((-8, -8, -8), (8, 8, 0)), large)
    pin = times(box((-0.25, -0.25, -1), (0.25, 0.25, 1)), small)
    found = impinge.penetration(block, pin)
    assert found.relation == impinge.Relation.OVERLAPPING
    low, high = found.depth_bounds
    assert low <= small <= high
    # of what is not much smaller than the largest coordinate more is known
    assert high < 1.01 * small + 2**-40 * large
    assert low > 0.99 * small - 2**-40 * large


def exact_height(point: np.ndarray, corners: np.ndarray) -> float:
    """Under the plane of three points."""
    p, a, b, c = ([Fraction(float(x)) for x in row] for row in (point, *corners))
    u, v, w = ([x - y for x, y in zip(other, a, strict=True)] for other in (b, c, p))
    n = [u[i - 2] * v[i - 1] - u[i - 1] * v[i - 2] for i in range(3)]
    over = sum(x * y for x, y in zip(n, w, strict=True))
    squared = sum(x * x for x in n)
    with localcontext(prec=60):
        length = (Decimal(squared.numerator) / Decimal(squared.denominator)).sqrt()
        return float(-Decimal(over.numerator) / Decimal(over.denominator) / length)


@pytest.mark.parametrize("exponent", range(0, 52, 4))
def test_bounds_hold_where_faces_are_much_larger_than_the_overlap(exponent: int) -> None:
    size = 20 * 2.0**exponent
    for seed in range(6):
        turned = rotation(np.random.default_rng(seed))
        corners = size * np.array([(2, -1, 0), (-1, 2, 0), (-1, -1, 0), (0, 0, -3)]) @ turned.T
        block = impinge.Mesh(corners, [(0, 1, 2), (0, 3, 1), (1, 3, 2), (2, 3, 0)])
        cube = box((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5))
        pin = impinge.Mesh(*moved(cube, turned @ (3.0, 2.0, 0.5)))
        low, high = impinge.penetration(block, pin).depth_bounds
        # all other faces of the block are farther
        deep = max(exact_height(point, corners[:3]) for point in pin.vertices)
        assert low <= deep <= high, (seed, low, deep, high)
