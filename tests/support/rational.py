"""The truth in rational arithmetic: D = T1 ∩ T2 as a convex set, with its dimension and vertices.

Independent of the native predicates on purpose: a triangle is the list of its extreme points,
clipped by the half-spaces whose intersection is the other triangle. Coordinates are Python
integers (doubles are dyadic, one power of two scales a whole mesh), points are homogeneous
(x, y, z, w) with w > 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import gcd

import numpy as np

NONE, CROSSING, POINT, SEGMENT, COPLANAR = range(5)
KIND_NAMES = ("NONE", "CROSSING", "POINT", "SEGMENT", "COPLANAR")

Vector = tuple[int, int, int]
Homogeneous = tuple[int, int, int, int]
HalfSpace = tuple[int, int, int, int]  # (n, c): the points with n·x - c w >= 0


def _sub(p: Vector, q: Vector) -> Vector:
    return (p[0] - q[0], p[1] - q[1], p[2] - q[2])


def _dot(p: Vector, q: Vector) -> int:
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2]


def _cross(p: Vector, q: Vector) -> Vector:
    return (
        p[1] * q[2] - p[2] * q[1],
        p[2] * q[0] - p[0] * q[2],
        p[0] * q[1] - p[1] * q[0],
    )


def _half_space(normal: Vector, through: Vector) -> HalfSpace:
    return (*normal, _dot(normal, through))


def _both_sides(h: HalfSpace) -> list[HalfSpace]:
    return [h, (-h[0], -h[1], -h[2], -h[3])]


def extreme_points(triangle: Sequence[Vector]) -> list[Vector]:
    """The 1, 2 or 3 extreme points of the hull of three points."""
    distinct = list(dict.fromkeys(triangle))
    if len(distinct) < 3:
        return distinct
    a, b, c = distinct
    if any(_cross(_sub(b, a), _sub(c, a))):
        return distinct
    # Points on one line are ordered like their coordinates, compared lexicographically.
    return [min(distinct), max(distinct)]


def half_spaces(corners: Sequence[Vector]) -> list[HalfSpace]:
    """Half-spaces whose intersection is the hull of 1, 2 or 3 extreme points."""
    a = corners[0]
    axes: tuple[Vector, ...] = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    if len(corners) == 1:
        return [h for axis in axes for h in _both_sides(_half_space(axis, a))]
    if len(corners) == 2:
        b = corners[1]
        d = _sub(b, a)
        normals = [n for n in (_cross(d, axis) for axis in axes) if any(n)]
        spaces = [h for n in normals for h in _both_sides(_half_space(n, a))]
        back: Vector = (-d[0], -d[1], -d[2])
        return [*spaces, _half_space(d, a), _half_space(back, b)]
    normal = _cross(_sub(corners[1], a), _sub(corners[2], a))
    spaces = _both_sides(_half_space(normal, a))
    for i in range(3):
        p, q = corners[i], corners[(i + 1) % 3]
        spaces.append(_half_space(_cross(normal, _sub(q, p)), p))
    return spaces


def _reduced(p: Sequence[int]) -> Homogeneous:
    g = gcd(p[0], p[1], p[2], p[3])
    return (p[0] // g, p[1] // g, p[2] // g, p[3] // g)


def clip(polygon: list[Homogeneous], h: HalfSpace) -> list[Homogeneous]:
    """The part of a convex vertex cycle inside a half-space; extreme points stay extreme."""
    value = [h[0] * p[0] + h[1] * p[1] + h[2] * p[2] - h[3] * p[3] for p in polygon]
    if min(value) >= 0:
        return polygon
    if max(value) < 0:
        return []
    kept: dict[Homogeneous, None] = {}
    for i, p in enumerate(polygon):
        s = value[i]
        if s >= 0:
            kept[p] = None
        j = (i + 1) % len(polygon)
        q, t = polygon[j], value[j]
        if (s > 0 > t) or (s < 0 < t):
            s, t = abs(s), abs(t)
            kept[_reduced([s * v + t * u for u, v in zip(p, q, strict=True)])] = None
    return list(kept)


def meet(t1: Sequence[Vector], t2: Sequence[Vector]) -> list[Homogeneous]:
    """Extreme points of T1 ∩ T2 for integer triangles, as a cycle; empty when they do not meet."""
    polygon: list[Homogeneous] = [(*p, 1) for p in extreme_points(t1)]
    for h in half_spaces(extreme_points(t2)):
        polygon = clip(polygon, h)
        if not polygon:
            break
    return polygon


def _straddles(t1: Sequence[Vector], t2: Sequence[Vector]) -> bool:
    """Has T1 vertices strictly on both sides of T2's plane? A zero-area T2 has no plane."""
    a, b, c = t2
    normal = _cross(_sub(b, a), _sub(c, a))
    if not any(normal):
        return False
    sides = [_dot(normal, _sub(p, a)) for p in t1]
    return min(sides) < 0 < max(sides)


