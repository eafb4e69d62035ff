"""Contact points: pairs of points of two bodies, as forces need them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from impinge._arrays import read_only
from impinge._stats import Stats
from impinge._text import counted

if TYPE_CHECKING:
    from impinge._types import AnyArray, Bools, Floats, Ints
    from impinge.result import Origin


@dataclass(frozen=True, eq=False, repr=False)
class PointContacts:
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

    def __post_init__(self) -> None:
        for array in self._arrays().values():
            read_only(array)

    @property
    def method(self) -> str:
        """Name of the detector."""
        return self._origin.method

    @cached_property
    def stats(self) -> Stats:
        """Times and counters of the stages."""
        return Stats.of(self._origin.counters)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the bodies; `bodies` indexes them."""
        return self._origin.names or ()

    def __len__(self) -> int:
        return len(self.bodies)

    def __bool__(self) -> bool:
        return len(self) > 0

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers, lists and words."""
        return {
            "method": self.method,
            "count": len(self),
            "names": list(self.names),
            **{name: array.tolist() for name, array in self._arrays().items()},
            "stats": self.stats.to_dict(),
        }

    def _arrays(self) -> dict[str, AnyArray]:
        """Those that were asked for."""
        columns = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return {
            name: column
            for name, column in columns.items()
            if name != "_origin" and column is not None
        }

    def __getstate__(self) -> dict[str, Any]:
        # what was computed lazily is computed again when asked
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__post_init__()

    def __repr__(self) -> str:
        return f"PointContacts({counted(len(self), 'contact')})"
