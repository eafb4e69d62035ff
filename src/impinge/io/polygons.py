"""Splits polygons into triangles: fans for convex ones, ear clipping for the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from impinge._types import Bools, Floats, Longs


def triangulate(vertices: Floats, corners: Longs, sizes: Longs) -> tuple[Longs, Longs]:
    """Faces (t, 3) and the polygon of each face (t,), polygons in order.

    corners: vertex indices of all polygons, one after the other. sizes: (p,) corners of each, >= 3.
    A fan would cover ground outside of a non-convex polygon and so invent collisions.
    """
    if (sizes == 3).all():
        return corners.reshape(-1, 3), np.arange(len(sizes))
    first = np.cumsum(sizes) - sizes
    polygon = np.repeat(np.arange(len(sizes)), sizes - 2)
    first_face = np.cumsum(sizes - 2) - (sizes - 2)
    step = np.arange(len(polygon)) - first_face[polygon] + 1
    base = first[polygon]
    faces = corners[np.stack((base, base + step, base + step + 1), axis=1)]
    for p in np.flatnonzero(_concave(vertices, corners, sizes, first)):
        outline = corners[first[p] : first[p] + sizes[p]]
        ears = clip_ears(vertices[outline])
        faces[first_face[p] : first_face[p] + sizes[p] - 2] = outline[ears]
    return faces, polygon


def _concave(vertices: Floats, corners: Longs, sizes: Longs, first: Longs) -> Bools:
    """(p,) which polygons turn against their own normal somewhere."""
    owner = np.repeat(np.arange(len(sizes)), sizes)
    nowhere = (corners < 0) | (corners >= len(vertices))
    if not len(vertices):
        return np.zeros(len(sizes), dtype=bool)
    with np.errstate(invalid="ignore", over="ignore"):
        points = vertices[np.where(nowhere, 0, corners)]
        slot = np.arange(len(corners)) - first[owner]
        following = first[owner] + (slot + 1) % sizes[owner]
        previous = first[owner] + (slot - 1) % sizes[owner]
        spokes = points - points[first[owner]]
        normal = np.add.reduceat(np.cross(spokes, spokes[following]), first, axis=0)
        turn = np.cross(points - points[previous], points[following] - points)
        against = np.einsum("ij,ij->i", turn, normal[owner])
        scale = np.einsum("ij,ij->i", normal, normal)[owner]
    # Rounding of a straight corner is not a turn.
    bent = (against < -1e-12 * scale) & (sizes[owner] > 3) & ~nowhere
    usable = ~np.logical_or.reduceat(nowhere, first)
    return np.logical_or.reduceat(bent, first) & usable


def clip_ears(points: Floats) -> Longs:
    """(n - 2, 3) triangles of one polygon with (n, 3) points; a fan when it crosses itself."""
    n = len(points)
    normal = np.cross(points - points[0], np.roll(points, -1, axis=0) - points[0]).sum(axis=0)
    drop = int(np.argmax(np.abs(normal)))
    flat = np.delete(points, drop, axis=1)
    if (normal[drop] < 0) != (drop == 1):
        flat = flat[:, ::-1]
    left = list(range(n))
    ears = []
    while len(left) > 3:
        i = _find_ear(flat, left)
        if i is None:
            return fan_triangles(np.arange(n))
        ears.append((left[i - 1], left[i], left[(i + 1) % len(left)]))
        del left[i]
    return np.array([*ears, tuple(left)])


def _find_ear(flat: Floats, left: list[int]) -> int | None:
    """Where in `left` a corner can be cut off; a straight one only when no other can."""
    straight = None
    for i in range(len(left)):
        ear = (left[i - 1], left[i], left[(i + 1) % len(left)])
        corner = flat[list(ear)]
        turn = _turn(corner[0], corner[1], corner[2])
        if turn > 0 and _is_empty(corner, flat[[j for j in left if j not in ear]]):
            return i
        if turn == 0 and straight is None:
            straight = i
    return straight


def _is_empty(corner: Floats, others: Floats) -> bool:
    """Whether none of the (k, 2) others lies in the triangle of the (3, 2) corner."""
    inside = np.ones(len(others), dtype=bool)
    for k in range(3):
        inside &= _turn(corner[k], corner[(k + 1) % 3], others) >= 0
    # A point repeated on the outline (a bridge to a hole) does not block its own corner.
    inside &= ~(others[:, None] == corner[None]).all(axis=2).any(axis=1)
    return not inside.any()


def _turn(a: Floats, b: Floats, c: Floats) -> Floats:
    """Twice the signed area of a, b, c; positive when they turn left."""
    turn: Floats = (b[0] - a[0]) * (c[..., 1] - a[1]) - (b[1] - a[1]) * (c[..., 0] - a[0])
    return turn


def strip_triangles(strip: Longs) -> Longs:
    """(n - 2, 3) faces of a triangle strip, each wound like the first."""
    k = np.arange(max(len(strip) - 2, 0))
    odd = k % 2
    return strip[np.stack((k, k + 1 + odd, k + 2 - odd), axis=1)]


def fan_triangles(fan: Longs) -> Longs:
    """(n - 2, 3) faces of a triangle fan."""
    k = np.arange(max(len(fan) - 2, 0))
    return fan[np.stack((np.zeros_like(k), k + 1, k + 2), axis=1)]
