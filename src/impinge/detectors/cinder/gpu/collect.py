"""The pairs of an image, and how many pixels it has of each kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from impinge.detectors.cinder.buffers import Stage
from impinge.detectors.cinder.gpu.states import pixel_of

if TYPE_CHECKING:
    from impinge.detectors.cinder.geometry import Geometry
    from impinge.detectors.cinder.gpu.canvas import Canvas
    from impinge.detectors.cinder.gpu.scene import GpuScene
    from impinge.detectors.cinder.options import CinderOptions
    from impinge.gpu import Buffer, Session

_COUNTERS = ("edge_pixels", "pixels_penetrating", "self_pixels")
"""As in cinder/collect.wgsl; the pixels that are pairs come after them."""


@dataclass(frozen=True)
class Pairs:
    """Number of an edge and of the solid it is in, for each pixel; zero where there are none."""

    buffer: Buffer
    side: int
    """Pixels on a side."""
    words: int
    """Of four bytes, in a pixel."""
    count: int
    """Pixels that are not zero."""


def collect(
    gpu: Session, scene: GpuScene, canvas: Canvas, geometry: Geometry, options: CinderOptions
) -> tuple[Pairs, dict[str, float]]:
    """The pairs and the counters."""
    pixel = pixel_of(options)
    pairs = gpu.zeros(4 * pixel.words * scene.pixels)
    counts = gpu.zeros(16)
    gpu.compute(
        "cinder/collect",
        scene.pixels,
        {"SOLID_BITS": pixel.solid_bits, "BY_FACE": options.payload == "triangles"},
        frame=scene.frame,
        image=canvas.image,
        owners=canvas.owners,
        first_faces=gpu.upload(geometry.first_face, np.int32),
        bodies=gpu.uniform(geometry.bodies),
        pairs=pairs,
        counts=counts,
    )
    *found, hits = gpu.read(counts, np.uint32).tolist()
    counters = dict(zip(_COUNTERS, found, strict=True))
    return Pairs(pairs, scene.resolution, pixel.words, hits), counters


def stencilled(gpu: Session, scene: GpuScene, canvas: Canvas, least: int) -> int:
    """Pixels whose stencil is at least so high."""
    count = gpu.zeros(4)
    gpu.compute(
        "cinder/stencilled",
        scene.pixels,
        {"LEAST": least},
        frame=scene.frame,
        stencils=canvas.stencil,
        count=count,
    )
    return int(gpu.read(count, np.uint32)[0])


def read_stage(gpu: Session, scene: GpuScene, canvas: Canvas, options: CinderOptions) -> Stage:
    """All buffers as they are now."""
    found = gpu.zeros(16 * scene.pixels)
    gpu.compute(
        "cinder/buffers",
        scene.pixels,
        {"SOLID_BITS": pixel_of(options).solid_bits},
        frame=scene.frame,
        depths=canvas.depth,
        stencils=canvas.stencil,
        image=canvas.image,
        found=found,
    )
    rows = gpu.read(found, np.uint32).reshape(scene.resolution, scene.resolution, 4)
    depth, stencil, edge, solid = (rows[..., k].copy() for k in range(4))
    return Stage(depth.astype(np.int32), stencil.astype(np.uint8), edge, solid)
