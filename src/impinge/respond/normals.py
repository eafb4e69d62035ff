"""Unit normals of triangles."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from impinge._types import Floats

# each component of the cross product passes four roundings of two products: 8 units of 2^-53 of
# the lengths of the edges, and about 14 in all three
_AREA_ERROR = 16.0 * 2.0**-53


def unit_normals(corners: Floats) -> Floats:
    """Unit normals of triangles.

    Parameters
    ----------
    corners : (n, 3, 3) ndarray of float64
        The corners of each triangle.

    Returns
    -------
    (n, 3) ndarray of float64
        Zero where the area is zero up to rounding.

    Examples
    --------
    >>> import numpy as np
    >>> from impinge.respond import unit_normals
    >>> unit_normals(np.array([[(0.0, 0.0, 0.0), (2.0, 0.0, 0.0), (0.0, 2.0, 0.0)]])).tolist()
    [[0.0, 0.0, 1.0]]
    """
    edges = corners[:, 1:] - corners[:, :1]
    # scaled to one, since squares of coordinates could overflow or vanish
    size = np.abs(edges).max(axis=(1, 2), initial=0.0)
    p, q = np.moveaxis(edges / np.where(size > 0.0, size, 1.0)[:, None, None], 1, 0)
    normals = np.cross(p, q)
    length = np.linalg.norm(normals, axis=1)
    bound = _AREA_ERROR * np.linalg.norm(p, axis=1) * np.linalg.norm(q, axis=1)
    flat = length <= bound
    normals[flat] = 0.0
    return np.asarray(normals / np.where(flat, 1.0, length)[:, None])
