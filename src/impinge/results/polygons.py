"""The outlines of coplanar overlaps, one slot per colliding pair."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from impinge.results.columns import Frozen

if TYPE_CHECKING:
    from impinge._types import Floats, Longs


@dataclass(frozen=True, eq=False, repr=False)
class Polygons(Frozen):
    """Outlines of coplanar overlaps: a sequence of n arrays (k_i, 3), one for each pair.

    Polygon i is `points[offsets[i]:offsets[i + 1]]`, empty unless pair i overlaps in a plane.

    See Also
    --------
    impinge.Collisions.polygons

    Examples
    --------
    >>> import impinge
    >>> sheet = [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]
    >>> hits = impinge.collide(sheet, sheet)
    >>> hits.polygons[0].tolist()
    [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    """

    points: Floats
    """(k, 3) float64: the corners of all outlines."""
    offsets: Longs
    """(n + 1,) int64: where the outline of each pair begins and ends."""

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, index: int) -> Floats:
        # range knows the meaning of negative and too large indices
        slot = range(len(self))[index]
        return self.points[self.offsets[slot] : self.offsets[slot + 1]]

    def __iter__(self) -> Iterator[Floats]:
        return (self[index] for index in range(len(self)))

    def __repr__(self) -> str:
        outlines = int((self.offsets[1:] > self.offsets[:-1]).sum())
        return f"Polygons({outlines:,} outlines of {len(self):,} pairs)"
