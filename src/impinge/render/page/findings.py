"""What was found, as the page shows it: clashes with their faces and curves, or contact points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from impinge.render.drawing import Drawing
from impinge.results.collisions import Kind

if TYPE_CHECKING:
    from impinge._types import AnyArray, Floats
    from impinge.results.collisions import Collisions
    from impinge.results.contact_points import ContactPoints
    from impinge.results.stats import Stats

Arrays = dict[str, "AnyArray"]


@dataclass(frozen=True, eq=False)
class ShownResult:
    """A result, made ready once for all pages that show it; `method` says how it was found."""

    result: Collisions | ContactPoints
    origin: Floats
    """(3,) what the page calls zero."""
    method: str
    seconds: Mapping[str, float] = field(default_factory=dict)
    """More stages than the detector tells of."""
    omitted: frozenset[int] = frozenset()
    """Bodies of which the page has no faces."""

    @cached_property
    def message(self) -> tuple[dict[str, Any], Arrays]:
        """The entry of the header, and the arrays beside it."""
        from impinge.results.collisions import Collisions

        if isinstance(self.result, Collisions):
            found, arrays = _clashes(self.result, self.origin, self.omitted)
            noun, points = "pairs of triangles", 0
        else:
            arrays = {
                "points": (self.result.points[:, 0] - self.origin).astype(np.float32),
                "faces": np.zeros(0, dtype=np.uint32),
                "segments": np.zeros(0, dtype=np.float32),
            }
            found, noun, points = [], "contacts", len(self.result)
        header = {
            "method": self.method,
            "pairs": len(self.result),
            "noun": noun,
            "points": points,
            "stages": stages_of(self.result.stats, self.seconds),
            "clashes": found,
        }
        return header, arrays


def stages_of(stats: Stats, more: Mapping[str, float]) -> list[dict[str, Any]]:
    """Name, seconds and counters of each stage."""
    return [
        *({"name": name, "seconds": value, "counters": {}} for name, value in more.items()),
        *(
            {"name": stage.name, "seconds": stage.seconds, "counters": dict(stage.counters)}
            for stage in stats.stages
        ),
    ]


def _clashes(
    hits: Collisions, origin: Floats, omitted: frozenset[int]
) -> tuple[list[dict[str, Any]], Arrays]:
    entries: list[dict[str, Any]] = []
    faces: list[AnyArray] = []
    segments: list[AnyArray] = []
    face_count = curve_count = 0
    for number, clash in Drawing(hits).numbered:
        rows = clash.rows
        shown = hits.kinds[rows] == (Kind.CROSSING if clash.crosses else hits.kinds[rows])
        marked = []
        for side, body in enumerate(clash.bodies):
            if body in omitted:
                continue
            own = np.unique(hits.pairs[rows[shown], side])
            marked.append((body, face_count, len(own)))
            faces.append(own)
            face_count += len(own)
        lines = rows[shown & (hits.kinds[rows] != Kind.POINT) & (hits.kinds[rows] != Kind.COPLANAR)]
        segments.append(hits.segments[lines] - origin)
        entries.append(
            {
                "number": number,
                "bodies": clash.bodies,
                "crosses": clash.crosses,
                "kinds": clash.kinds,
                "length": clash.length,
                "centre": (clash.center - origin).tolist(),
                "low": (clash.bounds[0] - origin).tolist(),
                "high": (clash.bounds[1] - origin).tolist(),
                "faces": marked,
                "curve": (curve_count, len(lines)),
            }
        )
        curve_count += len(lines)
    return entries, {
        "faces": np.concatenate([np.zeros(0, dtype=np.uint32), *faces]),
        "segments": np.concatenate([np.zeros((0, 2, 3)), *segments]),
    }
