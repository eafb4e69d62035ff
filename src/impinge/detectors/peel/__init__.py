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
from impinge.detectors.peel.warnings import told
from impinge.detectors.protocol import PAIR_CAPABILITIES, PosesQuery, SceneQuery
from impinge.detectors.raw import RawPairs

if TYPE_CHECKING:
    from types import ModuleType

    from impinge._types import Ints
    from impinge.detectors.image.geometry import Geometry


class Peel:
    """Layers of an image, ``method="peel"`` (Georgii, Krüger and Westermann 2007).

    Looks at the scene from one side, layer by layer. By default whole pixels are looked at, and
    nothing is missed at any resolution. With ``conservative=False`` it does what was published,
    with rays through the middles of pixels: pairs smaller than a pixel may be missed, what is
    reported is still exact, and `Collisions.complete` is False.

    Parameters
    ----------
    device : {"auto", "cpu", "gpu"}
        Where it runs; "auto" is a real GPU if there is one.
    resolution : int, optional
        Pixels on a side, a power of two from 16 to 4096; None chooses 32 to 1024 by the number of
        faces.
    direction : (3,) array_like, optional
        Where to look; None is along the shortest side of the scene, and for rays askew to it.
    conservative : bool, default True
        Look at whole pixels. The options up to `gap` are for False only.
    sampling : {"lists", "peel", "dual"}
        Sort all layers of a pixel, take one at a time, or one from each end; "dual" takes closed
        meshes only.
    layers : int, optional
        Look at the first so many layers only; None is all.
    deeper : {"ignore", "mark"}
        What to do with rays that have more layers: ignore them, or treat them as if they collided.
    ties : {"collide", "separate"}
        What surfaces at the same depth do.
    dilate : {0, 1, 2}, optional
        Pixels by which the rays that are on are widened; 1 when left out.
    gap : float, default 0.0
        Distance at which layers of open surfaces are still looked at [length].
    precision : {"fp32", "fp16"}
        How boxes are stored. The result is the same.
    packing : {"scan", "sweep"}
        How candidates are moved together. The result is the same.

    See Also
    --------
    impinge.Body.from_shader : Bodies made on the GPU, which only ``device="gpu"`` takes.

    Examples
    --------
    >>> import impinge
    >>> sheet = [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]
    >>> method = impinge.detector("peel", resolution=64, device="cpu")
    >>> len(impinge.collide(sheet, sheet, method=method))
    1
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
            warnings = told(query, geometry.closed, view.forward, counters, self.options)
            inside = _inside(query, geometry, found)
            found = found._replace(inside=inside, warnings=warnings, complete=False)
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
