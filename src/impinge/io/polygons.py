"""Splits polygons, strips and fans into triangles."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from impinge import _core
from impinge.io.checks import Findings, Place

if TYPE_CHECKING:
    from impinge._types import Floats, Longs

# Larger outlines are no faces of a model; a file of one line must not take minutes.
MOST_CORNERS = 100_000


def triangulate(vertices: Floats, corners: Longs, sizes: Longs) -> tuple[Longs, Longs]:
    """Faces (t, 3) and the polygon of each face (t,), polygons in order.

    corners: vertex indices of all polygons, one after the other. sizes: (p,) corners of each, >= 3.
    Convex polygons become fans. Of the others a fan would cover ground outside and so invent
    collisions: ears are cut off them, with exact signs. A polygon that crosses itself, or has a
    corner that does not exist, becomes a fan all the same.
    """
    if (sizes == 3).all():
        return corners.reshape(-1, 3), np.arange(len(sizes))
    return _core.triangulate(vertices, corners, sizes), np.repeat(np.arange(len(sizes)), sizes - 2)


def check_corners(sizes: Longs, findings: Findings, place: Place) -> None:
    """An error if one of the (p,) polygons has too many corners; `place` tells where it is."""
    if len(sizes) and sizes.max() > MOST_CORNERS:
        first = int(np.argmax(sizes > MOST_CORNERS))
        findings.fail(
            f"a face has {sizes[first]:,} corners; the limit is {MOST_CORNERS:,}",
            place=place(first),
        )


def strip_triangles(strip: Longs) -> Longs:
    """(n - 2, 3) faces of a triangle strip, each wound like the first."""
    return split_strips(strip, np.array([len(strip)]))[0]


def split_strips(indices: Longs, sizes: Longs) -> tuple[Longs, Longs]:
    """Faces (t, 3) of triangle strips, each wound like the first of its strip, and their rows (t,).

    indices: of all rows, one after the other; an index -1 ends a strip. sizes: (n,) of each row.
    """
    at = np.arange(len(indices))
    begins = np.zeros(len(indices) + 1, dtype=bool)
    begins[np.cumsum(sizes) - sizes] = True
    ends = indices == -1
    begins[1:] |= ends
    first = np.maximum.accumulate(np.where(begins[:-1], at, 0))
    k = at[: max(len(indices) - 2, 0)]
    k = k[(first[k] == first[k + 2]) & ~ends[k + 2]]
    odd = (k - first[k]) % 2
    row = np.repeat(np.arange(len(sizes)), sizes)
    return indices[np.stack((k, k + 1 + odd, k + 2 - odd), axis=1)], row[k]


def fan_triangles(fan: Longs) -> Longs:
    """(n - 2, 3) faces of a triangle fan."""
    k = np.arange(max(len(fan) - 2, 0))
    return fan[np.stack((np.zeros_like(k), k + 1, k + 2), axis=1)]
