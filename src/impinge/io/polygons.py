"""Splits polygons, strips and fans into triangles."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from impinge import _core

if TYPE_CHECKING:
    from impinge._types import Floats, Longs


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


def strip_triangles(strip: Longs) -> Longs:
    """(n - 2, 3) faces of a triangle strip, each wound like the first."""
    k = np.arange(max(len(strip) - 2, 0))
    odd = k % 2
    return strip[np.stack((k, k + 1 + odd, k + 2 - odd), axis=1)]


def fan_triangles(fan: Longs) -> Longs:
    """(n - 2, 3) faces of a triangle fan."""
    k = np.arange(max(len(fan) - 2, 0))
    return fan[np.stack((np.zeros_like(k), k + 1, k + 2), axis=1)]
