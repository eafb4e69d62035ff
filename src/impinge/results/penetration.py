"""How much two solids overlap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from impinge.results.columns import Frozen

if TYPE_CHECKING:
    from impinge._types import Floats
    from impinge.results.relation import Relation


@dataclass(frozen=True, eq=False)
class Penetration(Frozen):
    """What two solids have in common. Arrays are read-only.

    `relation` is exact; the measures are rounded, as docs/solids.md tells.
    """

    relation: Relation
    """How `a` lies to `b`."""
    volume: float
    """Of the overlap; 0.0 when there is none."""
    centroid: Floats | None
    """(3,) of the overlap; None when there is none."""
    bounds: Floats | None
    """(2, 3) lowest and highest corner of the overlap; None when there is none."""
