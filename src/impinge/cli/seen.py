"""What a method other than the default one sees of the pairs that a check has found."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from impinge._pairs import pair_keys
from impinge.errors import CapabilityError, InputError

if TYPE_CHECKING:
    from impinge._types import Bools, Ints, Progress
    from impinge.results.check import Check
    from impinge.scene import Scene


class Seen(NamedTuple):
    """The pairs that a method should have found, those it did not, and what it said."""

    pairs: int
    missed: list[tuple[str, str]]
    what: str
    warnings: tuple[str, ...] = ()

    def told(self, method: str) -> str:
        """In one line."""
        line = f"{method} found {self.pairs - len(self.missed):,} of the {self.pairs:,} {self.what}"
        if self.missed:
            line += ", not " + ", ".join(f"{a} × {b}" for a, b in self.missed[:5])
            line += f" and {len(self.missed) - 5:,} more" if len(self.missed) > 5 else ""
        return f"{line}; the verdicts above do not depend on it.\n"


def seen_by(
    method: str, scene: Scene, check: Check, *, workers: int | None, progress: Progress
) -> Seen | str:
    """What the method finds; a sentence when it cannot be asked about these parts."""
    from impinge.detectors import detector

    able = detector(method).capabilities
    try:
        if "pairs" in able:
            hits = scene.collide(method=method, mode="first", workers=workers, progress=progress)
            meeting = np.array([len(row.face_pairs) > 0 for row in check], dtype=bool)
            what = "pairs of parts whose faces meet"
            return _compared(check, meeting, hits.bodies, what, hits.warnings)
        overlapping = check.depths[:, 0] > 0
        if "overlaps" in able:
            seen = scene.overlaps(method=method, workers=workers, progress=progress)
            return _compared(check, overlapping, seen.pairs, "overlapping pairs", seen.warnings)
        points = scene.contact_points(method=method, workers=workers, progress=progress)
        return _compared(check, overlapping, points.bodies, "overlapping pairs", points.warnings)
    except (InputError, CapabilityError) as error:
        return f"{method} cannot tell: {error}"


def _compared(
    check: Check, expected: Bools, found: Ints, what: str, warnings: tuple[str, ...]
) -> Seen:
    wanted = check.bodies[expected]
    known = pair_keys(np.sort(found.reshape(-1, 2), axis=1))
    missing = wanted[~np.isin(pair_keys(wanted), known)]
    names = [(check.names[a], check.names[b]) for a, b in missing.tolist()]
    return Seen(len(wanted), names, what, warnings)
