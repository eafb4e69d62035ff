"""The passes on a GPU: the same pixels as on the CPU."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from impinge.detectors.cinder.buffers import Buffers, Hits
from impinge.detectors.cinder.colours import colours_of
from impinge.detectors.cinder.gpu.canvas import canvas
from impinge.detectors.cinder.gpu.collect import Pairs, collect, read_stage, stencilled
from impinge.detectors.cinder.gpu.passes import Passes
from impinge.detectors.cinder.gpu.reduce import numbers_of, reduced
from impinge.detectors.cinder.gpu.scene import set_up
from impinge.detectors.cinder.gpu.states import FULL_STENCIL, pixel_of
from impinge.detectors.image.gpu.rasteriser import check_rasteriser
from impinge.gpu import open_device
from impinge.gpu.progress import go_on, transfer

if TYPE_CHECKING:
    from collections.abc import Callable

    from impinge.detectors.cinder.buffers import Stage
    from impinge.detectors.cinder.geometry import Geometry
    from impinge.detectors.cinder.options import CinderOptions
    from impinge.detectors.cinder.view import Projection
    from impinge.gpu import Session


def hits_of(
    geometry: Geometry,
    view: Projection,
    options: CinderOptions,
    workers: int = 0,
    tick: Callable[[float], bool] | None = None,
) -> Hits:
    """The pixels that hold a pair, reduced as the options say, and the counters.

    The times of the stages are the GPU's own where it tells them; `transfer_seconds` is the rest.
    """
    start = perf_counter()
    with _session() as gpu:
        drawn = _drawn(gpu, geometry, view, options, tick)
        with gpu.stage("reduce"):
            left = reduced(gpu, drawn.pairs, options)
        reading = perf_counter()
        edge, solid = left.read(gpu, options)
        read = {"read_seconds": perf_counter() - reading, "stages": left.stages}
        counters = {**gpu.counters(), **drawn.counters, **read}
    return Hits(edge, solid, {**transfer(counters, perf_counter() - start), **counters})


def passes(
    geometry: Geometry,
    view: Projection,
    options: CinderOptions,
    workers: int = 0,
    tick: Callable[[float], bool] | None = None,
    *,
    dump: bool = False,
) -> Buffers:
    """All passes; with `dump` also the buffers after each."""
    stages: dict[str, Stage] = {}
    with _session() as gpu:
        drawn = _drawn(gpu, geometry, view, options, tick, stages=stages if dump else None)
        side = view.resolution
        flat = numbers_of(gpu.read(drawn.pairs.buffer, np.uint32), options)
        edge, solid = (numbers.reshape(side, side) for numbers in flat)
        counters = {**gpu.counters(), **drawn.counters}
    if dump:
        stages["result"] = stages["penetrated"]._replace(edge_id=edge, solid_id=solid)
    return Buffers(edge, solid, counters, stages)


class _Drawn(NamedTuple):
    pairs: Pairs
    counters: dict[str, float]


def _session() -> Session:
    device = open_device(software=True)
    check_rasteriser(device)
    return device.session()


def _drawn(
    gpu: Session,
    geometry: Geometry,
    view: Projection,
    options: CinderOptions,
    tick: Callable[[float], bool] | None,
    *,
    stages: dict[str, Stage] | None = None,
) -> _Drawn:
    """The image of pairs; what is drawn before goes into `stages`."""

    def look(name: str) -> None:
        if stages is not None:
            stages[name] = read_stage(gpu, scene, images, options)

    colours = colours_of(geometry, options)
    images = canvas(gpu, view.resolution, pixel_of(options).format)
    go_on(tick, 0.0)
    with gpu.stage("edges"):
        scene = set_up(gpu, geometry, colours, view.resolution)
        drawing = Passes(gpu, scene, images, geometry, options)
        drawing.edges()
        look("edges")
    go_on(tick, 0.2)
    saturated = 0
    with gpu.stage("count"):
        may_saturate = scene.triangles >= FULL_STENCIL
        if options.variant != "original" or may_saturate:
            drawing.plus()
        if may_saturate:
            saturated = stencilled(gpu, scene, images, FULL_STENCIL)
        if options.variant == "original":
            drawing.plus_and_minus()
        else:
            look("plus")
            drawing.minus()
        look("minus")
    go_on(tick, 0.4)
    with gpu.stage("ids"):
        any_hit = drawing.penetrating()
        look("penetrating")
    negative = 0
    if not geometry.closed.all() or geometry.clipped.any():
        with gpu.stage("count"):
            drawing.more_backs()
            negative = stencilled(gpu, scene, images, 1)
    go_on(tick, 0.6)
    with gpu.stage("ids"):
        # nothing to look for where no edge is inside of anything
        if any_hit or stages is not None:
            drawing.solids()
            look("penetrated")
        pairs, counts = collect(gpu, scene, images, geometry, options)
    go_on(tick, 1.0)
    counters = {**counts, "negative_pixels": negative, "saturated_pixels": saturated}
    return _Drawn(pairs, counters)
