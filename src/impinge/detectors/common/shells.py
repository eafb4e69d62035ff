"""Which faces of a closed surface have to be turned around for its normals to point out of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from impinge import _core
from impinge.results.mesh_report import joined_roots

if TYPE_CHECKING:
    from impinge._shape import Shape
    from impinge._types import Bools, Floats, Ints

# of the cube of its size: a shell with less volume has no inside to speak of
_FLAT = 1e-12


class Turns(NamedTuple):
    """What is wrong with a closed mesh before its pose."""

    faces: Bools | None
    """(m,) which are to be turned; None: none."""
    doubtful: bool
    """Whether a shell lies on others, so that nobody can tell which way it should face."""


_NONE = Turns(None, doubtful=False)


def turns_of(shape: Shape, workers: int = 0) -> Turns:
    """What has to be turned of a closed shape; kept for the next query."""
    return shape.local_structures.get("turns", shape.local, lambda: _turns(shape, workers))


def mirrored(shape: Shape) -> bool:
    """Whether the pose turns the shape inside out."""
    return shape.pose is not None and np.linalg.det(shape.pose[:3, :3]) < 0


def _turns(shape: Shape, workers: int) -> Turns:
    """Of a body that is not wholly inside out, a shell with a negative volume is a cavity when an
    odd number of others hold it."""
    shell = _shells(shape)
    corners = shape.local[shape.faces]
    low = np.full((shell.max(initial=-1) + 1, 3), np.inf)
    high = -low
    np.minimum.at(low, shell, corners.min(axis=1))
    np.maximum.at(high, shell, corners.max(axis=1))
    volume = _volumes(corners - low[shell][:, None], shell)
    flat = np.abs(volume) <= _FLAT * np.ptp([low, high], axis=0).max(axis=1) ** 3
    wholly = bool(volume.sum() < 0)
    negative = np.flatnonzero((volume > 0 if wholly else volume < 0) & ~flat)
    turned = np.full(len(low), wholly)
    doubtful = False
    for own in negative:
        around = (low <= low[own]).all(axis=1) & (high[own] <= high).all(axis=1) & ~flat
        around[own] = False
        points = np.unique(corners[shell == own].reshape(-1, 3), axis=0)
        held = 0
        for other in np.flatnonzero(around):
            side = _side(points, shape.local, shape.faces[shell == other], volume[other], workers)
            doubtful |= side == 0
            held += side < 0
        turned[own] ^= held % 2 == 0
    if not turned.any():
        return Turns(None, doubtful)
    return Turns(turned[shell], doubtful)


def _shells(shape: Shape) -> Ints:
    """(m,) the number of the set of faces that hang together by vertices, of each face."""
    first, second, third = _core.weld(shape.local)[shape.faces].T
    ends = np.concatenate([first, first]), np.concatenate([second, third])
    root = joined_roots(len(shape.local), *ends)
    return np.unique(root[first], return_inverse=True)[1].reshape(-1).astype(np.int32)


def _volumes(corners: Floats, shell: Ints) -> Floats:
    a, b, c = corners.transpose(1, 0, 2)
    six = (a * np.cross(b, c)).sum(axis=1)
    return np.bincount(shell, weights=six, minlength=shell.max(initial=-1) + 1) / 6


def _side(points: Floats, vertices: Floats, faces: Ints, volume: float, workers: int) -> int:
    """Of a shell on which a shell is that does not cross it: of its first point that is not on it;
    0 when all of them are."""
    tree = _core.Tree(vertices, np.ascontiguousarray(faces), workers=workers)
    sides = _core.sides(tree, np.ascontiguousarray(points), bool(volume < 0), workers, None)
    off = sides[sides != 0]
    return int(off[0]) if len(off) else 0
