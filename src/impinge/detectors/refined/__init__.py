"""Bodies found by one detector, their faces by another."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np

from impinge._pairs import pair_keys
from impinge.detectors.common.boxes import overlapping_boxes
from impinge.detectors.common.closed import is_closed
from impinge.detectors.common.fallback import part_of
from impinge.detectors.common.inside import inside_pairs
from impinge.detectors.protocol import (
    OverlapDetector,
    OverlapsQuery,
    PairDetector,
    PosesQuery,
    SceneQuery,
)
from impinge.detectors.raw import RawPairs
from impinge.detectors.registry import detector
from impinge.errors import InputError

if TYPE_CHECKING:
    from impinge._types import Ints, Longs
    from impinge.detectors.protocol import Detector


def refining(chosen: Detector, refine: str | Detector | None) -> Detector:
    """A detector of pairs of faces: the chosen one, or one that refines what it finds."""
    finds_bodies = "overlaps" in chosen.capabilities and "pairs" not in chosen.capabilities
    if refine is None:
        if finds_bodies:
            raise InputError(
                f"the method {chosen.name!r} finds pairs of bodies, not of faces: ask "
                f'scene.overlaps(method={chosen.name!r}) for them, or give refine="bvh" to look '
                "for the faces of these pairs exactly"
            )
        return chosen
    if not finds_bodies:
        raise InputError(
            f"refine is for a method that finds pairs of bodies; {chosen.name!r} finds the faces "
            "itself, so leave it out"
        )
    exact = detector(refine)
    if "pairs" not in exact.capabilities:
        raise InputError(f"refine must be a method that finds pairs of faces, got {exact.name!r}")
    return Refined(cast(OverlapDetector, chosen), cast(PairDetector, exact))


class Refined:
    """Looks for faces only where the first detector found pairs of bodies."""

    def __init__(self, bodies: OverlapDetector, faces: PairDetector) -> None:
        self._bodies = bodies
        self._faces = faces
        self.name = bodies.name
        self.capabilities = faces.capabilities - {"gpu_geometry", "poses"}

    def scene(self, query: SceneQuery) -> RawPairs:
        seen = self._bodies.overlaps(
            OverlapsQuery(
                query.shapes,
                query.names,
                query.body_pairs,
                query.workers,
                part_of(query.tick, 0, 2),
            )
        )
        found = self._faces.scene(
            query._replace(body_pairs=seen.pairs, tick=part_of(query.tick, 1, 2))
        )
        inside = _inside(query, seen.pairs, found)
        met = _with(_between(found), inside)
        counters = {**seen.counters, **found.counters}
        counters["image_pairs"] = len(seen.pairs)
        counters["image_invented"] = len(_keys(seen.pairs)) - len(met)
        if self._bodies.judge:
            asked = query._replace(first=True, self_bodies=query.self_bodies[:0], tick=None)
            exact = self._faces.scene(asked)
            truth = _with(_between(exact), _inside(query, query.body_pairs, exact))
            counters["image_lost"] = len(np.setdiff1d(truth, _keys(seen.pairs)))
        return found._replace(
            counters=counters,
            inside=inside,
            warnings=seen.warnings,
            complete=seen.complete and not self._left(query, seen.pairs),
        )

    def _left(self, query: SceneQuery, pairs: Ints) -> int:
        """Pairs of bodies that may touch, which an image does not show."""
        solid = np.full(len(query.shapes), not query.touching)
        near = overlapping_boxes(query.shapes, solid, body_pairs=query.body_pairs)
        return len(np.setdiff1d(_keys(near), _keys(pairs)))

    def poses(self, query: PosesQuery) -> RawPairs:
        raise AssertionError("scenes are refined, poses are not")


def _inside(query: SceneQuery, body_pairs: Ints | None, found: RawPairs) -> Ints:
    """Bodies within others, whose faces do not meet although the bodies overlap."""
    closed = np.array([is_closed(shape, query.workers) for shape in query.shapes], dtype=bool)
    assert found.bodies is not None
    return inside_pairs(
        query.shapes, closed, found.bodies, body_pairs=body_pairs, workers=query.workers
    )


def _between(found: RawPairs) -> Longs:
    assert found.bodies is not None
    return _keys(found.bodies[found.bodies[:, 0] != found.bodies[:, 1]])


def _with(keys: Longs, pairs: Ints) -> Longs:
    return np.union1d(keys, _keys(pairs))


def _keys(pairs: Ints) -> Longs:
    """One number per pair of bodies."""
    return np.unique(pair_keys(pairs))
