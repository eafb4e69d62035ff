"""Contacts lie on both triangles, and equal combinatorial points are bit-identical."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from impinge import _core
from support import rational

NONE, CROSSING, POINT, SEGMENT, COPLANAR = range(5)
FLOOR = [(0, 0, 0), (4, 0, 0), (0, 4, 0)]


def contact(a: object, b: object) -> tuple[int, np.ndarray, np.ndarray]:
    """Kind, segment (2, 3) and outline (k, 3) of one pair."""
    p, q = np.array(a, dtype=float)[None], np.array(b, dtype=float)[None]
    kinds = _core.classify(p, q)
    segments, points, offsets = _core.intersections(p, q, kinds)
    assert offsets.tolist() == [0, len(points)]
    return int(kinds[0]), segments[0], points


def as_set(points: np.ndarray) -> set[tuple[float, ...]]:
    return {tuple(p) for p in points.tolist()}


def distance(t: np.ndarray, p: np.ndarray) -> float:
    """Distance of p to the triangle, to rounding: clamp its nearest point on plane and sides."""
    best = np.inf
    u, v, w = t[1] - t[0], t[2] - t[0], p - t[0]
    gram = np.array([[u @ u, u @ v], [u @ v, v @ v]])
    if np.linalg.matrix_rank(gram) == 2:
        s, r = np.linalg.solve(gram, [u @ w, v @ w])
        if s >= 0 and r >= 0 and s + r <= 1:
            best = float(np.linalg.norm(w - s * u - r * v))
    for a, b in ((t[0], t[1]), (t[1], t[2]), (t[2], t[0])):
        d = b - a
        s = np.clip((p - a) @ d / (d @ d), 0, 1) if d @ d > 0 else 0.0
        best = min(best, float(np.linalg.norm(p - a - s * d)))
    return best


@pytest.mark.parametrize(
    ("b", "kind", "ends"),
    [
        ([(1, 1, -1), (1, 1, 1), (3, 1, 1)], CROSSING, {(1, 1, 0), (2, 1, 0)}),
        ([(1, -1, -9), (1, -1, 9), (1, 9, 9)], CROSSING, {(1, 0, 0), (1, 3, 0)}),
        ([(1, 1, 0), (1, 1, 1), (2, 1, 1)], POINT, {(1, 1, 0)}),
        ([(2, -1, -1), (2, 1, 1), (2, -4, 1)], POINT, {(2, 0, 0)}),
        ([(1, 1, 0), (9, 1, 0), (1, 1, 1)], SEGMENT, {(1, 1, 0), (3, 1, 0)}),
        ([(1, 0, 0), (9, 0, 0), (1, -1, 1)], SEGMENT, {(1, 0, 0), (4, 0, 0)}),
        ([(1, 1, -1), (1, 1, 0), (1, 1, 1)], POINT, {(1, 1, 0)}),
        ([(2, 0, -1), (2, 0, 1), (2, 0, 3)], POINT, {(2, 0, 0)}),
        ([(1, 1, 0), (2, 1, 0), (9, 1, 0)], SEGMENT, {(1, 1, 0), (3, 1, 0)}),
    ],
)
def test_known_places(b: object, kind: int, ends: set[tuple[int, ...]]) -> None:
    for p, q in ((FLOOR, b), (b, FLOOR)):
        found, segment, outline = contact(p, q)
        assert found == kind
        assert as_set(segment) == ends
        assert len(outline) == 0


@pytest.mark.parametrize(
    ("ends", "place"),
    [
        (((1, -1, 0), (1, 3, 0)), (1, 0, 0)),
        (((1, 0, 0), (1, 3, 0)), (1, 0, 0)),
        (((0, -1, 0), (0, 3, 0)), (0, 0, 0)),
        (((4, 0, 0), (4, 3, 0)), (4, 0, 0)),
        (((3, 0, -2), (3, 0, 2)), (3, 0, 0)),
    ],
)
def test_triangles_that_are_segments(
    ends: tuple[tuple[int, ...], tuple[int, ...]], place: tuple[int, ...]
) -> None:
    """They cross, or one ends on the other, whichever corner is between the others."""
    first = ((0, 0, 0), (4, 0, 0))
    for p, q in ((first, ends), (ends, first), (first[::-1], ends), (ends[::-1], first[::-1])):
        for roll in range(3):
            a = np.roll([*p, np.mean(p, axis=0)], roll, axis=0)
            b = np.roll([q[0], *q], roll, axis=0)
            found, segment, _ = contact(a, b)
            assert found == POINT
            assert as_set(segment) == {place}


@pytest.mark.parametrize(
    ("b", "corners"),
    [
        (FLOOR, set(FLOOR)),
        ([(1, 1, 0), (2, 1, 0), (1, 2, 0)], {(1, 1, 0), (2, 1, 0), (1, 2, 0)}),
        ([(-9, -9, 0), (30, -9, 0), (-9, 30, 0)], set(FLOOR)),
        ([(1, 1, 0), (5, 1, 0), (1, 5, 0)], {(1, 1, 0), (3, 1, 0), (1, 3, 0)}),
        ([(0, 0, 0), (4, 0, 0), (4, 4, 0)], {(0, 0, 0), (4, 0, 0), (2, 2, 0)}),
        (
            [(3, 3, 0), (-1, 3, 0), (3, -1, 0)],
            {(0, 2, 0), (2, 0, 0), (3, 0, 0), (3, 1, 0), (1, 3, 0), (0, 3, 0)},
        ),
    ],
)
def test_outlines(b: list[tuple[int, ...]], corners: set[tuple[int, ...]]) -> None:
    for p, q in ((FLOOR, b), (b, FLOOR), (FLOOR[::-1], b), (b[::-1], FLOOR)):
        kind, segment, outline = contact(p, q)
        assert kind == COPLANAR
        assert as_set(outline) == corners
        assert len(outline) == len(corners)
        normal = np.cross(np.subtract(p[1], p[0]), np.subtract(p[2], p[0]))
        turns = [
            np.cross(outline[i - 1] - outline[i - 2], outline[i] - outline[i - 1]) @ normal
            for i in range(len(outline))
        ]
        assert min(turns) > 0
        spread = np.linalg.norm(outline[:, None] - outline[None], axis=2).max()
        assert np.linalg.norm(segment[1] - segment[0]) == spread
        assert as_set(segment) <= corners


def test_pairs_that_do_not_meet() -> None:
    far = np.add(FLOOR, 9)
    kind, segment, outline = contact(FLOOR, far)
    assert kind == NONE
    assert np.isnan(segment).all()
    assert outline.shape == (0, 3)


@pytest.mark.parametrize("scale", [1e-150, 1e-12, 1.0, 1e12, 1e99])
@pytest.mark.parametrize("aspect", [1.0, 1e-6])
def test_points_lie_on_both(scale: float, aspect: float) -> None:
    rng = np.random.default_rng(2)
    a, b = rng.normal(size=(2, 3000, 3, 3))
    b[:, 2] = b[:, 1] + aspect * b[:, 2]
    kinds = _core.classify(a * scale, b * scale)
    hits = np.flatnonzero(kinds)
    segments, _, _ = _core.intersections(a[hits] * scale, b[hits] * scale, kinds[hits])
    assert len(hits) > 100
    for p, q, ends in zip(a[hits], b[hits], segments / scale, strict=True):
        for end in ends:
            assert distance(p, end) < 1e-13
            assert distance(q, end) < 1e-13


def test_ends_of_slivers_are_the_exact_ones() -> None:
    """Needles of width 1e-9: the end points are right to the last bits, not only near."""
    rng = np.random.default_rng(4)
    a, b = rng.normal(size=(2, 4000, 3, 3))
    b[:, 2] = b[:, 1] + 1e-9 * b[:, 2]
    kinds = _core.classify(a, b)
    hits = np.flatnonzero(kinds)
    segments, _, _ = _core.intersections(a[hits], b[hits], kinds[hits])
    for p, q, ends in zip(a[hits], b[hits], segments, strict=True):
        exact = crossings(p, q) + crossings(q, p)
        for end in ends:
            assert min(np.abs(np.array(x) - end).max() for x in exact) < 1e-15


def test_ends_are_the_exact_ones_over_hundreds_of_decades() -> None:
    """Products of such coordinates underflow; no end may fall anywhere between two corners."""
    rng = np.random.default_rng(5)
    a, b = rng.choice([-1, 1], (2, 3000, 3, 3)) * 10.0 ** rng.integers(-300, 100, (2, 3000, 3, 3))
    a[::2, :, 1:] = rng.integers(-3, 4, (1500, 3, 2))
    kinds = _core.classify(a, b)
    hits = np.flatnonzero((kinds == CROSSING) | (kinds == POINT))
    segments, _, _ = _core.intersections(a[hits], b[hits], kinds[hits])
    tested = 0
    for p, q, ends in zip(a[hits], b[hits], segments, strict=True):
        allowed = 2.0**-38 * np.maximum(np.ptp(p, axis=0), np.ptp(q, axis=0))
        exact = rational.intersection(p, q)
        for end in ends:
            assert any(
                all(
                    abs(Fraction(float(x)) - y) <= Fraction(float(most))
                    for x, y, most in zip(end, place, allowed, strict=True)
                )
                for place in exact
            ), (p, q, end)
            tested += 1
    assert tested > 500


def test_edges_that_meet_over_hundreds_of_decades() -> None:
    tiny = 1e-200
    a = [(0, 0, 0), (1, tiny, 0), (0, 0, 1)]
    b = [(0, tiny, 0), (1, 0, 0), (0, 0, -1)]
    kind, segment, _ = contact(a, b)
    assert kind == POINT
    assert segment.tolist() == [[0.5, tiny / 2, 0]] * 2
    b = [(0, 3 * tiny, 0), (1, 0, 0), (0, 0, -1)]
    assert contact(a, b)[1].tolist() == [[0.75, 0.75 * tiny, 0]] * 2


def crossings(t: np.ndarray, plane: np.ndarray) -> list[list[float]]:
    """Where the sides of t cross the plane of another triangle, rounded once."""
    x = [[Fraction(float(c)) for c in p] for p in t]
    o, u, v = ([Fraction(float(c)) for c in p] for p in plane)
    u, v = ([c - d for c, d in zip(p, o, strict=True)] for p in (u, v))
    n = [u[i - 2] * v[i - 1] - u[i - 1] * v[i - 2] for i in range(3)]
    d = [sum(m * (c - e) for m, c, e in zip(n, p, o, strict=True)) for p in x]
    return [
        [float((c * d[i] - e * d[i - 1]) / (d[i] - d[i - 1])) for c, e in zip(*side, strict=True)]
        for i, side in enumerate(zip([x[2], x[0], x[1]], x, strict=True))
        if d[i - 1] * d[i] < 0
    ]


def test_the_same_point_in_neighbouring_pairs() -> None:
    """Two sheets of tilted quads: every inner end of a segment occurs twice, bit for bit."""
    rng = np.random.default_rng(6)
    a, b = sheet(rng, 12), 0.9 * sheet(rng, 12)[..., [2, 0, 1]] + 0.017
    i, j = np.divmod(np.arange(len(a) * len(b)), len(b))
    kinds = _core.classify(a[i], b[j])
    hit = kinds != NONE
    assert set(np.unique(kinds)) == {NONE, CROSSING}
    segments, _, _ = _core.intersections(a[i][hit], b[j][hit], kinds[hit])
    swapped, _, _ = _core.intersections(
        b[j][hit][:, [2, 0, 1]], a[i][hit][:, [1, 0, 2]], kinds[hit]
    )
    _, uses = np.unique(segments.reshape(-1, 3), axis=0, return_counts=True)
    assert uses.max() == 2
    assert (uses == 1).sum() <= 4
    order = [as_set(s) == as_set(t) for s, t in zip(segments, swapped, strict=True)]
    assert all(order)


def sheet(rng: np.random.Generator, n: int) -> np.ndarray:
    """(2 n n, 3, 3) triangles of a rough height field over [-1, 1]^2."""
    x, y = np.meshgrid(np.linspace(-1, 1, n + 1), np.linspace(-1, 1, n + 1), indexing="ij")
    v = np.stack([x, y, 0.1 * rng.normal(size=x.shape)], axis=-1)
    p, q, r, s = v[:-1, :-1], v[1:, :-1], v[1:, 1:], v[:-1, 1:]
    faces = np.stack([np.stack([p, q, r], axis=2), np.stack([p, r, s], axis=2)])
    return np.ascontiguousarray(faces.reshape(-1, 3, 3))


grid = st.tuples(*[st.integers(-2, 2)] * 3)
triangle = st.tuples(grid, grid, grid)


@given(triangle, triangle)
def test_grid_triangles(a: object, b: object) -> None:
    """Ends are within both triangles and both boxes; the order of arguments does not matter."""
    p, q = np.array(a, dtype=float), np.array(b, dtype=float)
    kind, segment, outline = contact(p, q)
    back_kind, back, back_outline = contact(q[[1, 2, 0]], p[[2, 1, 0]])
    assert kind == back_kind
    if kind == NONE:
        return
    assert (kind == COPLANAR) == (len(outline) >= 3)
    if kind == COPLANAR:
        assert as_set(outline) == as_set(back_outline)
    else:
        assert as_set(segment) == as_set(back)
    assert (len(as_set(segment)) == 1) == (kind == POINT)
    low = np.maximum(p.min(axis=0), q.min(axis=0))
    high = np.minimum(p.max(axis=0), q.max(axis=0))
    for end in [*segment, *outline]:
        assert (low <= end).all()
        assert (end <= high).all()
        assert distance(p, end) < 1e-14
        assert distance(q, end) < 1e-14


@given(triangle, triangle, st.sampled_from([-1000, -300, 0, 330]))
def test_contacts_scale_exactly(a: object, b: object, exponent: int) -> None:
    p, q = np.array(a, dtype=float), np.array(b, dtype=float)
    unit = 2.0**exponent
    _, segment, outline = contact(p, q)
    _, scaled, scaled_outline = contact(p * unit, q * unit)
    assert np.array_equal(segment * unit, scaled, equal_nan=True)
    assert np.array_equal(outline * unit, scaled_outline)
