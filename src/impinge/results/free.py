"""Whether motions are free of collisions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

from impinge._text import counted
from impinge.results.columns import Answer

if TYPE_CHECKING:
    from impinge._types import Bytes, Floats, Ints


class MotionVerdict(IntEnum):
    """What is known about a motion.

    See Also
    --------
    impinge.Scene.free

    Examples
    --------
    >>> from impinge.results import MotionVerdict
    >>> MotionVerdict.FREE.name
    'FREE'
    """

    FREE = 0
    """Certainly no two bodies meet."""
    BLOCKED = 1
    """Two bodies certainly meet: they collide, by the exact test, in a pose of the motion."""
    UNCERTAIN = 2
    """Two bodies get within the tolerance, and no pose was found in which they collide."""


@dataclass(frozen=True, eq=False)
class BodyMotion(Answer):
    """Whether bodies can move so; the answer of `Scene.free`. True as a bool when certainly free.

    See Also
    --------
    impinge.Scene.free

    Examples
    --------
    >>> import impinge
    >>> import numpy as np
    >>> corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    >>> mesh = impinge.Mesh(corners, [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
    >>> scene = impinge.Scene()
    >>> _ = scene.add(mesh, name="floor"), scene.add(mesh, name="plate")
    >>> down = np.tile(np.eye(4), (2, 1, 1))
    >>> down[:, 2, 3] = 2.0, -2.0
    >>> found = scene.free({"plate": down})
    >>> bool(found), found.verdict.name, found.names
    (False, 'BLOCKED', ('floor', 'plate'))
    """

    verdict: MotionVerdict
    """What is known."""
    time: float
    """Until then the motion is certainly free; inf to the end."""
    bodies: tuple[int, int] | None
    """The two that get into each other's way first; None when free."""
    names: tuple[str, str] | None
    """Their names."""
    pair: tuple[int, int] | None
    """Faces of the two that do."""

    exact = False
    """The verdict is never wrong, but it may be uncertain, and the time is a bound."""

    def __bool__(self) -> bool:
        return self.verdict == MotionVerdict.FREE


@dataclass(frozen=True, eq=False, repr=False)
class BodyMotions(Answer):
    """The same for each of n motions; `motions[i]` is one `BodyMotion`. Arrays are read-only.

    See Also
    --------
    impinge.Scene.free

    Examples
    --------
    >>> import impinge
    >>> import numpy as np
    >>> corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    >>> mesh = impinge.Mesh(corners, [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
    >>> scene = impinge.Scene()
    >>> _ = scene.add(mesh, name="floor"), scene.add(mesh, name="plate")
    >>> motions = np.tile(np.eye(4), (2, 2, 1, 1))
    >>> motions[:, :, 2, 3] = (2, -2), (2, 3)
    >>> [one.verdict.name for one in scene.free({"plate": motions})]
    ['BLOCKED', 'FREE']
    """

    verdicts: Bytes
    """(n,) uint8, the numbers of a `MotionVerdict`."""
    times: Floats
    """(n,) float64: until then each motion is certainly free; inf to the end."""
    bodies: Ints
    """(n, 2) int32: the two that get into each other's way first; -1 when free."""
    pairs: Ints
    """(n, 2) int32: faces of the two that do; -1 when free."""
    names: tuple[str, ...]
    """Names of all bodies of the query."""

    exact = False
    """Verdicts are never wrong, but some may be uncertain, and times are bounds."""

    def __len__(self) -> int:
        return len(self.verdicts)

    def __getitem__(self, index: int) -> BodyMotion:
        verdict, time = MotionVerdict(int(self.verdicts[index])), float(self.times[index])
        a, b = self.bodies[index].tolist()
        if a < 0:
            return BodyMotion(verdict, time, None, None, None)
        face_a, face_b = self.pairs[index].tolist()
        names = self.names[a], self.names[b]
        return BodyMotion(verdict, time, (a, b), names, (face_a, face_b))

    def __iter__(self) -> Iterator[BodyMotion]:
        return (self[index] for index in range(len(self)))

    def __repr__(self) -> str:
        free = int((self.verdicts == MotionVerdict.FREE).sum())
        return f"BodyMotions({counted(len(self), 'motion')}, {free} certainly free)"
