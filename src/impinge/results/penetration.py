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

    `relation` is exact; the measures are sums in float64, rounded.

    See Also
    --------
    impinge.penetration

    Examples
    --------
    >>> import impinge
    >>> faces = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)]
    >>> corner = impinge.Mesh([(0, 0, 0), (6, 0, 0), (0, 6, 0), (0, 0, 6)], faces)
    >>> found = impinge.penetration(corner, corner)
    >>> found.relation.name, round(found.volume, 9)
    ('EQUAL', 36.0)
    """

    relation: Relation
    """How `a` lies to `b`."""
    volume: float
    """Of the overlap; 0.0 when there is none."""
    centroid: Floats | None
    """(3,) of the overlap; None when there is none."""
    bounds: Floats | None
    """(2, 3) lowest and highest corner of the overlap; None when there is none."""
