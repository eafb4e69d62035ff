"""How solids lie to each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from itertools import islice
from typing import TYPE_CHECKING

from impinge._text import counted, table
from impinge.results.columns import Answer

if TYPE_CHECKING:
    from impinge._types import Ints, Signs


class Relation(IntEnum):
    """How solid `a` lies to solid `b`; both are closed sets, with their boundaries.

    See Also
    --------
    impinge.relation

    Examples
    --------
    >>> import impinge
    >>> faces = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)]
    >>> corner = impinge.Mesh([(0, 0, 0), (6, 0, 0), (0, 6, 0), (0, 0, 6)], faces)
    >>> impinge.relation(corner, corner) is impinge.Relation.EQUAL
    True
    """

    APART = 0
    """No point in common; also one in a cavity of the other."""
    TOUCHING = 1
    """Points in common, but none that is inside both."""
    OVERLAPPING = 2
    """Points inside both, and points of each outside the other."""
    A_INSIDE = 3
    """All of `a` is in `b`, touching its boundary or not, and not all of `b` in `a`."""
    B_INSIDE = 4
    """All of `b` is in `a`, and not all of `a` in `b`."""
    EQUAL = 5
    """The same set of points, however the surfaces are cut into faces."""


@dataclass(frozen=True)
class BodyRelation:
    """How two bodies of a scene lie to each other: a row of `Relations`.

    Examples
    --------
    >>> import impinge
    >>> faces = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)]
    >>> corners = [(0, 0, 0), (6, 0, 0), (0, 6, 0), (0, 0, 6)]
    >>> scene = impinge.Scene()
    >>> _ = scene.add(corners, faces, name="one"), scene.add(corners, faces, name="two")
    >>> row = scene.relations()[0]
    >>> row.name_a, row.name_b, row.relation.name
    ('one', 'two', 'EQUAL')
    """

    a: int
    """Index of the first body."""
    b: int
    """Index of the second body."""
    name_a: str
    """Name of the first body."""
    name_b: str
    """Name of the second body."""
    relation: Relation
    """How `a` lies to `b`."""


@dataclass(frozen=True, eq=False, repr=False)
class Relations(Answer):
    """One row per pair of bodies whose boxes meet, sorted; iterating gives a `BodyRelation` each.

    All other pairs are apart. Arrays are read-only.

    See Also
    --------
    impinge.Scene.relations

    Examples
    --------
    >>> import impinge
    >>> faces = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)]
    >>> scene = impinge.Scene()
    >>> for x in (0, 2, 9):
    ...     _ = scene.add([(x, 0, 0), (x + 6, 0, 0), (x, 6, 0), (x, 0, 6)], faces)
    >>> found = scene.relations()
    >>> found.bodies.tolist(), [row.relation.name for row in found]
    ([[0, 1]], ['OVERLAPPING'])
    """

    bodies: Ints
    """(k, 2) int32, the lower index first."""
    relations: Signs
    """(k,) int8, the numbers of a `Relation`."""
    names: tuple[str, ...]
    """Names of all bodies of the query."""

    def __len__(self) -> int:
        return len(self.bodies)

    def __getitem__(self, index: int) -> BodyRelation:
        a, b = self.bodies[index].tolist()
        relation = Relation(int(self.relations[index]))
        return BodyRelation(a, b, self.names[a], self.names[b], relation)

    def __iter__(self) -> Iterator[BodyRelation]:
        return (self[index] for index in range(len(self)))

    def __repr__(self) -> str:
        rows = ((f"{row.name_a} × {row.name_b}", row.relation.name.lower()) for row in self)
        return table(counted(len(self), "pair") + " of bodies", list(islice(rows, 40)))
