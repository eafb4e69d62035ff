"""The passes on the CPU, in bands of rows."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from impinge import _core
from impinge.detectors.cinder.buffers import STAGES, Buffers, Hits, Stage
from impinge.detectors.cinder.colours import colours_of, packed, unpacked
from impinge.detectors.cinder.reduce import reduce

if TYPE_CHECKING:
    from collections.abc import Callable

    from impinge._types import Words
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
    drawn = _drawn(geometry, view, options, workers, tick)
    start = perf_counter()
    edge, solid, stages = drawn.edge, drawn.solid, 0
    if options.reduce != "none":
        edge, solid, stages = reduce(*drawn.images(view.resolution), options)
    elif options.ids == "16bit":
        edge, solid = unpacked(packed(edge, solid, options.payload), options.payload)
    counters = {
        **drawn.counters,
        "reduce_seconds": perf_counter() - start,
        "stages": stages,
        "bytes_up": 0,
        "bytes_down": 0,
    }
    return Hits(edge, solid, counters)


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
    drawn = _drawn(geometry, view, options, workers, tick, dump=dump)
    stages = {name: Stage(*drawn.stages[name]) for name in STAGES if name in drawn.stages}
    return Buffers(*drawn.images(view.resolution), drawn.counters, stages)


class _Drawn(NamedTuple):
    pixels: Words
    """(k,) those that hold a pair, by rows."""
    edge: Words
    solid: Words
    stages: dict[str, tuple[Any, ...]]
    counters: dict[str, float]

    def images(self, side: int) -> tuple[Words, Words]:
        edge, solid = np.zeros((2, side * side), dtype=np.uint32)
        edge[self.pixels] = self.edge
        solid[self.pixels] = self.solid
        return edge.reshape(side, side), solid.reshape(side, side)


def _drawn(
    geometry: Geometry,
    view: Projection,
    options: CinderOptions,
    workers: int,
    tick: Callable[[float], bool] | None,
    *,
    dump: bool = False,
) -> _Drawn:
    colours = colours_of(geometry, options)
    drawn = _Drawn(
        *_core.draw_passes(
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
            geometry.known,
        )
    )
    if geometry.closed.all() and not geometry.clipped.any():
        # what rounding does to silhouettes says nothing about the bodies
        drawn.counters["negative_pixels"] = 0
    return drawn
