"""Where a mesh is closest to points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from impinge.results.columns import Frozen

if TYPE_CHECKING:
    from impinge._types import Floats, Ints


@dataclass(frozen=True, eq=False, repr=False)
class Nearest(Frozen):
    """The closest point of a mesh to each of m points. Arrays are read-only."""

    points: Floats
    """(m, 3) of the mesh; NaN when it has no faces."""
    distances: Floats
    """(m,) to them; inf when the mesh has no faces."""
    faces: Ints
    """(m,) on which they are, of several the lowest; -1 when the mesh has no faces."""

    def __len__(self) -> int:
        return len(self.distances)

    def __repr__(self) -> str:
        return f"Nearest({len(self):,} points)"
