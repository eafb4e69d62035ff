"""Whether straight lines in joint space are free, for certain.

At a configuration on the way, two bodies are so far apart. They come nearer no faster than `Reach`
bounds. So around it a piece of the way is certainly free, as long as the distance lasts; what is
left to the left and right of it is asked about next, all motions in one call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from impinge._types import Bools, Floats, Ints, Longs

_EPS = float(np.finfo(np.float64).eps)


class Near(NamedTuple):
    """Pairs of bodies that are near each other in some of m configurations."""

    pose: Ints
    """Which configuration."""
    column: Ints
    """Which pair: a column of `Speeds.of`."""
    bodies: Ints
    """(k, 2): which bodies of the scene."""
    values: Floats
    """How far apart they are; 0.0 exactly when they collide."""


class Motions(NamedTuple):
    """Straight lines in joint space, and how fast pairs of bodies can approach along them."""

    start: Floats
    """(n, dof)."""
    change: Floats
    """(n, dof): what is added on the way from 0 to 1."""
    speeds: Floats
    """(n, k): bounds for k pairs."""
    slack: Floats
    """(n,): what rounding can hide of a distance."""


class Verdicts:
    """What is known of n motions; filled while it is found out."""

    def __init__(self, count: int) -> None:
        self.blocked: Bools = np.zeros(count, dtype=bool)
        self.unsure: Bools = np.zeros(count, dtype=bool)
        self.times: Floats = np.full(count, np.nan)
        self.bodies: Ints = np.full((count, 2), -1, dtype=np.int32)
        self.looked: Longs = np.zeros(count, dtype=np.int64)


class _Pieces(NamedTuple):
    """Pieces of motions of which nothing is known yet."""

    motion: Longs
    middle: Floats
    half: Floats
    """Half of the width."""

    def take(self, which: Longs | Bools | slice) -> _Pieces:
        return _Pieces(self.motion[which], self.middle[which], self.half[which])

    def without_middle(self, reached: Floats) -> tuple[_Pieces, _Pieces]:
        """What is left of each to the left and right of its middle."""
        half = 0.5 * (self.half - reached)
        shift = 0.5 * (self.half + reached)
        return (
            _Pieces(self.motion, self.middle - shift, half),
            _Pieces(self.motion, self.middle + shift, half),
        )


class Judge:
    """Asks until every motion is free, blocked, or nearer than a tolerance.

    nearest : Configurations (m, dof) and a bound to the pairs that are not farther apart.
    tolerance : A length; motions on which pairs come nearer may be left undecided.
    horizon : A length; distances beyond it are never asked for.
    batch : At most so many configurations are asked about at once.
    """

    def __init__(
        self,
        nearest: Callable[[Floats, float], Near],
        *,
        tolerance: float,
        horizon: float,
        batch: int,
    ) -> None:
        self._nearest = nearest
        self._tolerance, self._horizon, self._batch = tolerance, horizon, batch

    def __call__(self, motions: Motions, step: Callable[[float], None]) -> Verdicts:
        """The verdicts; `step` is told how much of all the way is decided."""
        count = len(motions.start)
        found = Verdicts(count)
        fastest = motions.speeds.max(axis=1, initial=0.0)
        pieces = _Pieces(np.arange(count), np.full(count, 0.5), np.full(count, 0.5))
        while len(pieces.motion):
            # the widest first: what blocks a motion soon spares all the rest of it
            later = pieces.take(slice(self._batch, None))
            pieces = pieces.take(slice(0, self._batch))
            reached = self._look(motions, fastest, pieces, found)
            unknown = (reached < pieces.half) & ~found.blocked[pieces.motion]
            hopeless = unknown & (fastest[pieces.motion] * pieces.half <= self._tolerance)
            found.unsure[pieces.motion[hopeless]] = True
            split = unknown & ~hopeless
            parts = pieces.take(split).without_middle(reached[split])
            pieces = _joined(later, *parts)
            pieces = pieces.take(~found.blocked[pieces.motion])
            pieces = pieces.take(np.argsort(-pieces.half, kind="stable"))
            step(1.0 - float(pieces.half.sum()) * 2.0 / count)
        found.unsure &= ~found.blocked
        return found

    def _look(self, motions: Motions, fastest: Floats, pieces: _Pieces, found: Verdicts) -> Floats:
        """(m,): how far to both sides of its middle each piece is certainly free."""
        motion, middle, half = pieces
        slack, top = motions.slack[motion], fastest[motion]
        bound = min(float((top * half + slack).max()) * (1.0 + 8.0 * _EPS), self._horizon)
        bound = max(bound, 2.0 * float(slack.max()))
        at = motions.start[motion] + middle[:, None] * motions.change[motion]
        near = self._nearest(at, bound)
        found.looked += np.bincount(motion, minlength=len(found.looked))
        with np.errstate(divide="ignore", invalid="ignore"):
            # all pairs that are not named are farther apart than the bound
            reached = np.where(top > 0.0, (bound - slack) / top, np.inf)
            gap = near.values - slack[near.pose]
            own = gap / motions.speeds[motion[near.pose], near.column]
        np.minimum.at(reached, near.pose, np.where(gap > 0.0, own, 0.0))
        _note_hits(near, motion, middle, found)
        return reached


def _joined(*pieces: _Pieces) -> _Pieces:
    return _Pieces(
        np.concatenate([each.motion for each in pieces]),
        np.concatenate([each.middle for each in pieces]),
        np.concatenate([each.half for each in pieces]),
    )


def _note_hits(near: Near, motion: Longs, middle: Floats, found: Verdicts) -> None:
    """Of each motion the first collision that was seen, and of that the first pair."""
    hit = np.flatnonzero(near.values == 0.0)
    times = middle[near.pose[hit]]
    order = np.lexsort((near.bodies[hit, 1], near.bodies[hit, 0], times))
    edges, first = np.unique(motion[near.pose[hit[order]]], return_index=True)
    rows = hit[order][first]
    found.blocked[edges] = True
    found.times[edges] = middle[near.pose[rows]]
    found.bodies[edges] = near.bodies[rows]
