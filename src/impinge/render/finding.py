"""What is told and drawn about two bodies: one entry of a picture, a report or a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from impinge.results.check import Check
from impinge.results.verdict import CLASHES, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from impinge._types import Floats, Longs
    from impinge.results.check_row import CheckRow
    from impinge.results.clashes import Clash
    from impinge.results.collisions import Collisions

NO_ROWS: Longs = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Finding:
    """Two bodies, or one with itself, and what is known about them."""

    number: int
    """Of the report, of the viewer and of the pins in pictures."""
    verdict: Verdict
    bodies: tuple[int, int]
    names: tuple[str, str]
    bounds: Floats
    """(2, 3) box of where they overlap, touch or are closest."""
    faces: Clash | None
    """Their faces that meet; None: none do."""
    row: CheckRow | None
    """What was measured; None: only the faces were asked for."""

    @property
    def clashes(self) -> bool:
        return self.verdict in CLASHES

    @property
    def title(self) -> str:
        a, b = self.names
        return f"{a} (itself)" if self.bodies[0] == self.bodies[1] else f"{a} × {b}"

    @property
    def center(self) -> Floats:
        """(3,) middle of the box."""
        low, high = self.bounds
        middle: Floats = low + (high - low) / 2
        return middle

    @property
    def rows(self) -> Longs:
        """(n,) rows of the pairs of faces."""
        return NO_ROWS if self.faces is None else self.faces.rows

    @property
    def depth(self) -> float | None:
        return None if self.row is None else self.row.depth

    @property
    def volume(self) -> float | None:
        return None if self.row is None else self.row.volume

    @property
    def reason(self) -> str | None:
        return None if self.row is None else self.row.reason

    @property
    def distance(self) -> float | None:
        return None if self.row is None else self.row.distance

    @property
    def gap(self) -> Floats | None:
        """(2, 3) the closest points of two bodies that are near each other."""
        return self.row.points if self.row is not None and self.verdict == Verdict.NEAR else None


def findings_of(result: Collisions | Check, hits: Collisions) -> tuple[Finding, ...]:
    """Clashes first, then contacts, then gaps: the deepest and the narrowest first.

    Of faces alone neither depth nor gaps are known. `hits` tells which faces meet.
    """
    entries = list(_checked(result, hits) if isinstance(result, Check) else _met(hits))
    return tuple(
        Finding(number, verdict, (a, b), (hits.names[a], hits.names[b]), bounds, faces, row)
        for number, (verdict, (a, b), bounds, faces, row) in enumerate(entries, 1)
    )


_Entry = tuple[Verdict, tuple[int, int], "Floats", "Clash | None", "CheckRow | None"]


def _met(hits: Collisions) -> Iterator[_Entry]:
    for crosses, verdict in ((True, Verdict.CLASH), (False, Verdict.CONTACT)):
        for clash in hits.clashes:
            if clash.crosses == crosses:
                yield verdict, clash.bodies, clash.bounds, clash, None


def _checked(check: Check, hits: Collisions) -> Iterator[_Entry]:
    faces = {clash.bodies: clash for clash in hits.clashes}
    for row in check.sorted("verdict"):
        pair = (row.a, row.b)
        yield row.verdict, pair, row.bounds, faces.get(pair), row
    for (a, b), clash in faces.items():
        # a check tells nothing of a body with itself
        if a == b and clash.crosses:
            yield Verdict.CLASH, (a, b), clash.bounds, clash, None
