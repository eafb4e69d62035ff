"""What software writes into the chip before a query: coefficients, correspondence, pose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from impinge import _core

if TYPE_CHECKING:
    from impinge._types import Floats, Longs, Singles
    from impinge.lab.chip.memory import Hierarchy


@dataclass(frozen=True)
class Setup:
    """Everything that depends on the relative pose of the two bodies and on nothing else."""

    dop: Singles
    """(24, 4): C and c."""
    places: Longs
    """(24, 3): which d the coefficients belong to."""
    awaited: Longs
    """(24,): the last d that a line needs."""
    pose: Singles
    """(3, 4): from the frame of the tumbled tree to that of the aligned one."""
    inverse: Singles
    margin: np.float32
    """Of the DOPs of tumbled leaves."""


def prepare(aligned: Hierarchy, tumbled: Hierarchy, pose: Floats) -> Setup:
    """For the tumbled body in a pose (4, 4), the aligned one at rest."""
    c, places, shift = _core.dop_correspondence(aligned.tree, tumbled.tree, pose[None])
    forth = to_frame(aligned) @ pose @ np.linalg.inv(to_frame(tumbled))
    lines = forth[:3].astype(np.float32)
    # Corners are at most 1 in size, so no coordinate or term exceeds this. A moved corner is off
    # by a rounding of each coefficient and four of DOTADD, 5 units of 2^-24; along a direction that
    # is 1.7321 times as much, and four more roundings.
    reach = float(np.abs(lines).sum(axis=1).max())
    return Setup(
        np.concatenate([c, shift[:, None]], axis=1),
        places.astype(np.int64),
        np.where(c > 0, places, 0).max(axis=1).astype(np.int64),
        lines,
        np.linalg.inv(forth)[:3].astype(np.float32),
        np.float32(16 * 2.0**-24 * reach),
    )


def to_frame(hierarchy: Hierarchy) -> Floats:
    """(4, 4): from the coordinates of a mesh to those of its tree."""
    x, y, z, scale = hierarchy.tree.frame
    matrix = np.diag([scale, scale, scale, 1.0])
    matrix[:3, 3] = -scale * np.array([x, y, z])
    return matrix
