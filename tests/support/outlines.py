"""Outlines of polygons in the plane, all with whole numbers as coordinates."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

Point = tuple[int, int]
Outline = list[Point]


def turn(a: Point, b: Point, c: Point) -> int:
    """Twice the area of a, b, c, exact; positive when they turn left."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def twice_area(outline: Sequence[Point]) -> int:
    return sum(turn((0, 0), a, b) for a, b in zip(outline, [*outline[1:], outline[0]], strict=True))


def in_space(outline: Sequence[Point], axis: int = 2) -> np.ndarray:
    """(n, 3) in the plane across an axis; turns left when seen from its end."""
    flat = np.array(outline, dtype=float)
    result = np.zeros((len(flat), 3))
    result[:, (axis + 1) % 3], result[:, (axis + 2) % 3] = flat.T
    return result


def untangled(rng: np.random.Generator, count: int, size: int) -> Outline:
    """Random points, their order turned around between two sides that meet until none do."""
    while True:
        numbers = rng.choice(size * size, min(count, size * size // 2), replace=False)
        points = [(int(k % size), int(k // size)) for k in numbers]
        # sides on one line may go round and round
        for _ in range(20 * count):
            found = _meeting_sides(points)
            if found is None:
                return points
            i, j = found
            points[i + 1 : j + 1] = points[i + 1 : j + 1][::-1]


def _meeting_sides(points: Outline) -> tuple[int, int] | None:
    n = len(points)
    for i in range(n):
        for j in range(i + 1, n):
            sides = points[i], points[(i + 1) % n], points[j], points[(j + 1) % n]
            if _meet(*sides):
                return i, j
    return None


def _meet(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether two sides have a point in common, other than a corner between them."""
    if b == c or a == d:
        first, middle, last = (a, b, d) if b == c else (b, a, c)
        back = (first[0] - middle[0]) * (last[0] - middle[0]) + (first[1] - middle[1]) * (
            last[1] - middle[1]
        )
        return turn(first, middle, last) == 0 and back > 0
    if any(min(a[k], b[k]) > max(c[k], d[k]) or min(c[k], d[k]) > max(a[k], b[k]) for k in (0, 1)):
        return False
    ours, theirs = turn(a, b, c) * turn(a, b, d), turn(c, d, a) * turn(c, d, b)
    return ours <= 0 and theirs <= 0


def slit(rng: np.random.Generator, size: int, count: int, *, drop: float = 0.0) -> Outline:
    """Triangles of a grid, each glued to one side of those before; where they come together again
    the outline touches itself, along sides or in corners, as at bridges to holes. Some of the
    corners without a turn are dropped, so that others touch the middle of a side."""
    faces = [
        corners
        for x in range(size)
        for y in range(size)
        for corners in _halves(x, y, bool(rng.integers(2)))
    ]
    at_side = {(f[k], f[(k + 1) % 3]): f for f in faces for k in range(3)}
    first = faces[int(rng.integers(len(faces)))]
    ring, used = list(first), {first}
    for _ in range(20 * count):
        i = int(rng.integers(len(ring)))
        a, b = ring[i], ring[(i + 1) % len(ring)]
        face = at_side.get((b, a))
        if face is None or face in used or len(used) == count:
            continue
        used.add(face)
        ring.insert(i + 1, next(corner for corner in face if corner not in (a, b)))
    return _without_some(ring, rng, drop)


def _halves(x: int, y: int, other: bool) -> list[tuple[Point, Point, Point]]:
    a, b, c, d = (x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)
    return [(a, b, d), (b, c, d)] if other else [(a, b, c), (a, c, d)]


def _without_some(ring: Outline, rng: np.random.Generator, share: float) -> Outline:
    kept: Outline = []
    for i, corner in enumerate(ring):
        before, after = kept[-1] if kept else ring[-1], ring[(i + 1) % len(ring)]
        between = min(before, after) < corner < max(before, after)
        if not (turn(before, corner, after) == 0 and between and rng.random() < share):
            kept.append(corner)
    return kept


def star(count: int, *, inner: int = 300_000) -> Outline:
    """A star with `count` corners, every other one near its middle."""
    radius = np.where(np.arange(count) % 2, 1_000_000, inner)
    return _polar(radius, np.linspace(0, 2 * np.pi, count, endpoint=False))


def wild_star(rng: np.random.Generator, count: int) -> Outline:
    """Spikes of any length."""
    radius = rng.uniform(1e7, 1e9, count)
    return _polar(radius, np.linspace(0, 2 * np.pi, count, endpoint=False))


def _polar(radius: np.ndarray, angle: np.ndarray) -> Outline:
    return _points(radius * np.cos(angle), radius * np.sin(angle))


def _points(x: np.ndarray, y: np.ndarray) -> Outline:
    return [(int(a), int(b)) for a, b in zip(np.round(x), np.round(y), strict=True)]


def spiral(count: int) -> Outline:
    """A corridor that winds around its end, with ever more turns."""
    angle = np.linspace(1, 1 + np.pi * np.sqrt(count) / 4, count // 2)
    outer, inner = _polar(1e6 * (angle + 2.5), angle), _polar(1e6 * angle, angle)
    return outer + inner[::-1]


def comb(count: int) -> Outline:
    """Teeth upwards from a bar, their roots on one line."""
    teeth = range(count // 4, 0, -1)
    tips = [p for k in teeth for p in ((2 * k, 2), (2 * k - 1, 2), (2 * k - 1, 1), (2 * k - 2, 1))]
    return [(0, 0), (count // 4 * 2, 0), *tips]


def saw(count: int) -> Outline:
    """Small teeth along a side that runs aslant, so that boxes along the axes are of no help."""
    k = np.arange(count - 2, 0, -1)
    return [(0, -(10**7)), (30 * count, 17 * count - 10**7), *_points(30 * k, 17 * k + k % 2 * 5)]


def needle(count: int) -> Outline:
    """A thin wedge under a hollow curve, aslant: all triangles run along it."""
    x = np.linspace(1.0, 0.1, count - 2)
    along, across = np.array([9.2, 3.9]) * 1e14, np.array([-3.9, 9.2]) * 1e10
    curve = x[:, None] * along + (x * x)[:, None] * across
    return [(0, 0), *_points(*along[:, None]), *_points(*curve.T)]


def notched(count: int) -> Outline:
    """A square without a quarter, with corners all along its sides."""
    k = max(count // 8, 1)
    sides = [(1, 0), (1, 0), (0, 1), (-1, 0), (0, 1), (-1, 0), (0, -1), (0, -1)]
    corner, result = (0, 0), []
    for x, y in sides:
        result += [(corner[0] + x * i, corner[1] + y * i) for i in range(k)]
        corner = (corner[0] + x * k, corner[1] + y * k)
    return result


def repeated(outline: Outline) -> Outline:
    """Every corner twice."""
    return [corner for corner in outline for _ in range(2)]


def tangled(rng: np.random.Generator, count: int) -> Outline:
    """Random points in a random order, which cross themselves all over."""
    return _points(*rng.uniform(-1e6, 1e6, (2, count)))


def curl(count: int) -> Outline:
    """A smooth curve that crosses itself often."""
    angle = np.linspace(0, 2 * np.pi, count, endpoint=False)
    return _points(1e8 * np.sin(31 * angle), 1e8 * np.cos(47 * angle))
