"""The part of each triangle's box that holds rays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from impinge.detectors.peel.gpu.merge import read_boxes

if TYPE_CHECKING:
    from impinge._types import Ints
    from impinge.detectors.image.gpu.scene import GpuScene
    from impinge.detectors.peel.gpu.merge import GpuLevels
    from impinge.gpu import Buffer, Session


@dataclass(frozen=True)
class GpuBoxes:
    """A box for each triangle, all zero where it has none."""

    boxes: Buffer
    count: int
    half: bool

    @property
    def words(self) -> int:
        return 2 if self.half else 4


def separate(gpu: Session, scene: GpuScene, levels: GpuLevels) -> GpuBoxes:
    sparse = gpu.zeros(4 * levels.words * scene.triangles)
    gpu.compute(
        "peel/separate",
        scene.triangles,
        levels.constants,
        frame=scene.frame,
        vertices=scene.vertices,
        faces=scene.faces,
        mask=levels.mask,
        pyramid=levels.pyramid,
        sparse=sparse,
    )
    return GpuBoxes(sparse, scene.triangles, levels.half)


def read_sparse(gpu: Session, sparse: GpuBoxes) -> Ints:
    """(m, 4) boxes in subpixels, for tests and pictures."""
    return read_boxes(gpu, sparse.boxes, half=sparse.half)
