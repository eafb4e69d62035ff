"""Rays through the scene find where surfaces may meet; an exact test decides.

Georgii, Krüger and Westermann, "Interactive collision detection for deformable and GPU objects"
(2007): sample, merge, separate, pack, test.
"""

from __future__ import annotations

from inspect import signature
from time import perf_counter
from typing import TYPE_CHECKING, Any

from impinge.detectors.common.devices import takes_gpu
from impinge.detectors.common.fallback import first_of_each, loop_over_poses, part_of
from impinge.detectors.peel.exact import exact
from impinge.detectors.peel.geometry import geometry_of, view_of
from impinge.detectors.peel.options import PeelOptions
from impinge.detectors.protocol import PAIR_CAPABILITIES, PosesQuery, RawPairs, SceneQuery

if TYPE_CHECKING:
    from types import ModuleType

    from impinge._types import Ints
    from impinge.detectors.image.geometry import Geometry


class Peel:
    """Looks at the scene from one side, layer by layer, in an image of `resolution` pixels a side.

    By default it is conservative: whole pixels are looked at, and nothing is missed at any
    resolution. With `conservative=False` it does what was published, with rays through the middles
    of pixels: pairs smaller than a pixel may be missed, what is reported is still exact.

    device: "cpu", "gpu", or "auto", a GPU if there is one.
    resolution: a power of two from 16 to 4096; None chooses by the number of faces, 32 to 1024.
    direction: (3,) where to look; None is along the shortest side of the scene.
    precision, packing: "fp32" or "fp16", "scan" or "sweep": how boxes are stored and moved
    together. The result is the same.

    Only with `conservative=False`:

    sampling: "lists" sorts all layers of a pixel, "peel" takes one at a time, "dual" one from each
    end; "dual" takes closed meshes only.
    layers: look at the first so many layers only; None is all. deeper: "ignore" what is behind
    them, or "mark" rays with more layers as if they collided.
    ties: surfaces at the same depth "collide" or are "separate".
    dilate: 0, 1 or 2 pixels by which the rays that are on are widened, 1 when left out.
    gap: distance at which layers of open surfaces are still looked at.
    """

    name = "peel"
    __signature__ = signature(PeelOptions)

    def __init__(self, **options: Any) -> None:
        self.options = PeelOptions(**options)
        self.capabilities = PAIR_CAPABILITIES
        if self.options.device != "cpu":
            self.capabilities |= {"gpu_geometry"}
        if self.options.sampling == "dual":
            self.capabilities -= {"open"}

    def scene(self, query: SceneQuery) -> RawPairs:
        if any(shape.on_gpu for shape in query.shapes):
            from impinge.detectors.peel.gpu.bodies import made_pairs

            found = made_pairs(query, self.options, query.tick)
        else:
            found = self._found(query)
        return first_of_each(found) if query.first else found

    def poses(self, query: PosesQuery) -> RawPairs:
        return loop_over_poses(self.scene, query)

    def _found(self, query: SceneQuery) -> RawPairs:
        start = perf_counter()
        view = view_of(query, self.options)
        geometry = geometry_of(query, view, self.options)
        snapped = perf_counter()
        candidates, counters = _stages(self.options.device).candidates_of(
            geometry, view, self.options, query.workers, part_of(query.tick, 0, 2)
        )
        packed = perf_counter()
        found = exact(
            geometry,
            view,
            candidates,
            query,
            conservative=self.options.conservative,
            tick=part_of(query.tick, 1, 2),
        )
        if not self.options.conservative:
            found = found._replace(inside=_inside(query, geometry, found))
        times = {"snap_seconds": snapped - start, "exact_seconds": perf_counter() - packed}
        return found._replace(counters={**times, **counters, **found.counters})


def _inside(query: SceneQuery, geometry: Geometry, found: RawPairs) -> Ints:
    """Bodies inside others: rays see them, although no faces meet."""
    from impinge.detectors.common.inside import inside_pairs

    assert found.bodies is not None
    return inside_pairs(
        query.shapes,
        geometry.closed,
        found.bodies,
        body_pairs=query.body_pairs,
        workers=query.workers,
    )


def _stages(device: str) -> ModuleType:
    """The module whose `candidates_of` samples, merges, separates and packs."""
    if takes_gpu(device):
        from impinge.detectors.peel.gpu import run

        return run
    from impinge.detectors.peel import cpu

    return cpu
