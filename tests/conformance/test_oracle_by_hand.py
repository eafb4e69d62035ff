"""The rational oracle itself: cases decided by hand, and checks it can make of its own answers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from families.triangles import float_triangles, grid_triangles, nudged
from support import rational
from support.rational import COPLANAR, CROSSING, NONE, POINT, SEGMENT

FLAT = [[0, 0, 0], [4, 0, 0], [0, 4, 0]]
APEX = [0, 0, 0]

BETWEEN_BODIES = {
    "through the middle": ([[1, 1, -1], [1, 1, 1], [9, 9, 1]], CROSSING),
    "far away": ([[1, 1, 5], [1, 1, 6], [9, 9, 6]], NONE),
    "planes cross, triangles do not": ([[9, 9, -1], [9, 9, 1], [12, 9, 1]], NONE),
    "a vertex in the plane, crossing": ([[1, 1, 0], [1, 2, 3], [1, 2, -3]], CROSSING),
    "standing on a vertex inside": ([[1, 1, 0], [2, 1, 3], [1, 2, 3]], POINT),
    "standing on a vertex on an edge": ([[2, 0, 0], [2, 1, 3], [1, 2, 3]], POINT),
    "standing on a common corner": ([APEX, [2, 1, 3], [1, 2, 3]], POINT),
    "edges cross in a point": ([[2, -1, -1], [2, 1, 1], [2, -9, 9]], POINT),
    "edges cross, a vertex in the plane": ([[1, -1, -1], [3, 1, 1], [2, -9, 0]], POINT),
    "standing on an edge": ([[1, 1, 0], [2, 1, 0], [1, 1, 3]], SEGMENT),
    "standing on an edge sticking out": ([[1, 1, 0], [9, 1, 0], [1, 1, 3]], SEGMENT),
    "hanging from a common edge": ([APEX, [4, 0, 0], [0, 0, 3]], SEGMENT),
    "passing through an edge": ([[1, 0, -1], [3, 0, -1], [2, 0, 3]], SEGMENT),
    "coplanar overlap": ([[1, 1, 0], [9, 1, 0], [1, 9, 0]], COPLANAR),
    "coplanar inside": ([[1, 1, 0], [2, 1, 0], [1, 2, 0]], COPLANAR),
    "coplanar equal": (FLAT, COPLANAR),
    "coplanar along an edge": ([[1, 0, 0], [3, 0, 0], [2, -3, 0]], SEGMENT),
    "coplanar at a corner": ([[4, 0, 0], [6, 0, 0], [6, 2, 0]], POINT),
    "coplanar apart": ([[5, 5, 0], [6, 5, 0], [6, 6, 0]], NONE),
    "a point inside": ([[1, 1, 0], [1, 1, 0], [1, 1, 0]], POINT),
    "a point above": ([[1, 1, 1], [1, 1, 1], [1, 1, 1]], NONE),
    "a needle through": ([[1, 1, -1], [1, 1, 1], [1, 1, 0]], POINT),
    "a needle lying inside": ([[1, 1, 0], [2, 1, 0], [2, 1, 0]], SEGMENT),
    "a needle lying across": ([[-1, 1, 0], [9, 1, 0], [0, 1, 0]], SEGMENT),
    "a needle lying on an edge": ([[5, -1, 0], [3, 1, 0], [4, 0, 0]], SEGMENT),
    "a needle lying past a corner": ([[4, -1, 0], [4, 1, 0], [4, 0, 0]], POINT),
}

SAME_BODY = {
    "apart": ([[0, 0, 9], [1, 0, 9], [0, 1, 9]], NONE),
    "0 shared, a vertex on the face": ([[1, 1, 0], [2, 1, 3], [1, 2, 3]], POINT),
    "1 shared, only there": ([APEX, [2, 1, 3], [1, 2, 3]], NONE),
    "1 shared, into the face": ([APEX, [2, 2, 1], [2, 2, -1]], CROSSING),
    "1 shared, through the far edge": ([APEX, [9, 9, 1], [9, 9, -1]], CROSSING),
    "1 shared, an edge on the face": ([APEX, [1, 1, 0], [1, 1, 3]], SEGMENT),
    "1 shared, part of an edge": ([APEX, [0, 2, 0], [-3, 0, 0]], SEGMENT),
    "1 shared, overlapping fan": ([APEX, [3, 1, 0], [1, 3, 0]], COPLANAR),
    "1 shared, neighbouring fan": ([APEX, [0, 4, 1], [-4, 0, 0]], NONE),
    "2 shared, a hinge": ([APEX, [4, 0, 0], [0, 0, 3]], NONE),
    "2 shared, flat": ([APEX, [4, 0, 0], [0, -4, 0]], NONE),
    "2 shared, a fold": ([APEX, [4, 0, 0], [1, 1, 0]], COPLANAR),
    "2 shared, a needle on the edge": ([APEX, [4, 0, 0], [2, 0, 0]], NONE),
    "2 shared, a needle beyond the edge": ([APEX, [4, 0, 0], [9, 0, 0]], NONE),
    "3 shared": ([[4, 0, 0], APEX, [0, 4, 0]], NONE),
}


@pytest.mark.parametrize("name", BETWEEN_BODIES)
def test_between_bodies(name: str) -> None:
    triangle, expected = BETWEEN_BODIES[name]
    assert rational.kind(FLAT, triangle) == expected
    assert rational.kind(triangle, FLAT) == expected


@pytest.mark.parametrize("name", SAME_BODY)
def test_same_body(name: str) -> None:
    triangle, expected = SAME_BODY[name]
    assert rational.self_kind(FLAT, triangle) == expected
    assert rational.self_kind(triangle, FLAT) == expected


def test_duplicates_on_request() -> None:
    assert rational.self_kind(FLAT, FLAT[::-1], report_duplicates=True) == COPLANAR


@pytest.mark.parametrize(("end", "expected"), [(7, SEGMENT), (9, NONE), (4, NONE), (-1, NONE)])
def test_needles_on_one_line_sharing_two_points(end: int, expected: int) -> None:
    first = [[0, 0, 0], [4, 0, 0], [9, 0, 0]]
    second = [[0, 0, 0], [4, 0, 0], [end, 0, 0]]
    assert rational.self_kind(first, second) == expected


@pytest.mark.parametrize("scale", [5e-324, 1e-100, 1.0, 1e99])
def test_kinds_do_not_depend_on_the_scale(scale: float) -> None:
    for triangle, expected in BETWEEN_BODIES.values():
        assert rational.kind(np.array(FLAT) * scale, np.array(triangle) * scale) == expected


def test_vertices_of_the_common_part() -> None:
    half = Fraction(1, 2)
    found = rational.intersection(
        [[0, 0, 0], [3, 0, 0], [0, 3, 0]], [[1, 1, -1], [1, 1, 1], [4, 4, 0]]
    )
    assert set(found) == {
        (Fraction(1), Fraction(1), Fraction(0)),
        (3 * half, 3 * half, Fraction(0)),
    }


@pytest.mark.parametrize("seed", range(4))
def test_clipping_the_other_way_round_gives_the_same_vertices(seed: int) -> None:
    rng = np.random.default_rng(seed)
    makers = (
        lambda: grid_triangles(rng, 300),
        lambda: float_triangles(rng, 300),
        lambda: nudged(rng, grid_triangles(rng, 300, cells=3) + 1),
        lambda: grid_triangles(rng, 300, cells=5) * np.array([1, 1, 0]),
    )
    for make in makers:
        for a, b in zip(make(), make(), strict=True):
            forward, backward = rational.intersection(a, b), rational.intersection(b, a)
            assert len(set(forward)) == len(forward)
            assert set(forward) == set(backward), (a.tolist(), b.tolist())
