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
    """How many faces of two bodies meet; a == b for a body with itself.

    See Also
    --------
    impinge.results.BodyPairs

    Examples
    --------
    >>> import impinge
    >>> from impinge import data
    >>> hits = impinge.load_scene(data.path("gearbox.glb")).collide(touching="exclude")
    >>> pair = hits.body_pairs[0]
    >>> pair.crossing == pair.count, pair.touching
    (True, 0)
    """

    a: int
    """Index of the first body."""
    b: int
    """Index of the second body, not lower."""
    name_a: str
    """Name of the first body."""
    name_b: str
    """Name of the second body."""
    count: int
    """Pairs of faces."""
    crossing: int
    """Of these, pairs that cross."""
    touching: int
    """Of these, pairs that only touch."""
    near: int | None = None
    """Of these, pairs that do not meet and are within the margin; None without one."""


@dataclass(frozen=True, eq=False, repr=False)
class BodyPairs(Frozen):
    """The colliding pairs of bodies, sorted; iterating gives one `BodyPair` each.

    See Also
    --------
    impinge.Collisions.body_pairs

    Examples
    --------
    >>> import impinge
    >>> from impinge import data
    >>> scene = impinge.load_scene(data.path("gearbox.glb"))
    >>> pairs = scene.collide(touching="exclude").body_pairs
    >>> len(pairs), pairs.bodies.shape
    (6, (6, 2))
    """

    bodies: Ints
    """(k, 2) int32: indices of the two bodies, the lower one first."""
    counts: Longs
    """(k,) int64: pairs of faces."""
    crossing: Longs
    """(k,) int64: of these, pairs that cross."""
    names: tuple[str, ...]
    """Names of all bodies of the query."""
    near: Longs | None = None
    """(k,) int64: of these, pairs that do not meet and are within the margin; None without one."""

    @property
    def touching(self) -> Longs:
        """(k,) int64: pairs of faces that only touch."""
        meeting = self.counts if self.near is None else self.counts - self.near
        return meeting - self.crossing

    def __len__(self) -> int:
        return len(self.bodies)

    def __getitem__(self, index: int) -> BodyPair:
        a, b = self.bodies[index].tolist()
        count, crossing = int(self.counts[index]), int(self.crossing[index])
        near = None if self.near is None else int(self.near[index])
        touching = count - crossing - (near or 0)
        return BodyPair(a, b, self.names[a], self.names[b], count, crossing, touching, near)

    def __iter__(self) -> Iterator[BodyPair]:
        return (self[index] for index in range(len(self)))

    def _rows(self) -> Iterator[tuple[str, ...]]:
        for row in self:
            near = () if row.near is None else (f"{row.near:,}",)
            yield f"{row.name_a} × {row.name_b}", f"{row.crossing:,}", f"{row.touching:,}", *near

    def _head(self) -> tuple[str, ...]:
        return ("crossing", "touching") if self.near is None else ("crossing", "touching", "near")

    def __repr__(self) -> str:
        rows = [("", *self._head()), *islice(self._rows(), 40)]
        return table(counted(len(self), "pair") + " of bodies", rows if len(self) else [])
