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
    """Polygon i is `points[offsets[i]:offsets[i + 1]]`, empty unless pair i overlaps coplanarly.

    `points` (k, 3) float64, `offsets` (n + 1,) int64; a sequence of n arrays (k_i, 3).
    """

    points: Floats
    offsets: Longs

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
