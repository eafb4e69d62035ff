"""Sums a result up: for every two parts that meet, how much and where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from impinge._pairs import pair_keys
from impinge.results.collisions import Kind

if TYPE_CHECKING:
    from impinge._types import Floats, Longs
    from impinge.results.collisions import Collisions

KINDS = (Kind.CROSSING, Kind.POINT, Kind.SEGMENT, Kind.COPLANAR)


@dataclass(frozen=True, eq=False)
class BodyClash:
    """Two parts that meet, or one that meets itself: how often, and where."""

    a: str
    """Name of the first part."""
    b: str
    """Name of the second part."""
    kinds: dict[str, int]
    """Pairs of faces of each kind."""
    bounds: Floats
    """(2, 3) float64: box of all points where they cross, or where they touch if none cross."""
    length: float
    """Length of the curve in which they cross."""

    @property
    def pairs(self) -> int:
        """Pairs of faces of all kinds."""
        return sum(self.kinds.values())

    @property
    def crosses(self) -> bool:
        """A clash when triangles cross, else a contact that only touches."""
        return self.kinds["crossing"] > 0

    @property
    def size(self) -> float:
        """Diagonal of the box."""
        return float(np.linalg.norm(self.bounds[1] - self.bounds[0]))

    @property
    def center(self) -> Floats:
        """(3,) middle of the box."""
        low, high = self.bounds
        middle: Floats = low + (high - low) / 2
        return middle


@dataclass(frozen=True, eq=False)
class Clash(BodyClash):
    """A `BodyClash` of a result in memory: also the indices of its bodies and its rows."""

    bodies: tuple[int, int]
    """Indices of the two bodies."""
    rows: Longs
    """(n,) int64: its rows in the result."""


def clashes_of(hits: Collisions) -> list[Clash]:
    """One entry for each pair of bodies in the result, in the order of the bodies."""
    # faces that are only near do not meet
    meeting = np.flatnonzero(hits.kinds != Kind.NEAR)
    if not len(meeting):
        return []
    low, high = meeting_boxes(hits)
    lengths = np.linalg.norm(hits.segments[:, 1] - hits.segments[:, 0], axis=1)
    key = pair_keys(hits.bodies)
    order = meeting[np.argsort(key[meeting], kind="stable")]
    starts = np.flatnonzero(np.diff(key[order], prepend=-1))
    found = []
    for rows in np.split(order, starts[1:]):
        crossing = rows[hits.kinds[rows] == Kind.CROSSING]
        # Beside a crossing, flush faces are no part of the clash.
        where = crossing if len(crossing) else rows
        a, b = hits.bodies[rows[0]].tolist()
        kinds = {kind.name.lower(): int((hits.kinds[rows] == kind).sum()) for kind in KINDS}
        bounds = np.stack((low[where].min(axis=0), high[where].max(axis=0)))
        length = float(lengths[crossing].sum())
        found.append(Clash(hits.names[a], hits.names[b], kinds, bounds, length, (a, b), rows))
    return found


def meeting_boxes(hits: Collisions) -> tuple[Floats, Floats]:
    """(n, 3) lower and upper corner of where each pair of triangles meets."""
    return boxes_of_meetings(hits.segments, hits.polygons.points, hits.polygons.offsets)


def boxes_of_meetings(segments: Floats, points: Floats, offsets: Longs) -> tuple[Floats, Floats]:
    """(n, 3) corners of the boxes of segments (n, 2, 3) and of outlines, points (k, 3) from
    offsets (n + 1,) on."""
    low, high = segments.min(axis=1), segments.max(axis=1)
    filled = np.flatnonzero(np.diff(offsets))
    if len(filled):
        # A coplanar overlap is wider than the diagonal that stands for it among the segments.
        starts = offsets[filled]
        low[filled] = np.minimum(low[filled], np.minimum.reduceat(points, starts))
        high[filled] = np.maximum(high[filled], np.maximum.reduceat(points, starts))
    return low, high


def clash_dict(clash: BodyClash) -> dict[str, object]:
    """The entry of a clash in the JSON output, without its faces."""
    return {
        "a": clash.a,
        "b": clash.b,
        "verdict": "clash" if clash.crosses else "contact",
        "pairs": clash.pairs,
        "kinds": clash.kinds,
        "size": clash.size,
        "length": clash.length,
        "center": clash.center.tolist(),
        "bounds": clash.bounds.tolist(),
    }
