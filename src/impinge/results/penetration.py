"""How deep and how much two solids overlap."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from impinge._arrays import read_only
from impinge.results.columns import Answer

if TYPE_CHECKING:
    from collections.abc import Callable

    from impinge._types import Floats
    from impinge.results.gradient import Gradient
    from impinge.results.relation import Relation


@dataclass(frozen=True, eq=False)
class Penetration(Answer):
    """What two solids have in common. Arrays are read-only.

    `relation` is exact, `depth_bounds` are certain, `translation` is verified; `volume`, `centroid`
    and `bounds` are rounded.

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
    depth: float
    """The greatest distance of a common point from the boundary of `a` or of `b`, the lower one of
    `depth_bounds`; 0.0 when there is no overlap."""
    depth_bounds: Floats
    """(2,) between which the depth is for certain."""
    point: Floats | None
    """(3,) a common point that is so deep; None when there is none."""
    volume: float
    """Of the overlap; 0.0 when there is none."""
    centroid: Floats | None
    """(3,) of the overlap; None when there is none."""
    bounds: Floats | None
    """(2, 3) lowest and highest corner of the overlap; None when there is none."""
    depth_gradient: Gradient | None = None
    """How `depth` changes when the solids move or deform. None when not asked for, and when no
    deepest point is found next to `point`."""
    volume_gradient: Gradient | None = None
    """How `volume` changes when the solids move or deform; None when not asked for."""
    exact = False
    """Only `relation` is; `depth_bounds` are certain, and the rest is rounded."""

    _way_out: Callable[[], Floats] | None = field(default=None, repr=False)

    @cached_property
    def translation(self) -> Floats:
        """(3,) by which `b` can be moved so that they overlap no more, as the exact verdict on the
        moved coordinates says; as short as was found, for convex solids within rounding of the
        shortest. Zero when there is no overlap. Searched for when it is first asked for."""
        found: Floats = np.zeros(3) if self._way_out is None else self._way_out()
        read_only(found)
        return found

    @property
    def normal(self) -> Floats | None:
        """(3,) unit vector of the translation, from `a` to `b`; None when there is no overlap."""
        length = float(np.linalg.norm(self.translation))
        return self.translation / length if length else None

    def __getstate__(self) -> dict[str, Any]:
        # the solids stay behind
        return {**super().__getstate__(), "_way_out": None, "translation": self.translation}
