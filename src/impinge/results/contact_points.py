"""Contact points: pairs of points of two bodies, as forces need them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from impinge._text import counted
from impinge.results.columns import Columns

if TYPE_CHECKING:
    from impinge._types import Bools, Floats, Ints
    from impinge.results.columns import Origin


@dataclass(frozen=True, eq=False, repr=False)
class ContactPoints(Columns):
    """Contacts of a point of one body with a point of another, or of the same; sorted.

    Each point is a weighted sum of vertices, four in all. All arrays are read-only.
    """

    bodies: Ints
    """(n, 2) int32: body of the first point, body of the second."""
    vertices: Ints
    """(n, 4) int32: the vertices within their bodies."""
    owners: Ints
    """(n, 4) int32: body of each of the four vertices."""
    coefficients: Floats
    """(n, 4): weights of the vertices; of the first point positive, of the second negative."""
    points: Floats
    """(n, 2, 3): the two points, in world coordinates."""
    normals: Floats
    """(n, 3): unit normal of the second surface at the contact."""
    weights: Floats
    """(n,): how far a contact is trusted, in (0, 1]."""
    rest: Floats
    """(n,): distance of the points at which the force vanishes."""
    faces: Ints
    """(n,) int32: face of the second body; -1 for edge with edge."""
    _origin: Origin
    suspicious: Bools | None = None
    """(n,) bool: contacts of a body with itself that may be as deep as it is thick, so that the
    second point is the far side at rest; None when self-collision was not asked for."""

    def __repr__(self) -> str:
        return f"ContactPoints({counted(len(self), 'contact point')})"
