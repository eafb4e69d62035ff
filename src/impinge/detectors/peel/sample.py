"""Where in the image surfaces may meet: a mask of pixels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from impinge import _core

if TYPE_CHECKING:
    from collections.abc import Callable

    from impinge._types import Bytes
    from impinge.detectors.image.geometry import Geometry
    from impinge.detectors.image.view import View
    from impinge.detectors.peel.options import PeelOptions


@dataclass(frozen=True, eq=False)
class Sample:
    """`mask` (W, W) uint8 by row and column, before dilation, and what was counted."""

    mask: Bytes
    counters: dict[str, float]


def sample(
    geometry: Geometry,
    view: View,
    options: PeelOptions,
    workers: int = 0,
    tick: Callable[[float], bool] | None = None,
) -> Sample:
    """The pixels that are on."""
    seen = geometry.seen(view.resolution)
    if options.conservative:
        mask, counters = _core.sample_squares(seen, workers, tick)
        del counters["odd_pixels"]
        return Sample(mask, counters)
    mask, counters = _core.sample_rays(
        seen,
        options.layers,
        options.deeper == "mark",
        options.sampling == "dual",
        options.ties == "collide",
        view.depth_steps(options.gap),
        workers,
        tick,
    )
    # all layers are drawn at once here: only a GPU makes passes
    return Sample(mask, counters)


def dilated(mask: Bytes, reach: int) -> Bytes:
    """The mask with all pixels on that are at most `reach` away from one, diagonally too."""
    for axis in (0, 1):
        wide = mask.copy()
        for step in range(1, reach + 1):
            ahead, behind = np.moveaxis(mask, axis, 0)[step:], np.moveaxis(mask, axis, 0)[:-step]
            rows = np.moveaxis(wide, axis, 0)
            np.maximum(rows[:-step], ahead, out=rows[:-step])
            np.maximum(rows[step:], behind, out=rows[step:])
        mask = wide
    return mask
