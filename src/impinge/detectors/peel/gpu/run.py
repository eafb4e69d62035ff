"""The stages before the exact test, on a GPU."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from impinge.detectors.image.gpu.scene import set_up
from impinge.detectors.image.pack import Candidates
from impinge.detectors.peel.gpu.merge import merge
from impinge.detectors.peel.gpu.pack import pack
from impinge.detectors.peel.gpu.sample import dilated, sample
from impinge.detectors.peel.gpu.separate import separate
from impinge.gpu import open_device
from impinge.gpu.progress import go_on, transfer
from impinge.gpu.tally import read_tally, tally

if TYPE_CHECKING:
    from collections.abc import Callable

    from impinge.detectors.image.geometry import Geometry
    from impinge.detectors.image.gpu.scene import GpuScene, Triangles
    from impinge.detectors.image.view import View
    from impinge.detectors.peel.gpu.separate import GpuBoxes
    from impinge.detectors.peel.options import PeelOptions
    from impinge.gpu import Session


def candidates_of(
    geometry: Geometry,
    view: View,
    options: PeelOptions,
    workers: int = 0,
    tick: Callable[[float], bool] | None = None,
) -> tuple[Candidates, dict[str, float]]:
    """Triangles that may collide with their clipped boxes, and the counters of the stages.

    The times of the stages are the GPU's own where it tells them; `transfer_seconds` is the rest:
    sending, recording, reading.
    """
    start = perf_counter()
    with open_device(software=True).session() as gpu:
        candidates, counted = stages(gpu, geometry, view, options, tick=tick)
        counters = {**gpu.counters(), **counted}
    return candidates, {**transfer(counters, perf_counter() - start), **counters}


def stages(
    gpu: Session,
    geometry: Geometry,
    view: View,
    options: PeelOptions,
    *,
    tick: Callable[[float], bool] | None = None,
    triangles: Triangles | None = None,
    widen: Callable[[GpuScene, GpuBoxes], None] | None = None,
) -> tuple[Candidates, dict[str, float]]:
    """From the geometry, or triangles that are on the GPU already, to candidates.

    `widen` gives boxes to more triangles.
    """
    go_on(tick, 0.0)
    with gpu.stage("sample"):
        scene = set_up(
            gpu,
            geometry,
            view.resolution,
            ties=options.ties,
            gap=view.depth_steps(options.gap),
            triangles=triangles,
        )
        found = sample(gpu, scene, options)
        rays = tally(gpu, found.mask, found.mask, scene.pixels)
        wide = dilated(gpu, found, scene, options.reach)
    go_on(tick, 0.5)
    with gpu.stage("merge"):
        levels = merge(gpu, scene, wide, options.precision)
    with gpu.stage("separate"):
        sparse = separate(gpu, scene, levels)
        if widen is not None:
            widen(scene, sparse)
    with gpu.stage("pack"):
        candidates = Candidates(*pack(gpu, sparse, options.packing))
    go_on(tick, 1.0)
    return candidates, {"rays": read_tally(gpu, rays).sum, **found.counters}
