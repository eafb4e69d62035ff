"""Where triangles are closest to points, as weights of their corners."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from impinge._types import Floats

# squares of numbers of so many binary places are still numbers
_ROOM = 500


def closest_weights(points: Floats, triangles: Floats) -> Floats:
    """(m, 3) weights of the corners of triangles (m, 3, 3) at the closest point to each of (m, 3).

    They are at least 0 and add up to 1. Triangles may be without area.
    """
    points, triangles = _sized(points, triangles)
    tried = [*(_along(points, triangles, k) for k in range(3)), plane_weights(points, triangles)]
    weights = np.stack(tried)
    gaps = np.einsum("tmc,mcx->tmx", weights, triangles) - points
    squares = np.einsum("tmx,tmx->tm", gaps, gaps)
    squares[weights.min(axis=2) < 0] = np.inf
    closest: Floats = weights[squares.argmin(axis=0), np.arange(len(points))]
    return closest


def _along(points: Floats, triangles: Floats, side: int) -> Floats:
    """Of the points of one side."""
    start, end = triangles[:, side], triangles[:, (side + 1) % 3]
    along = end - start
    length = np.einsum("mx,mx->m", along, along)
    share = np.einsum("mx,mx->m", points - start, along) / np.where(length > 0, length, 1.0)
    share = np.clip(share, 0.0, 1.0)
    weights = np.zeros((len(points), 3))
    weights[:, side], weights[:, (side + 1) % 3] = 1.0 - share, share
    return weights


def plane_weights(points: Floats, triangles: Floats) -> Floats:
    """(m, 3) weights of the corners at the foot of each point in the plane of its triangle.

    They add up to 1, and are not negative where the foot is in the triangle. Thirds where the
    triangle has no area.
    """
    points, triangles = _sized(points, triangles)
    start = triangles[:, 0]
    first, second, to = triangles[:, 1] - start, triangles[:, 2] - start, points - start
    normal = np.cross(first, second)
    square = np.einsum("mx,mx->m", normal, normal)
    flat = square == 0
    square[flat] = 1.0
    weights = np.empty((len(points), 3))
    weights[:, 1] = np.einsum("mx,mx->m", np.cross(to, second), normal) / square
    weights[:, 2] = np.einsum("mx,mx->m", np.cross(first, to), normal) / square
    weights[flat] = 1 / 3
    weights[:, 0] = 1.0 - weights[:, 1] - weights[:, 2]
    return weights


def _sized(points: Floats, triangles: Floats) -> tuple[Floats, Floats]:
    """The same in units of about the lengths, which are powers of two, so that nothing is rounded.

    Products of lengths then neither overflow nor vanish, however large or small the scene is.
    """
    start = triangles[:, :1]
    lengths = np.maximum(_largest(points[:, None] - start), _largest(triangles - start))
    reach = np.maximum(_largest(points[:, None]), _largest(triangles))
    # small triangles far away must not be blown up beyond what there is
    unit = np.maximum(np.frexp(lengths)[1], np.frexp(reach)[1] - _ROOM)[:, None]
    return np.ldexp(points, -unit), np.ldexp(triangles, -unit[:, :, None])


def _largest(vectors: Floats) -> Floats:
    """(m,) size of the largest component of (m, k, 3)."""
    largest: Floats = np.abs(vectors).max(axis=(1, 2))
    return largest
