"""Rotations and poses of the scenes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from impinge._types import Floats


def rotations(random: np.random.Generator, count: int) -> Floats:
    """(count, 3, 3) rotations, all orientations equally likely."""
    q = random.normal(size=(count, 4))
    w, x, y, z = (q / np.linalg.norm(q, axis=1)[:, None]).T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), 2, 0)


def spinning(axes: Floats, angles: Floats) -> Floats:
    """(n, 3, 3) rotations about unit axes (n, 3) by angles (n,)."""
    cross = np.zeros((len(axes), 3, 3))
    cross[:, [2, 0, 1], [1, 2, 0]] = axes
    cross[:, [1, 2, 0], [2, 0, 1]] = -axes
    sine, versine = np.sin(angles)[:, None, None], (1 - np.cos(angles))[:, None, None]
    return np.asarray(np.eye(3) + sine * cross + versine * cross @ cross)


def poses(turns: Floats, offsets: Floats) -> Floats:
    """(n, 4, 4) poses of rotations (n, 3, 3) and offsets (n, 3)."""
    result = np.tile(np.eye(4), (len(turns), 1, 1))
    result[:, :3, :3] = turns
    result[:, :3, 3] = offsets
    return result
