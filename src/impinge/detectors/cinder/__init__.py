"""An image of all bodies finds those that overlap: edges of one inside the volume of another.

Malmsten and Klasén, "Practical collision detection on the GPU: a case study using CInDeR" (2005),
after Knott and Pai (2003).
"""

from __future__ import annotations

from dataclasses import replace
from inspect import signature
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from impinge.detectors.cinder.decode import raw_overlaps, seen_of
from impinge.detectors.cinder.geometry import closed_of, geometry_of, projection_of
from impinge.detectors.cinder.options import CinderOptions
from impinge.detectors.cinder.rounds import Rounds, candidates_of
from impinge.detectors.cinder.view import View
from impinge.detectors.common.devices import takes_gpu
from impinge.detectors.common.fallback import part_of
from impinge.detectors.protocol import OverlapsQuery
from impinge.detectors.raw import RawOverlaps

if TYPE_CHECKING:
    from types import ModuleType

    from impinge.detectors.cinder.decode import Seen
    from impinge.detectors.cinder.rounds import Round

__all__ = ["Cinder", "View"]


class Cinder:
    """Overlapping bodies in an image, ``method="cinder"`` (Malmsten and Klasén 2005).

    Draws the edges of all bodies, then counts the faces in front of each: more fronts than backs of
    a body, and the edge is inside it. Made for closed bodies; finds what is larger than a pixel. A
    pixel holds one pair, and edges drawn later hide those before, so that pairs may be lost: by
    default it looks again until nothing new is seen. `Overlaps.complete` tells whether all is.

    Parameters
    ----------
    device : {"auto", "cpu", "gpu"}
        Where it is drawn; "auto" is a real GPU if there is one.
    resolution : int, default 1024
        Pixels on a side of the image, a power of two from 16 to 4096.
    views : View or sequence of View, optional
        Where to look from; the pairs of several views are united. None is one that holds the whole
        scene, askew to all axes.
    variant : {"corrected", "original", "printed"}
        "original" is the algorithm of Knott and Pai (2003), "printed" the listing of the paper,
        whose last pass finds nothing.
    self_interference : {"prevent", "filter", "offset"}
        What is done about edges that meet faces of their own body: leave these faces out, drop
        pixels where a body meets itself, or first move edges towards the viewer.
    offset : float
        How far "offset" moves edges [length].
    ids : {"32bit", "16bit"}
        Size of an index of a body; "16bit" as published.
    payload : {"objects", "triangles", "normals"}
        What is read of a pixel; "normals" are those of the body `reference`.
    reference : int
        Index of a body, for "normals".
    reduce : {"none", "stages", "lossless", "pack"}
        Which pixels are read: all; those left after halving the image `stages` times, which may
        lose pairs; after halving it while no pair can be lost; or only those that hold a pair.
    stages : int
        How often "stages" halves the image.
    judge : bool, default False
        With ``scene.collide(refine=...)``, also count the pairs that were lost.
    rounds : int, optional
        How often to look at most, up to 16: each time from another side (unless there are `views`)
        and in another order of drawing, without the pairs that were found, until two rounds add
        nothing. 1 is what was published. None is 16, and 1 for `views`.

    See Also
    --------
    impinge.Scene.overlaps, impinge.detectors.cinder.View

    Examples
    --------
    >>> import impinge
    >>> from impinge import data
    >>> scene = impinge.load_scene(data.path("gearbox.glb"))
    >>> found = scene.overlaps(method=impinge.detector("cinder", resolution=256, device="cpu"))
    >>> found.pairs.shape[1]
    2
    """

    name = "cinder"
    capabilities = frozenset({"overlaps", "bodies", "deformable", "open"})
    __signature__ = signature(CinderOptions)

    def __init__(self, **options: Any) -> None:
        self.options = CinderOptions(**options)
        self.judge = self.options.judge

    def overlaps(self, query: OverlapsQuery) -> RawOverlaps:
        closed = closed_of(query.shapes, query.workers)
        rounds = Rounds(query.shapes, candidates_of(query, closed, self.options), self.options)
        seen: list[Seen] = []
        while (one := rounds.next()) is not None:
            shown = [
                self._seen(query, one, index, self.options.most_rounds * len(one.views))
                for index in range(len(one.views))
            ]
            rounds.add(np.concatenate([each.owners for each in shown]))
            seen += shown
        return raw_overlaps(query, self.options, seen, rounds)

    def _seen(self, query: OverlapsQuery, one: Round, index: int, parts: int) -> Seen:
        start = perf_counter()
        options = one.options(self.options)
        projection = projection_of(query.shapes, one.views[index], options.resolution)
        shapes = [query.shapes[body] for body in one.order]
        geometry = geometry_of(shapes, projection, options, query.workers)
        geometry = replace(geometry, known=one.known)
        snapped = perf_counter() - start
        tick = part_of(query.tick, one.number * len(one.views) + index, parts)
        hits = _stages(options.device).hits_of(geometry, projection, options, query.workers, tick)
        counters = {"snap_seconds": snapped, **hits.counters}
        return seen_of(geometry, hits._replace(counters=counters), options, one.order)


def _stages(device: str) -> ModuleType:
    """The module whose `hits_of` draws and reads the image."""
    if takes_gpu(device):
        from impinge.detectors.cinder.gpu import run

        return run
    from impinge.detectors.cinder import cpu

    return cpu
