"""Which motions of a robot are certainly free."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from impinge._arrays import read_only
from impinge._text import counted
from impinge.results.columns import Answer
from impinge.results.free import MotionVerdict

if TYPE_CHECKING:
    from impinge._types import Bools, Bytes, Floats, Ints, Longs


@dataclass(frozen=True, eq=False, repr=False)
class RobotMotions(Answer):
    """Which of n motions are free, for certain; the answer of `Robot.free`. Arrays are read-only.

    See Also
    --------
    impinge.robots.Robot.free
    impinge.Scene.free : The same for rigid motions of bodies.

    Examples
    --------
    >>> from impinge import data
    >>> from impinge.robots import Robot
    >>> arm = Robot.load(data.path("arm.urdf"))
    >>> found = arm.free([[0, 0, 0], [0, 0, 0]], [[1, 0.5, 0.5], [0, 1.5, 2.8]])
    >>> found.free.tolist(), found.blocked.tolist()
    ([True, False], [False, True])
    >>> found.pair(1)
    ('base', 'gripper')
    """

    free: Bools
    """(n,) bool: nothing collides anywhere on the way. Never wrong."""
    blocked: Bools
    """(n,) bool: there is a collision on the way. Never wrong."""
    times: Floats
    """(n,) float64: where that is known, from 0 at the start to 1; NaN where not blocked. There may
    be earlier ones."""
    configurations: Floats
    """(n, dof) float64: the configuration there; NaN where not blocked."""
    bodies: Ints
    """(n, 2) int32: which bodies collide there, indices of `names`; -1 where not blocked."""
    looked: Longs
    """(n,) int64: in how many configurations distances were asked."""
    names: tuple[str, ...]
    """Names of all bodies: those of the world, then the links with geometry."""

    exact = False
    """Verdicts are never wrong, but some may be uncertain."""

    @property
    def uncertain(self) -> Bools:
        """(n,) bool: neither is known. Two bodies come nearer to each other than the tolerance, and
        were not seen to collide."""
        uncertain: Bools = ~(self.free | self.blocked)
        return uncertain

    @property
    def verdicts(self) -> Bytes:
        """(n,) uint8, the numbers of a `MotionVerdict`, as `Scene.free` has them."""
        found = np.full(len(self), MotionVerdict.UNCERTAIN, dtype=np.uint8)
        found[self.free] = MotionVerdict.FREE
        found[self.blocked] = MotionVerdict.BLOCKED
        read_only(found)
        return found

    def pair(self, index: int) -> tuple[str, str] | None:
        """Names of the two bodies that block a motion; None when it is not blocked.

        Parameters
        ----------
        index : int
            Of the motion.
        """
        if not self.blocked[index]:
            return None
        a, b = self.bodies[index].tolist()
        return self.names[a], self.names[b]

    def __len__(self) -> int:
        return len(self.free)

    def __repr__(self) -> str:
        free, blocked = int(np.count_nonzero(self.free)), int(np.count_nonzero(self.blocked))
        rest = len(self) - free - blocked
        return (
            f"RobotMotions({counted(len(self), 'motion')}: {free:,} free, {blocked:,} blocked, "
            f"{rest:,} uncertain)"
        )
