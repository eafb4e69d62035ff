"""What was found, as the page shows it: verdicts with what is drawn of them, or contact points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from impinge.render.about import about
from impinge.render.drawing import Drawing

if TYPE_CHECKING:
    from impinge._types import AnyArray, Floats
    from impinge.render.finding import Finding
    from impinge.results.contact_points import ContactPoints
    from impinge.results.stats import Stats

Arrays = dict[str, "AnyArray"]
MOST_WARNINGS = 100


@dataclass(frozen=True, eq=False)
class ShownResult:
    """A result, made ready once for all pages that show it; `method` says how it was found."""

    result: Drawing | ContactPoints
    origin: Floats
    """(3,) what the page calls zero."""
    method: str
    seconds: Mapping[str, float] = field(default_factory=dict)
    """More stages than the detector tells of."""
    omitted: frozenset[int] = frozenset()
    """Bodies of which the page has no faces."""
    focus: tuple[int, ...] = ()
    """Bodies that the first picture shows whole; none: all of them."""
    solid: frozenset[int] | None = None
    """Bodies that stay solid where the page looks through others; None: all that clash."""

    @cached_property
    def message(self) -> tuple[dict[str, Any], Arrays]:
        """The entry of the header, and the arrays beside it."""
        shown = self.result
        if isinstance(shown, Drawing):
            found, arrays = _marks(shown, self.origin, self.omitted)
            more = {"clashes": found, "noun": "pairs of triangles", "about": about(shown.result)}
            more["warnings"] = shown.result.warnings[:MOST_WARNINGS]
            count, points, stats = len(shown.hits), 0, shown.hits.stats
        else:
            arrays = {"points": (shown.points[:, 0] - self.origin).astype(np.float32)}
            more = {"clashes": [], "noun": "contacts", "about": [], "warnings": []}
            count, points, stats = len(shown), len(shown), shown.stats
        header = {
            "method": self.method,
            "pairs": count,
            "points": points,
            "stages": stages_of(stats, self.seconds),
            "focus": self.focus,
            "solid": None if self.solid is None else sorted(self.solid),
            **more,
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


class _Block:
    """Rows of many findings in one array; each knows where its own are."""

    def __init__(self, empty: tuple[int, ...], dtype: type) -> None:
        self._parts: list[AnyArray] = [np.zeros(empty, dtype=dtype)]
        self._count = 0

    def add(self, rows: AnyArray) -> tuple[int, int]:
        start, self._count = self._count, self._count + len(rows)
        self._parts.append(rows)
        return start, len(rows)

    @property
    def joined(self) -> AnyArray:
        return np.concatenate(self._parts)


def _marks(
    drawing: Drawing, origin: Floats, omitted: frozenset[int]
) -> tuple[list[dict[str, Any]], Arrays]:
    faces, pieces = _Block((0,), np.uint32), _Block((0, 3, 3), np.float64)
    segments, dots = _Block((0, 2, 3), np.float64), _Block((0, 3), np.float64)
    entries = []
    for finding in drawing.findings:
        entry = _facts(finding, origin)
        overlap = drawing.pieces(finding)
        if overlap is None:
            sides = zip(finding.bodies, drawing.faces(finding).T, strict=True)
            marked = [(body, np.unique(own)) for body, own in sides if body not in omitted]
            entry["faces"] = [(body, *faces.add(own)) for body, own in marked]
        else:
            own = [overlap.corners[overlap.surface == side] - origin for side in (0, 1)]
            sides = zip(finding.bodies, own, strict=True)
            entry["pieces"] = [(body, *pieces.add(corners)) for body, corners in sides]
        touch = drawing.touch(finding)
        curve = drawing.curve(finding) if touch is None else touch.lines
        entry["curve"] = segments.add(curve - origin)
        entry["dots"] = dots.add((np.zeros((0, 3)) if touch is None else touch.points) - origin)
        entries.append(entry)
    arrays = {"faces": faces.joined, "pieces": pieces.joined}
    return entries, {**arrays, "segments": segments.joined, "points": dots.joined}


def _facts(finding: Finding, origin: Floats) -> dict[str, Any]:
    gap = finding.gap
    return {
        "number": finding.number,
        "bodies": finding.bodies,
        "title": finding.title,
        "verdict": str(finding.verdict),
        "clashes": finding.clashes,
        "reason": finding.reason,
        "depth": finding.depth,
        "volume": finding.volume,
        "distance": finding.distance,
        "surface": finding.row is not None and finding.row.surface,
        "kinds": {} if finding.faces is None else finding.faces.kinds,
        "length": 0.0 if finding.faces is None else finding.faces.length,
        "centre": (finding.center - origin).tolist(),
        "low": (finding.bounds[0] - origin).tolist(),
        "high": (finding.bounds[1] - origin).tolist(),
        "gap": None if gap is None else (gap - origin).tolist(),
        "faces": [],
        "pieces": [],
    }
