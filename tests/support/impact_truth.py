"""When moving features meet, in rational arithmetic; shares no code and no method with the core.

Whether they meet at a time is asked of their distance, which is that of the closest features, all
in fractions. The times worth asking about are the roots of the volume of the four points, or, where
that vanishes throughout, of all areas and differences of coordinates. Roots are enclosed by the
signs of a polynomial between those of its derivative, to 2**-BITS: for the coordinates of the tests
what is not zero at a root is larger than that lets it seem.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise, product

BITS = 200
NOTHING = Fraction(1, 1 << 150)

Point = tuple[Fraction, Fraction, Fraction]
Polynomial = list[Fraction]


def sub(p: Sequence[Fraction], q: Sequence[Fraction]) -> Point:
    return (p[0] - q[0], p[1] - q[1], p[2] - q[2])


def dot(p: Sequence[Fraction], q: Sequence[Fraction]) -> Fraction:
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2]


def cross(p: Sequence[Fraction], q: Sequence[Fraction]) -> Point:
    return (
        p[1] * q[2] - p[2] * q[1],
        p[2] * q[0] - p[0] * q[2],
        p[0] * q[1] - p[1] * q[0],
    )


def along(p: Point, s: Fraction, d: Point) -> Point:
    return (p[0] + s * d[0], p[1] + s * d[1], p[2] + s * d[2])


def to_edge(p: Point, a: Point, b: Point) -> Fraction:
    """Squared distance."""
    d = sub(b, a)
    length = dot(d, d)
    s = min(max(dot(sub(p, a), d) / length, Fraction(0)), Fraction(1)) if length else Fraction(0)
    r = sub(p, along(a, s, d))
    return dot(r, r)


def vertex_face_squared(v: Point, a: Point, b: Point, c: Point) -> Fraction:
    best = min(to_edge(v, a, b), to_edge(v, b, c), to_edge(v, c, a))
    n = cross(sub(b, a), sub(c, a))
    area = dot(n, n)
    if area:
        foot = along(v, -dot(sub(v, a), n) / area, n)
        sides = [dot(cross(sub(q, p), sub(foot, p)), n) for p, q in ((a, b), (b, c), (c, a))]
        if min(sides) >= 0:
            h = dot(sub(v, a), n)
            best = min(best, h * h / area)
    return best


def edge_edge_squared(a: Point, b: Point, c: Point, d: Point) -> Fraction:
    best = min(to_edge(a, c, d), to_edge(b, c, d), to_edge(c, a, b), to_edge(d, a, b))
    u, v, w = sub(b, a), sub(d, c), sub(c, a)
    n = cross(u, v)
    area = dot(n, n)
    if area:
        s, t = dot(cross(w, v), n) / area, dot(cross(w, u), n) / area
        if 0 <= s <= 1 and 0 <= t <= 1:
            h = dot(w, n)
            best = min(best, h * h / area)
    return best


class Motion:
    """Four points that move: start and end (4, 3); a vertex and a face, or two edges."""

    def __init__(self, start: Sequence[Sequence[float]], end: Sequence[Sequence[float]]) -> None:
        self.start = [tuple(map(Fraction, map(float, p))) for p in start]
        self.end = [tuple(map(Fraction, map(float, p))) for p in end]

    def at(self, t: Fraction) -> list[Point]:
        pairs = zip(self.start, self.end, strict=True)
        return [tuple(a + t * (b - a) for a, b in zip(p, q, strict=True)) for p, q in pairs]  # type: ignore[misc]

    def squared(self, t: Fraction, *, edges: bool) -> Fraction:
        """Squared distance of the features at a time."""
        return (edge_edge_squared if edges else vertex_face_squared)(*self.at(t))

    def first_meeting(self, *, edges: bool) -> Fraction | None:
        """The first time from 0 to 1 at which they meet, to 2**-BITS; None if never."""
        times = sorted({Fraction(0), Fraction(1), *self._times()})
        return next((t for t in times if self.squared(t, edges=edges) <= NOTHING), None)

    def _times(self) -> Iterator[Fraction]:
        def volume(t: Fraction) -> Fraction:
            a, b, c, d = self.at(t)
            return dot(cross(sub(b, a), sub(c, a)), sub(d, a))

        whole = through([volume(Fraction(i, 3)) for i in range(4)])
        if any(whole):
            yield from roots(whole)
            return
        for k, (i, j) in product(range(3), ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))):
            yield from roots(
                through([self.at(Fraction(t))[i][k] - self.at(Fraction(t))[j][k] for t in (0, 1)])
            )
        for k, (i, j, m) in product(range(3), ((0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3))):

            def area(t: Fraction, i: int = i, j: int = j, m: int = m, k: int = k) -> Fraction:
                p = self.at(t)
                return cross(sub(p[j], p[i]), sub(p[m], p[i]))[k]

            yield from roots(through([area(Fraction(t, 2)) for t in range(3)]))

        def parallel(t: Fraction) -> Point:
            a, b, c, d = self.at(t)
            return cross(sub(b, a), sub(d, c))

        for k in range(3):
            yield from roots(through([parallel(Fraction(t, 2))[k] for t in range(3)]))


def through(values: Sequence[Fraction]) -> Polynomial:
    """The polynomial with these values at even times from 0 to 1, lowest power first."""
    n = len(values) - 1
    result = [Fraction(0)] * (n + 1)
    for i, value in enumerate(values):
        term = [value]
        for j in range(n + 1):
            if j == i:
                continue
            # times (t - j/n) / (i/n - j/n)
            scale = Fraction(n, i - j)
            low = [-Fraction(j, n) * scale * x for x in term] + [Fraction(0)]
            high = [Fraction(0)] + [scale * x for x in term]
            term = [x + y for x, y in zip(low, high, strict=True)]
        result = [x + y for x, y in zip(result, term, strict=True)]
    return result


def value(p: Polynomial, t: Fraction) -> Fraction:
    total = Fraction(0)
    for term in reversed(p):
        total = total * t + term
    return total


def roots(p: Polynomial) -> list[Fraction]:
    """Those from 0 to 1, of a polynomial that is not zero throughout; to 2**-BITS."""
    while p and not p[-1]:
        p = p[:-1]
    if len(p) < 2:
        return []
    turns = roots([i * term for i, term in enumerate(p)][1:])
    marks = sorted({Fraction(0), Fraction(1), *turns})
    # a double root is where it turns, and need not change the sign
    found = [t for t in marks if abs(value(p, t)) <= NOTHING]
    for low, high in pairwise(marks):
        below = value(p, low) > 0
        if low in found or high in found or below == (value(p, high) > 0):
            continue
        a, b = low, high
        for _ in range(BITS):
            middle = (a + b) / 2
            middle = Fraction(round(middle * (1 << BITS + 8)), 1 << BITS + 8)
            if (value(p, middle) > 0) == below:
                a = middle
            else:
                b = middle
        found.append(b)
    return found
