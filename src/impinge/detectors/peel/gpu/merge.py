"""The pyramid of boxes around rays that are on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from impinge._types import Ints
    from impinge.detectors.image.gpu.scene import GpuScene
    from impinge.detectors.peel.gpu.sample import GpuSample
    from impinge.gpu import Buffer, Session


@dataclass(frozen=True)
class GpuLevels:
    """The lowest level is the mask; the others follow each other in one buffer."""

    mask: Buffer
    pyramid: Buffer
    resolution: int
    half: bool
    """Whether boxes are half floats in pixels, instead of whole subpixels."""

    @property
    def count(self) -> int:
        return self.resolution.bit_length()

    @property
    def words(self) -> int:
        """Of four bytes, in a box."""
        return 2 if self.half else 4

    @property
    def constants(self) -> dict[str, Any]:
        return {"HALF": self.half}


def merge(gpu: Session, scene: GpuScene, found: GpuSample, precision: str) -> GpuLevels:
    """Level by level, up to one box around all rays."""
    half = precision == "fp16"
    texels = (scene.pixels - 1) // 3
    pyramid = gpu.zeros((8 if half else 16) * texels)
    levels = GpuLevels(found.mask, pyramid, scene.resolution, half)
    for level in range(1, levels.count):
        gpu.compute(
            "peel/merge",
            (scene.resolution >> level) ** 2,
            levels.constants,
            levels=gpu.uniform(scene.resolution, level),
            mask=found.mask,
            pyramid=pyramid,
        )
    return levels


def read_levels(gpu: Session, levels: GpuLevels) -> list[Ints]:
    """All levels as (W >> l, W >> l, 4), for tests and pictures."""
    size = levels.resolution
    on = gpu.read(levels.mask, np.uint32).reshape(size, size, 1)
    y, x = np.mgrid[:size, :size]
    pixels = 256 * np.stack([x, y, x + 1, y + 1], axis=2)
    found = [np.where(on, pixels, 256 * np.array([size, size, 0, 0])).astype(np.int32)]
    boxes = read_boxes(gpu, levels.pyramid, half=levels.half)
    for level in range(1, levels.count):
        side = size >> level
        found.append(boxes[: side**2].reshape(side, side, 4))
        boxes = boxes[side**2 :]
    return found


def read_boxes(gpu: Session, buffer: Buffer, *, half: bool) -> Ints:
    """(n, 4) boxes in subpixels."""
    if half:
        return (
            (256 * gpu.read(buffer, np.float16).astype(np.float32)).astype(np.int32).reshape(-1, 4)
        )
    return gpu.read(buffer, np.int32).reshape(-1, 4)
