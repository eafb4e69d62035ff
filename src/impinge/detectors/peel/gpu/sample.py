"""Which rays are on: the fragments of every pixel, judged on the GPU."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from impinge.detectors.image.gpu.count import counted
from impinge.detectors.image.gpu.rasteriser import check_rasteriser
from impinge.detectors.peel.gpu.dual import dual_mask
from impinge.detectors.peel.gpu.layers import layers_mask
from impinge.detectors.peel.gpu.lists import fragment_lists, overlap_mask, walk_mask

if TYPE_CHECKING:
    from collections.abc import Mapping

    from impinge._types import Bytes
    from impinge.detectors.image.gpu.scene import GpuScene
    from impinge.detectors.peel.options import PeelOptions
    from impinge.gpu import Buffer, Session


@dataclass(frozen=True)
class GpuSample:
    """The mask, one number per pixel, row by row; and what was counted on the way."""

    mask: Buffer
    counters: Mapping[str, float]


def sample(gpu: Session, scene: GpuScene, options: PeelOptions) -> GpuSample:
    """The mask before dilation."""
    if not options.conservative:
        check_rasteriser(gpu.device, 'use conservative=True or device="cpu"')
    mask = gpu.zeros(4 * scene.pixels)
    found = counted(gpu, scene, conservative=options.conservative)
    total = found.tally
    counters: dict[str, float] = {"fragments": total.sum, "layers": total.largest}
    if options.conservative:
        overlap_mask(
            gpu, scene, fragment_lists(gpu, scene, found.counts, total.sum, boxes=True), mask
        )
        return GpuSample(mask, counters)
    budget: dict[str, Any] = {"layers": options.layers, "mark": options.deeper == "mark"}
    if options.sampling == "lists":
        lists = fragment_lists(gpu, scene, found.counts, total.sum, boxes=False)
        walk_mask(gpu, scene, lists, mask, **budget)
        passes = 1
    elif options.sampling == "peel":
        passes = layers_mask(gpu, scene, found, mask, **budget)
    else:
        passes = dual_mask(gpu, scene, found, mask, **budget)
    return GpuSample(mask, {**counters, "odd_pixels": total.marks, "passes": passes})


def dilated(gpu: Session, found: GpuSample, scene: GpuScene, reach: int) -> GpuSample:
    """Rays within a square of `reach` pixels of one that is on are on too."""
    if reach == 0:
        return found
    mask = found.mask
    for columns in (0, 1):
        wider = gpu.zeros(4 * scene.pixels)
        size = gpu.uniform(scene.resolution, reach, columns)
        gpu.compute("peel/dilate", scene.pixels, mask=mask, wider=wider, size=size)
        mask = wider
    return replace(found, mask=mask)


def read_mask(gpu: Session, found: GpuSample, resolution: int) -> Bytes:
    """(W, W) rays that are on, for tests and pictures."""
    flat = gpu.read(found.mask, np.uint32)
    return flat.astype(np.uint8).reshape(resolution, resolution)
