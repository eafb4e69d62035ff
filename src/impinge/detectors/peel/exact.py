"""The candidates, tested exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING

from impinge import _core
from impinge.detectors.raw import RawPairs

if TYPE_CHECKING:
    from collections.abc import Callable

    from impinge.detectors.image.geometry import Geometry
    from impinge.detectors.image.pack import Candidates
    from impinge.detectors.image.view import View
    from impinge.detectors.protocol import SceneQuery


def exact(
    geometry: Geometry,
    view: View,
    candidates: Candidates,
    query: SceneQuery,
    *,
    conservative: bool,
    tick: Callable[[float], bool] | None = None,
) -> RawPairs:
    """Colliding pairs of the candidates; when conservative, also of neighbours within a body.

    Neighbours switch no pixel on, since all of them overlap at what they share.
    """
    pairs, bodies, kinds, counters = _core.exact(
        [shape.vertices for shape in query.shapes],
        [shape.faces for shape in query.shapes],
        geometry.seen(view.resolution),
        geometry.face,
        candidates.ids,
        candidates.boxes,
        query.body_pairs,
        query.touching,
        query.report_duplicates,
        conservative,
        query.workers,
        tick,
    )
    return RawPairs(pairs, kinds, bodies, None, counters)
