"""Whether a GPU draws triangles by the rule that rays through pixel middles rely on."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakSet

import numpy as np

from impinge.detectors.image.geometry import Geometry
from impinge.detectors.image.gpu.count import counted
from impinge.detectors.image.gpu.scene import set_up
from impinge.errors import GpuError

if TYPE_CHECKING:
    from impinge.gpu import Device

_SIDE = 32
_good: WeakSet[Device] = WeakSet()


def check_rasteriser(device: Device, cure: str = 'use device="cpu"') -> None:
    """Raise unless corners are placed to 1/256 pixel and edges belong to the top and the left.

    Graphics interfaces promise less (Vulkan 1/16 pixel), and none tells what a GPU does, so a few
    triangles are drawn, once for each device. Conservative sampling does not depend on it.
    """
    if device in _good:
        return
    geometry, expected = _edges()
    counts = _drawn(device, geometry)
    if not np.array_equal(counts, expected):
        raise GpuError(
            f"{device.adapter.name} places corners of triangles too coarsely for rays through "
            f"pixel middles; {cure}"
        )
    _good.add(device)


def _edges() -> tuple[Geometry, np.ndarray]:
    """A triangle in each pixel, with an edge that passes its middle, or half a subpixel beside it.

    The edges start at each of 256 places on each of the four sides. The tip of the triangle is far
    from the middle, so the edge decides whether it is covered: left edges and level top edges cover
    what they pass through, others do not.
    """
    index = np.arange(_SIDE**2)
    place, side, beside = index % 256, index // 256, index % 3 - 1
    tip = np.where(side % 2 == 0, 255, 1)
    along = np.stack([place, 256 - place + beside, tip], axis=1)
    across = np.broadcast_to([0, 256, 128], along.shape)
    upright = (side < 2)[:, None]
    x, y = np.where(upright, along, across), np.where(upright, across, along)
    rows, columns = np.divmod(index, _SIDE)
    corners = np.stack([256 * columns[:, None] + x, 256 * rows[:, None] + y, 0 * x + 16], axis=2)
    # an edge across the pixel is a left edge when it rises above what it bounds, or falls below it
    rises = place >= 128
    owned = np.select([side == 0, side == 2, side == 3], [True, rises, ~rises], False)
    covered = np.where(side % 2 == 0, beside < 0, beside > 0)
    covered |= (beside == 0) & owned
    count = len(corners)
    geometry = Geometry(
        snapped=corners.reshape(-1, 3).astype(np.int32),
        faces=np.arange(3 * count, dtype=np.int32).reshape(-1, 3),
        body=np.zeros(count, dtype=np.int32),
        face=np.arange(count, dtype=np.int32),
        closed=np.zeros(1, dtype=bool),
        alone=np.zeros(1, dtype=bool),
    )
    return geometry, covered.astype(np.uint32)


def _drawn(device: Device, geometry: Geometry) -> np.ndarray:
    with device.session() as gpu:
        scene = set_up(gpu, geometry, _SIDE)
        return gpu.read(counted(gpu, scene, conservative=False).counts, np.uint32)
