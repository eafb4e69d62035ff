"""The passes on the CPU, in bands of rows."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from impinge import _core
from impinge.detectors.cinder.buffers import STAGES, Buffers, Hits, Stage
from impinge.detectors.cinder.colours import colours_of
from impinge.detectors.cinder.reduce import reduce

if TYPE_CHECKING:
    from collections.abc import Callable

    from impinge.detectors.cinder.geometry import Geometry
    from impinge.detectors.cinder.options import CinderOptions
    from impinge.detectors.cinder.view import Projection


def hits_of(
    geometry: Geometry,
    view: Projection,
    options: CinderOptions,
    workers: int = 0,
    tick: Callable[[float], bool] | None = None,
) -> Hits:
    """The pixels that hold a pair, reduced as the options say, and the counters."""
    buffers = passes(geometry, view, options, workers, tick)
    start = perf_counter()
    reduced = reduce(buffers.edge_id, buffers.solid_id, options)
    counters = {
        **buffers.counters,
        "reduce_seconds": perf_counter() - start,
        "stages": reduced.stages,
        "bytes_up": 0,
        "bytes_down": 0,
    }
    return Hits(reduced.edge, reduced.solid, counters)


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
    colours = colours_of(geometry, options)
    edge_id, solid_id, stages, counters = _core.draw_passes(
        geometry.snapped,
        geometry.faces,
        geometry.body,
        colours.face,
        geometry.edges,
        geometry.edge_body,
        colours.edge,
        geometry.bodies,
        view.resolution,
        options.variant,
        options.self_interference == "prevent",
        dump,
        workers,
        tick,
    )
    if geometry.closed.all() and not geometry.clipped.any():
        # what rounding does to silhouettes says nothing about the bodies
        counters["negative_pixels"] = 0
    named = {name: Stage(*stages[name]) for name in STAGES if name in stages}
    return Buffers(edge_id, solid_id, counters, named)
