"""Where a mesh is closest to points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from impinge.results.columns import Answer

if TYPE_CHECKING:
    from impinge._types import Floats, Ints


@dataclass(frozen=True, eq=False, repr=False)
class Nearest(Answer):
    """The closest point of a mesh to each of m points; the answer of `impinge.nearest`.

    All arrays are read-only. A mesh without faces is infinitely far away.

    See Also
    --------
    impinge.nearest

    Examples
    --------
    >>> import impinge
    >>> sheet = [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]
    >>> found = impinge.nearest(sheet, [(0.25, 0.25, 3), (-4, -3, 0)])
    >>> found.points.tolist(), found.distances.tolist(), found.faces.tolist()
    ([[0.25, 0.25, 0.0], [0.0, 0.0, 0.0]], [3.0, 5.0], [0, 0])
    """

    points: Floats
    """(m, 3) float64: on the mesh; NaN where it has no faces."""
    distances: Floats
    """(m,) float64: how far they are; inf where it has no faces."""
    faces: Ints
    """(m,) int32: the face, the lowest of several equally close; -1 where there are none."""

    exact = False
    """Points and distances are rounded."""

    def __len__(self) -> int:
        return len(self.distances)

    def __repr__(self) -> str:
        return f"Nearest({len(self):,} points)"