def _kind_of(region: list[Homogeneous], t1: Sequence[Vector], t2: Sequence[Vector]) -> int:
    if len(region) < 2:
        return POINT if region else NONE
    if len(region) > 2:
        return COPLANAR
    crossing = _straddles(t1, t2) and _straddles(t2, t1)
    return CROSSING if crossing else SEGMENT


def _in_hull_of_two(p: Homogeneous, a: Vector, b: Vector) -> bool:
    w = p[3]
    offset = (p[0] - w * a[0], p[1] - w * a[1], p[2] - w * a[2])
    d = _sub(b, a)
    return not any(_cross(offset, d)) and 0 <= _dot(offset, d) <= w * _dot(d, d)


def kind_of_integers(t1: Sequence[Vector], t2: Sequence[Vector]) -> int:
    """Kind of a pair of triangles of different bodies."""
    return _kind_of(meet(t1, t2), t1, t2)


def self_kind_of_integers(
    t1: Sequence[Vector], t2: Sequence[Vector], *, report_duplicates: bool = False
) -> int:
    """Kind of a pair of one body; NONE unless D reaches beyond the hull of the shared points."""
    shared = set(t1) & set(t2)
    region = meet(t1, t2)
    if shared == set(t1) == set(t2):
        return _kind_of(region, t1, t2) if report_duplicates else NONE
    if len(shared) == 2:
        a, b = shared
        beyond = any(not _in_hull_of_two(p, a, b) for p in region)
    elif len(shared) == 1:
        beyond = any(p != (*next(iter(shared)), 1) for p in region)
    else:
        beyond = bool(region)
    return _kind_of(region, t1, t2) if beyond else NONE


def to_integers(*arrays: np.ndarray) -> tuple[list[list[Vector]], int]:
    """Points of several (n, 3) float64 arrays times 2**shift, and that shift."""
    ratios = [[float(x).as_integer_ratio() for x in np.ravel(array)] for array in arrays]
    shift = max((d.bit_length() - 1 for row in ratios for _, d in row), default=0)
    scaled: list[list[Vector]] = []
    for row in ratios:
        flat = [n << (shift - d.bit_length() + 1) for n, d in row]
        scaled.append(list(zip(flat[0::3], flat[1::3], flat[2::3], strict=True)))
    return scaled, shift


def _pair(a: np.ndarray, b: np.ndarray) -> tuple[list[Vector], list[Vector], int]:
    (t1, t2), shift = to_integers(np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64))
    return t1, t2, shift


def kind(a: np.ndarray, b: np.ndarray) -> int:
    """Kind of two (3, 3) float64 triangles of different bodies."""
    t1, t2, _ = _pair(a, b)
    return kind_of_integers(t1, t2)


def self_kind(a: np.ndarray, b: np.ndarray, *, report_duplicates: bool = False) -> int:
    """Kind of two (3, 3) float64 triangles of one body; NONE when not reported."""
    t1, t2, _ = _pair(a, b)
    return self_kind_of_integers(t1, t2, report_duplicates=report_duplicates)


