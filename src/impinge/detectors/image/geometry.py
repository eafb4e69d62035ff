"""All bodies of a query in one, as an image sees them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from impinge import _core

if TYPE_CHECKING:
    from impinge._types import Bools, Ints


@dataclass(frozen=True, eq=False)
class Geometry:
    """What is sampled. The id of a triangle is its row in `faces`; ids rise with body and face."""

    snapped: Ints
    """(n, 3) vertices of all bodies, see `View.snap`."""
    faces: Ints
    """(m, 3) rows of `snapped`; equal vertices of a body that is `alone` have one row."""
    body: Ints
    """(m,) body of each face."""
    face: Ints
    """(m,) its id within the body."""
    closed: Bools
    """Per body: every edge is used once in each direction. False when nobody asks."""
    alone: Bools
    """Per body: whether it is checked against itself."""

    _seen: dict[int, _core.Seen] = field(default_factory=dict, init=False, repr=False)

    def seen(self, resolution: int) -> _core.Seen:
        """As the native stages take it, checked once."""
        if resolution not in self._seen:
            self._seen[resolution] = self._checked(resolution)
        return self._seen[resolution]

    def _checked(self, resolution: int) -> _core.Seen:
        return _core.Seen(self.snapped, self.faces, self.body, self.closed, self.alone, resolution)
