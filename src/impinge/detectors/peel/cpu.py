"""The stages before the exact test, on the CPU."""

from __future__ import annotations

from itertools import pairwise
from time import perf_counter
from typing import TYPE_CHECKING

from impinge.detectors.image.pack import Candidates, pack
from impinge.detectors.peel.merge import merge
from impinge.detectors.peel.sample import dilated, sample
from impinge.detectors.peel.separate import separate

if TYPE_CHECKING:
    from collections.abc import Callable

    from impinge.detectors.image.geometry import Geometry
    from impinge.detectors.image.view import View
    from impinge.detectors.peel.options import PeelOptions


def candidates_of(
    geometry: Geometry,
    view: View,
    options: PeelOptions,
    workers: int = 0,
    tick: Callable[[float], bool] | None = None,
) -> tuple[Candidates, dict[str, float]]:
    """Triangles that may collide with their clipped boxes, and the counters of the stages."""
    times = [perf_counter()]
    found = sample(geometry, view, options, workers, tick)
    mask = dilated(found.mask, options.reach)
    times.append(perf_counter())
    levels = merge(mask, options.precision, workers)
    times.append(perf_counter())
    sparse = separate(geometry, levels, workers)
    times.append(perf_counter())
    candidates = pack(sparse, options.packing)
    times.append(perf_counter())
    names = ("sample_seconds", "merge_seconds", "separate_seconds", "pack_seconds")
    spent = [after - before for before, after in pairwise(times)]
    return candidates, {**found.counters, **dict(zip(names, spent, strict=True))}
