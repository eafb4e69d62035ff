"""What the chip leaves to software in the closed test: edges within the plane of the triangle."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from impinge._types import Bools, Singles


def clipped(p: Singles, q: Singles) -> Bools:
    """Edges from p to q (2, lanes) against x >= 0, y >= 0, x + y <= 1."""
    low, high = np.zeros(p.shape[1]), np.ones(p.shape[1])
    for at_p, at_q in zip(_inside(p), _inside(q), strict=True):
        enters, leaves = (at_p < 0) & (at_q >= 0), (at_p >= 0) & (at_q < 0)
        where = at_p / np.where(enters | leaves, at_p - at_q, 1)
        low = np.where(enters, np.maximum(low, where), low)
        high = np.where(leaves, np.minimum(high, where), high)
        high = np.where((at_p < 0) & (at_q < 0), -1, high)
    return low <= high


def around_origin(corners: Singles) -> Bools:
    """Triangles (3, 2, lanes) with the origin in them, and perhaps all of the unit triangle."""
    turns = np.stack(
        [
            corners[v, 0] * corners[(v + 1) % 3, 1] - corners[v, 1] * corners[(v + 1) % 3, 0]
            for v in range(3)
        ]
    )
    same_way: Bools = np.all(turns >= 0, axis=0) | np.all(turns <= 0, axis=0)
    found: Bools = same_way & np.any(turns, axis=0)
    return found


def _inside(point: Singles) -> tuple[Singles, Singles, Singles]:
    return point[0], point[1], 1 - point[0] - point[1]
