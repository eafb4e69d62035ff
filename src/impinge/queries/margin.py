"""Pairs of faces within a margin: the plain question, asked of a detector that knows margins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from impinge._options import TOUCHING, checked_int, checked_length, choice
from impinge.detectors.common.candidates import stars_of
from impinge.detectors.common.fallback import first_of_each, selected
from impinge.detectors.registry import require
from impinge.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from impinge._types import Bools
    from impinge.detectors.protocol import ConfigurationsQuery, PairDetector, PosesQuery, SceneQuery
    from impinge.detectors.raw import RawPairs
    from impinge.queries.path import Options
    from impinge.results.collisions import Collisions


class WithMargin(NamedTuple):
    """A detector that is asked about a margin, and leaves out faces within some rings."""

    chosen: PairDetector
    margin: float
    rings: int

    @property
    def name(self) -> str:
        return self.chosen.name

    @property
    def capabilities(self) -> frozenset[str]:
        return self.chosen.capabilities

    @property
    def scene_collides(self) -> Callable[[SceneQuery], bool] | None:
        judge = None if self.rings else getattr(self.chosen, "scene_collides", None)
        if judge is None:
            return None
        return lambda query: bool(judge(query._replace(margin=self.margin)))

    @property
    def configurations(self) -> Callable[[ConfigurationsQuery], RawPairs] | None:
        return self._widened("configurations")

    @property
    def configurations_collide(self) -> Callable[[ConfigurationsQuery], Bools] | None:
        return self._widened("configurations_collide")

    def _widened(self, name: str) -> Callable[[ConfigurationsQuery], Any] | None:
        """What the detector does with configurations, with the margin."""
        method = None if self.rings else getattr(self.chosen, name, None)
        if method is None:
            return None
        return lambda query: method(query._replace(scene=query.scene._replace(margin=self.margin)))

    def scene(self, query: SceneQuery) -> RawPairs:
        # a pair that is left out must not be the first one, and parts that may meet are too few
        raw = self.chosen.scene(
            query._replace(
                first=query.first and not self.rings,
                once=query.once and not self.margin,
                margin=self.margin,
                max_pairs=None if self.rings else query.max_pairs,
            )
        )
        if not self.rings:
            return raw
        raw = _beyond_rings(raw, query, self.rings)
        return first_of_each(raw) if query.first else raw

    def poses(self, query: PosesQuery) -> RawPairs:
        return self.chosen.poses(
            query._replace(once=query.once and not self.margin, margin=self.margin)
        )


def with_margin(
    options: Options, margin: object, touching: str, ignore_rings: object = 0
) -> Options:
    """The options of a question about a margin, or about faces that are not close on a surface."""
    rings = checked_int(ignore_rings)
    if rings is None or rings < 0:
        raise InputError(f"ignore_rings must be an integer of at least 0, got {ignore_rings!r}")
    width = 0.0
    if margin is not None:
        width = checked_length("margin", margin)
        if not choice("touching", touching, TOUCHING):
            raise InputError(
                "touching must be 'include' with a margin, got 'exclude': faces within a margin "
                "are more than those that touch; leave out one of the two"
            )
        require(options.detector, ("margin",))
    detector = WithMargin(cast("PairDetector", options.detector), width, min(rings, 1 << 30))
    return options._replace(detector=detector)


def measured(hits: Collisions, margin: object) -> Collisions:
    """The answer, with distances when there was a margin."""
    if margin is not None:
        hits.__dict__["_origin"] = hits._origin._replace(margin=float(margin))  # type: ignore[arg-type]
    return hits


def _beyond_rings(raw: RawPairs, query: SceneQuery, rings: int) -> RawPairs:
    """The pairs but for those of one body with fewer rings of neighbours between them."""
    assert raw.bodies is not None
    own = raw.bodies[:, 0] == raw.bodies[:, 1]
    kept = np.ones(len(own), dtype=bool)
    for body in np.unique(raw.bodies[own, 0]):
        rows = np.flatnonzero(own & (raw.bodies[:, 0] == body))
        stars = stars_of((raw.shapes or query.shapes)[body], query.workers)
        kept[rows] = ~stars.within_rings(raw.pairs[rows], rings, query.workers)
    return selected(raw, kept)