def intersection(a: np.ndarray, b: np.ndarray) -> list[tuple[Fraction, Fraction, Fraction]]:
    """Exact extreme points of T1 ∩ T2, in the coordinates of the input, as a cycle."""
    t1, t2, shift = _pair(a, b)
    unit = Fraction(1, 1 << shift)
    return [
        (Fraction(p[0], p[3]) * unit, Fraction(p[1], p[3]) * unit, Fraction(p[2], p[3]) * unit)
        for p in meet(t1, t2)
    ]


def kinds(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """(n,) uint8 kinds of (n, 3, 3) triangle pairs of different bodies."""
    return np.array([kind(s, t) for s, t in zip(a, b, strict=True)], dtype=np.uint8)


def self_kinds(a: np.ndarray, b: np.ndarray, *, report_duplicates: bool = False) -> np.ndarray:
    """(n,) uint8 kinds of (n, 3, 3) triangle pairs of one body."""
    found = [
        self_kind(s, t, report_duplicates=report_duplicates) for s, t in zip(a, b, strict=True)
    ]
    return np.array(found, dtype=np.uint8)


def _boxes(vertices: np.ndarray, faces: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    corners = vertices[faces]
    return corners.min(axis=1), corners.max(axis=1)


def _candidates(
    boxes_a: tuple[np.ndarray, np.ndarray], boxes_b: tuple[np.ndarray, np.ndarray]
) -> Iterator[tuple[int, int]]:
    low_b, high_b = boxes_b
    for i, (low, high) in enumerate(zip(*boxes_a, strict=True)):
        overlap = np.all((low <= high_b) & (low_b <= high), axis=1)
        for j in np.flatnonzero(overlap):
            yield i, int(j)


def _collect(found: Iterable[tuple[int, int, int]], touching: str) -> tuple[np.ndarray, np.ndarray]:
    wanted = [(i, j, k) for i, j, k in found if k and (touching == "include" or k == CROSSING)]
    table = np.array(sorted(wanted), dtype=np.int64).reshape(-1, 3)
    return table[:, :2].astype(np.int32), table[:, 2].astype(np.uint8)


def pairs(
    vertices_a: np.ndarray,
    faces_a: np.ndarray,
    vertices_b: np.ndarray,
    faces_b: np.ndarray,
    *,
    touching: str = "include",
) -> tuple[np.ndarray, np.ndarray]:
    """All meeting face pairs of two meshes: sorted (n, 2) int32 and their (n,) uint8 kinds."""
    va, fa = np.asarray(vertices_a, dtype=np.float64).reshape(-1, 3), np.asarray(faces_a)
    vb, fb = np.asarray(vertices_b, dtype=np.float64).reshape(-1, 3), np.asarray(faces_b)
    if len(fa) == 0 or len(fb) == 0:
        return _collect([], touching)
    (points_a, points_b), _ = to_integers(va, vb)
    triangles_a = [[points_a[v] for v in face] for face in fa]
    triangles_b = [[points_b[v] for v in face] for face in fb]
    found = (
        (i, j, kind_of_integers(triangles_a[i], triangles_b[j]))
        for i, j in _candidates(_boxes(va, fa), _boxes(vb, fb))
    )
    return _collect(found, touching)


def self_pairs(
    vertices: np.ndarray,
    faces: np.ndarray,
    *,
    touching: str = "include",
    report_duplicates: bool = False,
) -> tuple[np.ndarray, np.ndarray]:
    """All reported face pairs i < j of one mesh: sorted (n, 2) int32 and their (n,) uint8 kinds."""
    v, f = np.asarray(vertices, dtype=np.float64).reshape(-1, 3), np.asarray(faces)
    if len(f) == 0:
        return _collect([], touching)
    (points,), _ = to_integers(v)
    triangles = [[points[i] for i in face] for face in f]
    boxes = _boxes(v, f)
    found = (
        (
            i,
            j,
            self_kind_of_integers(triangles[i], triangles[j], report_duplicates=report_duplicates),
        )
        for i, j in _candidates(boxes, boxes)
        if i < j
    )
    return _collect(found, touching)
