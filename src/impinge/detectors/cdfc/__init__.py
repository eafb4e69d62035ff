"""Fuzzy clusters of triangles, each swept along its principal axis; an exact test decides.

Mainzer and Zachmann, "CDFC: Collision detection based on fuzzy clustering for deformable objects
on GPU's" (2013): cluster, turn, sort, collect, prune, test.
"""

from __future__ import annotations

from inspect import signature
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from impinge.detectors.cdfc import stages
from impinge.detectors.cdfc.options import CdfcOptions
from impinge.detectors.common.candidates import soup_of
from impinge.detectors.common.devices import takes_gpu
from impinge.detectors.common.fallback import first_of_each, loop_over_poses
from impinge.detectors.protocol import NO_BODIES, PAIR_CAPABILITIES, PosesQuery, SceneQuery
from impinge.detectors.raw import RawPairs

if TYPE_CHECKING:
    from impinge import _core
    from impinge._types import Floats


class Cdfc:
    """Fuzzy clusters that are swept, ``method="cdfc"`` (Mainzer and Zachmann 2013).

    All bodies are one soup of triangles, in clusters that overlap as far as triangles reach. From
    the second frame on, clustering starts from the centres of the frame before.

    Parameters
    ----------
    device : {"auto", "cpu", "gpu"}
        Where it runs; "auto" is a real GPU if there is one.
    clusters : int, optional
        How many, up to 1024; None chooses by the number of faces.
    membership : {"bisector", "generous", "absolute"}
        Which triangles belong to a cluster. "bisector": those that may reach into its Voronoi cell.
        "generous": those not farther from its centre than from the nearest by more than they are
        wide. Both miss nothing. "absolute" is the published rule, a membership of at least
        `threshold`: it misses pairs, but what is reported is exact.
    threshold : float, optional
        Of "absolute"; 0.1 when left out.
    fuzziness : float, default 2.0
        Exponent of fuzzy C-means. This and the next two change the time, not the answer.
    iterations : int, default 20
        Most iterations of a frame.
    seed : int, default 0
        Of the first centres.

    See Also
    --------
    impinge.detectors.bvh.Bvh

    Examples
    --------
    >>> import impinge
    >>> sheet = [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]
    >>> method = impinge.detector("cdfc", clusters=2, device="cpu")
    >>> len(impinge.collide(sheet, sheet, method=method))
    1
    """

    name = "cdfc"
    capabilities = PAIR_CAPABILITIES
    __signature__ = signature(CdfcOptions)

    def __init__(self, **options: Any) -> None:
        self.options = CdfcOptions(**options)

    def scene(self, query: SceneQuery) -> RawPairs:
        found = self._found(query)
        return first_of_each(found) if query.first else found

    def poses(self, query: PosesQuery) -> RawPairs:
        return loop_over_poses(self.scene, query)

    def _found(self, query: SceneQuery) -> RawPairs:
        start = perf_counter()
        soup = soup_of(query)
        if len(soup) == 0:
            return _nothing()
        gathered = perf_counter()
        kept = _kept(query)
        collide = _on_gpu if takes_gpu(self.options.device) else _on_cpu
        found, centres = collide(soup, query, self.options, kept.start(soup))
        kept.keep(soup, centres)
        counters = {"gather_seconds": gathered - start, **found.counters}
        return found._replace(counters=counters, **_promise(self.options))


def _on_cpu(
    soup: _core.Soup, query: SceneQuery, options: CdfcOptions, start: Floats | None
) -> tuple[RawPairs, Floats]:
    """The pairs, and the centres for the next frame."""
    began = perf_counter()
    centres, objective = stages.centres(soup, options, start=start, workers=query.workers)
    clustered = perf_counter() - began
    found = stages.collide(soup, centres, query, options, query.tick)
    counters = {**found.counters, "iterations": len(objective)}
    counters["cluster_seconds"] += clustered
    return found._replace(counters=counters), centres


def _on_gpu(
    soup: _core.Soup, query: SceneQuery, options: CdfcOptions, start: Floats | None
) -> tuple[RawPairs, Floats]:
    from impinge.detectors.cdfc.gpu import run

    return run.collide(soup, query, options, start)


# in frames, which reach from -1 to 1
_FAR = 2.0**20


class _Kept:
    """The centres of the last frame, in world coordinates: where the next one starts."""

    def __init__(self) -> None:
        self._centres: Floats | None = None

    def start(self, soup: _core.Soup) -> Floats | None:
        """The centres in the frame of a soup."""
        # read once: another thread may keep others meanwhile
        centres = self._centres
        if centres is None:
            return None
        *middle, scale = soup.frame
        with np.errstate(over="ignore", invalid="ignore"):
            start = (centres - middle) * scale
        # those of a frame of quite another size are no start
        return start if np.all(np.abs(start) < _FAR) else None

    def keep(self, soup: _core.Soup, centres: Floats) -> None:
        *middle, scale = soup.frame
        self._centres = centres / scale + middle


def _kept(query: SceneQuery) -> _Kept:
    shape = query.shapes[0]
    return shape.local_structures.get("cdfc", shape.local, _Kept, _same)


def _same(kept: _Kept) -> _Kept:
    return kept


def _promise(options: CdfcOptions) -> dict[str, Any]:
    """What is said of an answer: faces of one place may have no cluster in common."""
    if options.exact:
        return {}
    text = (
        f'membership="absolute" with the threshold {options.least_membership:g} may miss pairs: '
        "faces that belong to no common cluster are not compared"
    )
    return {"warnings": (text,), "complete": False}


def _nothing() -> RawPairs:
    none = NO_BODIES.reshape(0, 2)
    return RawPairs(none.copy(), np.zeros(0, dtype=np.uint8), none.copy(), None, {"hits": 0})
