"""The distance of two triangles in rational arithmetic, and of two meshes by trying all pairs."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product

import numpy as np

from impinge import _core
from support import rational

Point = tuple[Fraction, Fraction, Fraction]


def _minus(p: Point, q: Point) -> Point:
    return (p[0] - q[0], p[1] - q[1], p[2] - q[2])


def _plus(p: Point, q: Point, factor: Fraction) -> Point:
    return (p[0] + factor * q[0], p[1] + factor * q[1], p[2] + factor * q[2])


def _dot(p: Point, q: Point) -> Fraction:
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2]


def _to_edge(p: Point, a: Point, b: Point) -> Fraction:
    along, w = _minus(b, a), _minus(p, a)
    length = _dot(along, along)
    t = min(max(_dot(w, along) / length, Fraction(0)), Fraction(1)) if length else Fraction(0)
    r = _plus(w, along, -t)
    return _dot(r, r)


def _solve(
    a: Fraction, b: Fraction, c: Fraction, p: Fraction, q: Fraction
) -> tuple[Fraction, Fraction] | None:
    """s, t with a s + b t = p and b s + c t = q."""
    det = a * c - b * b
    return ((c * p - b * q) / det, (a * q - b * p) / det) if det else None


def _to_inside(p: Point, t: list[Point]) -> Fraction | None:
    u, v, w = _minus(t[1], t[0]), _minus(t[2], t[0]), _minus(p, t[0])
    solved = _solve(_dot(u, u), _dot(u, v), _dot(v, v), _dot(u, w), _dot(v, w))
    if solved is None or solved[0] < 0 or solved[1] < 0 or sum(solved) > 1:
        return None
    r = _plus(_plus(w, u, -solved[0]), v, -solved[1])
    return _dot(r, r)


def _edges(a: Point, b: Point, c: Point, d: Point) -> Fraction | None:
    u, v, w = _minus(b, a), _minus(d, c), _minus(c, a)
    solved = _solve(_dot(u, u), -_dot(u, v), _dot(v, v), _dot(u, w), -_dot(v, w))
    if solved is None or not all(0 <= x <= 1 for x in solved):
        return None
    r = _plus(_plus(w, u, -solved[0]), v, solved[1])
    return _dot(r, r)


def squared(a: np.ndarray, b: np.ndarray) -> Fraction:
    """The exact squared distance of two (3, 3) triangles."""
    if rational.kind(a, b) != rational.NONE:
        return Fraction(0)
    p, q = ([tuple(Fraction(float(x)) for x in row) for row in t] for t in (a, b))
    sides = ((0, 1), (1, 2), (2, 0))
    found: list[Fraction | None] = []
    for s, t in ((p, q), (q, p)):
        found += [_to_inside(x, t) for x in s]
        found += [_to_edge(x, t[i], t[j]) for x in s for i, j in sides]
    found += [_edges(p[i], p[j], q[k], q[m]) for (i, j), (k, m) in product(sides, sides)]
    return min(x for x in found if x is not None)


def root(x: Fraction) -> float:
    with localcontext() as context:
        context.prec = 60
        return float((Decimal(x.numerator) / Decimal(x.denominator)).sqrt())


def triangle_distance(a: np.ndarray, b: np.ndarray) -> float:
    return root(squared(a, b))


def to_triangle(p: np.ndarray, t: np.ndarray) -> float:
    """Distance of a point to a triangle."""
    return triangle_distance(np.array([p, p, p]), t)


def mesh_distance(
    a: tuple[np.ndarray, np.ndarray], b: tuple[np.ndarray, np.ndarray]
) -> tuple[float, tuple[int, int]]:
    """The smallest (distance, face of a, face of b) of all pairs, by the kernel itself."""
    first, second = a[0][a[1]], b[0][b[1]]
    m, n = len(first), len(second)
    values, _ = _core.triangle_distances(
        np.repeat(first, n, axis=0), np.ascontiguousarray(np.tile(second, (m, 1, 1)))
    )
    at = int(np.argmin(values))
    return float(values[at]), (at // n, at % n)
