"""From coordinates of the scene to whole numbers: pixels in 1/256, depths in 23 bits.

The image is seen without perspective. Pixel (0, 0) is at the top left, x runs to the right, y down,
and depth away from the viewer: right x down = forward.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from impinge import _core

if TYPE_CHECKING:
    from impinge._types import Floats, Ints

SUBPIXELS = 256
DEPTHS = 1 << 23
RESOLUTIONS = tuple(16 << k for k in range(9))
_MARGIN = 18

# Seven roundings of 2^-53 of the scene's size stay below 0.001 of a step with this many steps; and
# points that are all equal, or the smallest numbers there are apart, get no infinite scale.
_MOST_STEPS = 2.0**38
_LARGEST_SCALE = 2.0**990
_PARALLEL = 1e-9


@dataclass(frozen=True, eq=False)
class View:
    """An image of `resolution` pixels on a side, looking along `forward`.

    A point p is `scale` right·(p - centre) subpixels to the right of the middle of the image,
    `scale` down·(p - centre) below it, and `depth_scale` forward·(p - centre) depths behind it.
    """

    resolution: int
    right: Floats
    down: Floats
    forward: Floats
    centre: Floats
    scale: float
    depth_scale: float

    @classmethod
    def fit(
        cls,
        points: Floats,
        resolution: int,
        direction: Floats | None = None,
        up: Floats | None = None,
    ) -> View:
        """The view that holds the box of `points` (n, 3) with a pixel to spare on each side.

        Without a `direction` it looks along the shortest side of that box, where there are the
        fewest layers. `up` is what shall be upwards in the image, as far as it can be.
        """
        points = np.asarray(points, dtype=np.float64)
        if len(points) == 0:
            points = np.zeros((1, 3))
        low, high = points.min(axis=0), points.max(axis=0)
        centre = low + (high - low) / 2
        half = np.maximum(high - centre, centre - low)
        frame = _axes(int(np.argmin(high - low))) if direction is None else frame_of(direction, up)
        # how far the box reaches from its centre along each axis of the frame
        reach = np.abs(frame) @ half
        largest = min(_MOST_STEPS / max(half.max(), 1 / _LARGEST_SCALE), _LARGEST_SCALE)
        room = SUBPIXELS * (resolution // 2 - 1) - 1
        right, down, forward = frame
        return cls(
            resolution,
            right,
            down,
            forward,
            centre,
            _scale(room, reach[:2].max(), largest),
            _scale(DEPTHS // 2 - _MARGIN, reach[2], largest),
        )

    @property
    def frame(self) -> Floats:
        """(3, 3) rows right, down, forward."""
        return np.stack([self.right, self.down, self.forward])

    @property
    def scales(self) -> Floats:
        """(3,) steps per unit of length, along the rows of the frame."""
        return np.array([self.scale, self.scale, self.depth_scale])

    def depth_steps(self, gap: float) -> int:
        """The distance `gap` in depths, and one more for what snapping may add."""
        return 1 + min(math.ceil(min(gap * self.depth_scale, DEPTHS)), DEPTHS)

    def snap(self, vertices: Floats) -> Ints:
        """(n, 3) int32 of vertices (n, 3): x and y in subpixels, depth; each off by at most 0.501.

        Measured from the centre, so that rounding is relative to the size of the scene and not to
        its distance from the origin.
        """
        return _core.snap(vertices, self.centre, self.frame, self.scales, self.resolution)


def _scale(room: float, reach: float, largest: float) -> float:
    # a reach of (nearly) zero would divide by zero, or overflow
    return float(largest if reach * largest <= room else room / reach)


def _axes(k: int) -> Floats:
    """The frame that looks along coordinate axis k."""
    return np.eye(3)[[(k + 1) % 3, (k + 2) % 3, k]]


def frame_of(direction: Floats, up: Floats | None = None) -> Floats:
    """Rows right, down, forward, at right angles and of length one up to rounding."""
    forward = _unit(direction)
    beside = np.eye(3)[np.argmin(np.abs(forward))] if up is None else _unit(up)
    right = np.cross(forward, beside)
    if np.abs(right).max() < _PARALLEL:
        return frame_of(direction)
    right /= np.sqrt((right**2).sum())
    return np.stack([right, np.cross(forward, right), forward])


def _unit(vector: Floats) -> Floats:
    scaled = vector / np.abs(vector).max()
    # what underflows here would only be lost in the length
    return np.asarray(scaled / np.sqrt((scaled**2).sum()))
