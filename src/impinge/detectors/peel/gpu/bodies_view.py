"""Bodies that are made on the GPU, in the whole numbers that the other stages work on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from impinge.detectors.image.view import DEPTHS, SUBPIXELS, View
from impinge.errors import InputError
from impinge.gpu.bodies.passes import words

if TYPE_CHECKING:
    from impinge._types import Floats
    from impinge.gpu.bodies.passes import GpuVertices
    from impinge.gpu.session import Buffer, Session

# beyond this, coordinates that are not zero could vanish next to the smallest floats
_LARGEST_SCALE = 2.0**100
# of coordinates: what is between two of them is a float too
_LARGEST = 1e38


def single_view(points: Floats, resolution: int, direction: Floats | None) -> View:
    """A view that floats of 32 bits can hold, so that CPU and GPU snap by the same numbers."""
    if np.any(np.abs(points) > _LARGEST):
        raise InputError(
            f"a scene with bodies that are made on the GPU must be within {_LARGEST:.0e}, got "
            f"coordinates of size {np.abs(points).max():.1e}; scale it down"
        )
    low, high = (points.min(axis=0), points.max(axis=0)) if len(points) else (np.zeros(3),) * 2
    centre = _single(low + (high - low) / 2)
    half = np.maximum(high - centre, centre - low)
    view = View.fit(np.stack([centre - half, centre + half]), resolution, direction)
    return replace(
        view,
        right=_single(view.right),
        down=_single(view.down),
        forward=_single(view.forward),
        centre=centre,
        scale=float(_single(min(view.scale, _LARGEST_SCALE))),
        depth_scale=float(_single(min(view.depth_scale, _LARGEST_SCALE))),
    )


def snap(
    session: Session, made: GpuVertices, view: View, snapped: Buffer, rows: Sequence[int]
) -> None:
    """Write the vertices of each body to `snapped` from its row on, as `View.snap` does.

    Off by at most 5 roundings of 2^-24 of half the image and one half: 0.66 subpixels at a
    resolution of 4096, and 1.75 depths. Conservative sampling allows for 1 and 4.
    """
    middle = SUBPIXELS // 2 * view.resolution
    for shape, first, row in zip(made.shapes, made.first, rows, strict=True):
        count = shape.resident.count
        call = words(
            *view.right,
            view.scale,
            *view.down,
            view.depth_scale,
            *view.forward,
            count,
            *view.centre,
            first,
            *(middle, middle, DEPTHS // 2),
            row,
        )
        session.compute(
            "peel/body_snap",
            count,
            call=session.uniform(*call),
            deformed=made.vertices,
            snapped=snapped,
        )


def _single(values: Floats | float) -> Floats:
    return np.asarray(values, dtype=np.float32).astype(np.float64)
