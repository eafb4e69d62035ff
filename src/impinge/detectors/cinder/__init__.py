"""An image of all bodies finds those that overlap: edges of one inside the volume of another.

Malmsten and Klasén, "Practical collision detection on the GPU: a case study using CInDeR" (2005),
after Knott and Pai (2003).
"""

from __future__ import annotations

from inspect import signature
from time import perf_counter
from typing import TYPE_CHECKING, Any

from impinge.detectors.cinder.buffers import Hits
from impinge.detectors.cinder.decode import raw_overlaps
from impinge.detectors.cinder.geometry import geometry_of, projection_of
from impinge.detectors.cinder.options import CinderOptions
from impinge.detectors.cinder.view import View
from impinge.detectors.common.devices import takes_gpu
from impinge.detectors.common.fallback import part_of
from impinge.detectors.protocol import OverlapsQuery, RawOverlaps

if TYPE_CHECKING:
    from types import ModuleType

    from impinge.detectors.cinder.geometry import Geometry

__all__ = ["Cinder", "View"]


class Cinder:
    """Draws the edges of all bodies, then counts the faces in front of each: more fronts than
    backs of a body, and the edge is inside it.

    It is made for closed bodies and finds what is larger than a pixel. One pair per pixel: edges
    drawn later hide those before, so that pairs may be lost where bodies crowd.

    device: "cpu", "gpu", or "auto", a GPU if there is one.
    resolution: pixels on a side of the image, a power of two from 16 to 4096.
    views: a `View` or several, whose pairs are united; None is one that holds the whole scene.
    variant: "corrected"; "original", the algorithm of Knott and Pai; "printed", the listing of the
    paper, whose last pass finds nothing.
    self_interference: edges meet faces of their own body. "prevent" leaves the faces of an edge's
    owner out, "filter" drops pixels where a body meets itself, "offset" moves edges towards the
    viewer by the distance `offset` first.
    ids: "32bit" or, as published, "16bit".
    payload: what is read of a pixel: "objects", "triangles", or "normals" of the body `reference`
    (an index) at its edges within others.
    reduce: which pixels are read: "none" all; "stages" after halving the image `stages` times,
    which may lose pairs; "lossless" after halving it as long as no pair can be lost; "pack" those
    that hold a pair.
    judge: with `scene.collide(refine=...)`, also count the pairs that were lost.
    """

    name = "cinder"
    capabilities = frozenset({"overlaps", "bodies", "deformable", "open"})
    __signature__ = signature(CinderOptions)

    def __init__(self, **options: Any) -> None:
        self.options = CinderOptions(**options)
        self.judge = self.options.judge

    def overlaps(self, query: OverlapsQuery) -> RawOverlaps:
        views = self.options.all_views
        seen = [
            self._seen(query, view, part_of(query.tick, index, len(views)))
            for index, view in enumerate(views)
        ]
        return raw_overlaps(query, self.options, seen)

    def _seen(self, query: OverlapsQuery, view: View, tick: Any) -> tuple[Geometry, Hits]:
        start = perf_counter()
        projection = projection_of(query.shapes, view, self.options.resolution)
        geometry = geometry_of(query.shapes, projection, self.options, query.workers)
        snapped = perf_counter() - start
        hits = _stages(self.options.device).hits_of(
            geometry, projection, self.options, query.workers, tick
        )
        counters = {"snap_seconds": snapped, **hits.counters}
        return geometry, hits._replace(counters=counters)


def _stages(device: str) -> ModuleType:
    """The module whose `hits_of` draws and reads the image."""
    if takes_gpu(device):
        from impinge.detectors.cinder.gpu import run

        return run
    from impinge.detectors.cinder import cpu

    return cpu
