"""The geometry of a query on the GPU, with facing and depth plane of each triangle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from impinge.errors import GpuLimitError

if TYPE_CHECKING:
    from impinge.detectors.peel.geometry import Geometry
    from impinge.gpu import Buffer, Session

# as in peel_scene.wgsl
_CLOSED, _ALONE = 4, 8
_MOST_TRIANGLES = 2**31 // 6
"""Six corners of each are counted, and one bit of a triangle's number is used otherwise."""


@dataclass(frozen=True)
class GpuScene:
    """Buffers that all stages read."""

    triangles: int
    resolution: int
    frame: Buffer
    vertices: Buffer
    faces: Buffer
    planes: Buffer
    ranges: Buffer

    @property
    def pixels(self) -> int:
        return self.resolution**2


def set_up(
    gpu: Session, geometry: Geometry, resolution: int, *, ties: str = "collide", gap: int = 1
) -> GpuScene:
    """Upload the geometry and prepare its triangles. gap: in depths, for open bodies."""
    count = len(geometry.faces)
    if count > _MOST_TRIANGLES:
        raise GpuLimitError(
            "a query in triangles", count, "peel", _MOST_TRIANGLES, 'use device="cpu"'
        )
    flags = _CLOSED * geometry.closed.astype(np.uint32) + _ALONE * geometry.alone.astype(np.uint32)
    scene = GpuScene(
        triangles=count,
        resolution=resolution,
        frame=gpu.uniform(resolution, count, int(ties == "separate"), gap),
        vertices=gpu.upload(geometry.snapped, np.int32),
        faces=gpu.upload(geometry.faces, np.int32),
        planes=gpu.zeros(16 * count),
        ranges=gpu.zeros(16 * count),
    )
    gpu.compute(
        "peel_set_up",
        count,
        frame=scene.frame,
        vertices=scene.vertices,
        faces=scene.faces,
        bodies=gpu.upload(geometry.body, np.int32),
        body_flags=gpu.upload(flags),
        planes=scene.planes,
        ranges=scene.ranges,
    )
    return scene
