"""Which bodies collide, with counts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from impinge._text import counted, table
from impinge.results.columns import Frozen

if TYPE_CHECKING:
    from impinge._types import Ints, Longs


@dataclass(frozen=True)
class BodyPair:
    """How many faces of two bodies meet; a == b for a body with itself."""

    a: int
    b: int
    name_a: str
    name_b: str
    count: int
    crossing: int
    touching: int


@dataclass(frozen=True, eq=False, repr=False)
class BodyPairs(Frozen):
    """The colliding pairs of bodies (k, 2), sorted; iterating gives one `BodyPair` each."""

    bodies: Ints
    counts: Longs
    """(k,) pairs of faces."""
    crossing: Longs
    """(k,) of these, pairs that cross."""
    names: tuple[str, ...]
    """Names of all bodies of the query."""

    @property
    def touching(self) -> Longs:
        """(k,) pairs of faces that only touch."""
        return self.counts - self.crossing

    def __len__(self) -> int:
        return len(self.bodies)

    def __getitem__(self, index: int) -> BodyPair:
        a, b = self.bodies[index].tolist()
        count, crossing = int(self.counts[index]), int(self.crossing[index])
        return BodyPair(a, b, self.names[a], self.names[b], count, crossing, count - crossing)

    def __iter__(self) -> Iterator[BodyPair]:
        return (self[index] for index in range(len(self)))

    def _rows(self) -> Iterator[tuple[str, ...]]:
        for row in self:
            yield f"{row.name_a} × {row.name_b}", f"{row.crossing:,}", f"{row.touching:,}"

    def __repr__(self) -> str:
        rows = [("", "crossing", "touching"), *islice(self._rows(), 40)]
        return table(counted(len(self), "pair") + " of bodies", rows if len(self) else [])
