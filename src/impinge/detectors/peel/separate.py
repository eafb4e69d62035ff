"""Which triangles lie under pixels that are on, and where."""

from __future__ import annotations

from typing import TYPE_CHECKING

from impinge import _core

if TYPE_CHECKING:
    from impinge._types import Ints
    from impinge.detectors.image.geometry import Geometry


def separate(geometry: Geometry, levels: _core.Pyramid, workers: int = 0) -> Ints:
    """(m, 4) int32: the part of each triangle's box that holds such pixels; zero when none.

    Boxes are rounded as those of the levels are.
    """
    resolution = 1 << (len(levels) - 1)
    boxes: Ints = _core.separate(geometry.seen(resolution), levels, workers)
    return boxes
