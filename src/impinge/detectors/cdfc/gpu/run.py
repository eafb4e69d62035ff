"""All stages on a GPU, the last one finished by the exact test."""

from __future__ import annotations

from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from impinge import _core
from impinge.detectors.cdfc import stages
from impinge.detectors.cdfc.gpu import axes, collect, members, scene, sweep
from impinge.detectors.cdfc.gpu.fuzzy import fcm
from impinge.detectors.common.candidates import judged
from impinge.detectors.common.fallback import part_of
from impinge.gpu import open_device
from impinge.gpu.progress import go_on

if TYPE_CHECKING:
    from impinge._types import Floats, Ints
    from impinge.detectors.cdfc.options import CdfcOptions
    from impinge.detectors.protocol import SceneQuery
    from impinge.detectors.raw import RawPairs
    from impinge.gpu import Session


def collide(
    soup: _core.Soup, query: SceneQuery, options: CdfcOptions, start: Floats | None
) -> tuple[RawPairs, Floats]:
    """The pairs, and the centres for the next frame.

    The times of the stages are the GPU's own where it tells them; `transfer_seconds` is the rest:
    sending, recording, reading.
    """
    began = perf_counter()
    with open_device(software=True).session() as gpu:
        pairs, middles, counted = _undecided(gpu, soup, query, options, start)
        counters = {**gpu.counters(), **counted}
    on_gpu = sum(value for name, value in counters.items() if name.endswith("_seconds"))
    counters["transfer_seconds"] = max(perf_counter() - began - on_gpu, 0.0)
    began = perf_counter()
    found = judged(soup, pairs, query, part_of(query.tick, 1, 2))
    counters["intersect_seconds"] = counters.get("intersect_seconds", 0.0) + perf_counter() - began
    return found._replace(counters={**found.counters, **counters}), middles


def centres(
    gpu: Session, soup: _core.Soup, options: CdfcOptions, start: Floats | None = None
) -> tuple[Floats, Floats]:
    """As `stages.centres`."""
    if options.clusters_for(len(soup)) == 1:
        return stages.ONE_CENTRE, np.zeros(0)
    points, first, tolerance = stages.begin(soup, options, start)
    return fcm(gpu, points, first, options, tolerance)


def _undecided(
    gpu: Session,
    soup: _core.Soup,
    query: SceneQuery,
    options: CdfcOptions,
    start: Floats | None,
) -> tuple[Ints, Floats, dict[str, float]]:
    """Pairs for the exact test, the centres, and the counters of the stages."""
    step = partial(go_on, part_of(query.tick, 0, 2))
    step(0.0)
    with gpu.stage("cluster"):
        on_gpu = scene.uploaded(gpu, soup)
        middles, objective = centres(gpu, soup, options, start)
        found = members.members(gpu, on_gpu, middles, options)
        rows = members.rows_of(gpu, on_gpu, found)
    step(0.0)
    with gpu.stage("pca"):
        turned = axes.axes(gpu, on_gpu, rows, middles)
    with gpu.stage("boxes"):
        unsorted = sweep.boxes(gpu, on_gpu, rows, turned)
    with gpu.stage("sort"):
        ordered = sweep.sort(gpu, rows, unsorted)
    with gpu.stage("collect"):
        overlaps, _ = sweep.overlaps(gpu, ordered, rows.starts)
    collector = collect.Collector(gpu, on_gpu, found, query)
    pairs = collector.undecided(ordered, overlaps, step)
    counted: dict[str, float] = {
        "clusters": len(middles),
        "copies": rows.count,
        "iterations": len(objective),
        "sweep_pairs": overlaps.sum,
        "y_pairs": collector.y_pairs,
        "z_pairs": collector.z_pairs,
        "tests": collector.tests,
        "gpu_undecided": len(pairs),
    }
    return pairs, middles, counted
