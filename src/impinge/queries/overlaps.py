"""Which bodies overlap, as far as an image shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from impinge.detectors.protocol import OverlapsQuery
from impinge.detectors.registry import require
from impinge.queries.path import answer
from impinge.queries.plan import check_here

if TYPE_CHECKING:
    from impinge.detectors.protocol import OverlapDetector
    from impinge.queries.path import Options
    from impinge.queries.plan import BodySet
    from impinge.results.overlaps import Overlaps


def overlaps_of(bodies: BodySet, options: Options) -> Overlaps:
    """The question of `Scene.overlaps`."""
    from impinge.results.overlaps import Overlaps

    chosen = options.detector
    shapes = bodies.shapes()
    query = OverlapsQuery(
        shapes, bodies.names, bodies.body_pairs, options.workers, options.tick, bodies.ignored
    )
    require(chosen, ("overlaps",))
    check_here(bodies, "overlaps")
    able = cast("OverlapDetector", chosen)
    raw = answer(able.overlaps, query, bodies.ignored)
    columns = raw._asdict()
    origin = bodies.origin(chosen.name, columns.pop("counters"), shapes)
    return Overlaps(**columns, _origin=origin)
