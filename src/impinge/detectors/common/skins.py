"""The surfaces of bodies as the detectors of contacts need them."""

from __future__ import annotations

from math import floor, log2
from typing import TYPE_CHECKING, Any

import numpy as np

from impinge import _core
from impinge._arrays import LARGEST
from impinge.detectors.raw import RawContactPoints

if TYPE_CHECKING:
    from collections.abc import Sequence

    from impinge._shape import Shape

# third powers of lengths must neither overflow nor vanish
_SMALLEST, _LARGEST = 1e-30, 1e30


def skins_of(shapes: Sequence[Shape], workers: int) -> tuple[list[_core.Skin], float]:
    """The surfaces of all bodies in units of ordinary size, and how long such a unit is.

    A unit is a power of two, so that nothing is rounded.
    """
    skins = [skin_of(shape, workers) for shape in shapes]
    size = _core.diagonal(skins, workers)
    if size == 0.0 or _SMALLEST < size < _LARGEST:
        return skins, 1.0
    unit = 2.0 ** floor(log2(size))
    # vertices that no face uses may be anywhere
    with np.errstate(over="ignore"):
        scaled = [np.clip(shape.vertices / unit, -LARGEST, LARGEST) for shape in shapes]
    pairs = zip(scaled, shapes, strict=True)
    return [_core.Skin(vertices, shape.faces, workers) for vertices, shape in pairs], unit


def skin_of(shape: Shape, workers: int) -> _core.Skin:
    """The surface in world coordinates; kept while vertices move."""
    vertices = shape.vertices
    kept: _core.Skin | None = shape.structures.kept("skin", vertices)
    if kept is not None:
        return kept

    def build() -> _core.Skin:
        return _core.Skin(vertices, shape.faces, workers)

    def move(skin: _core.Skin) -> _core.Skin:
        skin.move(vertices)
        return skin

    return shape.structures.get("skin", vertices, build, move)


def raw_contacts(columns: tuple[Any, ...], rest: float, unit: float) -> RawContactPoints:
    """What the core gives for skins in such units, in the units of the bodies, as `rest` is."""
    bodies, vertices, owners, coefficients, points, *others = columns
    normals, weights, faces, suspicious, counters = others
    if unit != 1.0:
        points *= unit
    lengths = np.full(len(bodies), rest)
    return RawContactPoints(
        bodies,
        vertices,
        owners,
        coefficients,
        points,
        normals,
        weights,
        lengths,
        faces,
        suspicious,
        counters,
    )
