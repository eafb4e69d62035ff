"""The geometry of a query on the GPU, with facing and depth plane of each triangle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from impinge.errors import GpuLimitError

if TYPE_CHECKING:
    from impinge._types import AnyArray
    from impinge.detectors.image.geometry import Geometry
    from impinge.gpu import Buffer, Session

# as in image/scene.wgsl
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


class Triangles(NamedTuple):
    """What is seen, on the GPU: snapped vertices, faces, and the body of each face."""

    total: int
    vertices: Buffer
    faces: Buffer
    bodies: Buffer


def uploaded(gpu: Session, geometry: Geometry) -> Triangles:
    arrays = (geometry.snapped, geometry.faces, geometry.body)
    return Triangles(len(geometry.faces), *(gpu.upload(array, np.int32) for array in arrays))


def set_up(
    gpu: Session,
    geometry: Geometry,
    resolution: int,
    *,
    ties: str = "collide",
    gap: int = 1,
    triangles: Triangles | None = None,
) -> GpuScene:
    """Prepare the triangles of the geometry, or those that are on the GPU already.

    gap: in depths, for open bodies.
    """
    flags = _CLOSED * geometry.closed.astype(np.uint32) + _ALONE * geometry.alone.astype(np.uint32)
    return prepared(
        gpu,
        triangles or uploaded(gpu, geometry),
        flags,
        frame=(resolution, int(ties == "separate"), gap),
    )


def prepared(
    gpu: Session, triangles: Triangles, flags: AnyArray, *, frame: tuple[int, int, int]
) -> GpuScene:
    """Facing, depth plane and depth range of each triangle.

    flags: of each body, as in image/scene.wgsl; frame: resolution, whether fragments of front faces
    come last at the same depth, and the gap.
    """
    count = triangles.total
    if count > _MOST_TRIANGLES:
        raise GpuLimitError(
            "a query in triangles", count, "peel", _MOST_TRIANGLES, 'use device="cpu"'
        )
    resolution, front_last, gap = frame
    scene = GpuScene(
        triangles=count,
        resolution=resolution,
        frame=gpu.uniform(resolution, count, front_last, gap),
        vertices=triangles.vertices,
        faces=triangles.faces,
        planes=gpu.zeros(16 * count),
        ranges=gpu.zeros(16 * count),
    )
    gpu.compute(
        "image/set_up",
        count,
        frame=scene.frame,
        vertices=scene.vertices,
        faces=scene.faces,
        bodies=triangles.bodies,
        body_flags=gpu.upload(flags, np.uint32),
        planes=scene.planes,
        ranges=scene.ranges,
    )
    return scene
