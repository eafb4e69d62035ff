"""In which times two bodies clash while they move."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from impinge.motion import Motion, as_motions, at_rest
from impinge.queries.collides import collides
from impinge.queries.time_of_impact import impacts

if TYPE_CHECKING:
    from impinge._types import Bools, Floats
    from impinge.mesh import Mesh

# halvings of a step, for the end of a clash
_HALVINGS = 40


class ClashTime(NamedTuple):
    """From when to when two bodies clash, and where that begins."""

    begin: float
    end: float
    pair: tuple[int, int] | None
    point: Floats | None
    certain: bool


class MovingPair(NamedTuple):
    """Two bodies, and their poses (k, 4, 4) at times (k,); None where one rests."""

    a: Mesh
    b: Mesh
    poses_a: Floats | None
    poses_b: Floats | None
    times: Floats

    def crosses(self, own: Floats, other: Floats) -> Bools:
        """Whether faces cross in each pair of poses: exactly, but for their rounded product."""
        relative = np.linalg.inv(own) @ other
        relative[:, 3] = 0.0, 0.0, 0.0, 1.0
        return collides(self.a, self.b, poses=relative, touching="exclude")

    def crosses_at_steps(self) -> Bools:
        still = np.tile(np.eye(4), (len(self.times), 1, 1))
        return self.crosses(
            still if self.poses_a is None else self.poses_a,
            still if self.poses_b is None else self.poses_b,
        )

    def motions(self, first: int) -> tuple[Motion | None, Motion | None]:
        """From a step on."""
        times = self.times[first:]
        a, b = (
            None if poses is None else Motion(poses[first:], times=times)
            for poses in (self.poses_a, self.poses_b)
        )
        return a, b


def clash_times(pair: MovingPair, within: float) -> list[ClashTime]:
    """Times in which faces cross, deeper than a tolerance.

    A clash never begins later than told, whatever lies between the times: bodies move as a `Motion`
    does. It ends where the exact test finds no crossing at one of the times, halved down to where
    that begins; a gap that is shorter than a step may be missed.
    """
    times = pair.times
    crossing = pair.crosses_at_steps()
    if len(times) == 1:
        at = float(times[0])
        return [ClashTime(at, at, None, None, True)] if crossing[0] else []
    reaches = pair.a._farthest(), pair.b._farthest()
    found: list[ClashTime] = []
    first = 0
    while first < len(times) - 1:
        moves = [
            at_rest() if motion is None else as_motions(motion, "motion", reach)[:2]
            for motion, reach in zip(pair.motions(first), reaches, strict=True)
        ]
        impact = impacts(pair.a, pair.b, *moves, within=within, touches=False)[0]
        if math.isinf(impact.time):
            break
        end, first = _end(pair, crossing, impact.time)
        end = max(end, impact.time)
        found.append(ClashTime(impact.time, end, impact.pair, impact.point, impact.certain))
    return found


def _end(pair: MovingPair, crossing: Bools, begin: float) -> tuple[float, int]:
    """When a clash ends, and the first step after that."""
    times = pair.times
    after = int(np.searchsorted(times, begin, side="right"))
    over = np.flatnonzero(~crossing[after:])
    if not len(over):
        return float(times[-1]), len(times)
    step = after + int(over[0])
    low, high = max(begin, float(times[step - 1])), float(times[step])
    moves = pair.motions(0)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        poses = [np.eye(4)[None] if move is None else move.at([middle]) for move in moves]
        low, high = (middle, high) if pair.crosses(*poses)[0] else (low, middle)
    return high, step


def joined(found: list[ClashTime], gap: float) -> list[ClashTime]:
    """Clashes one after the other, as one where no more than a gap is between them.

    A body that is as long as the wall it goes through does not cross it for an instant.
    """
    result: list[ClashTime] = []
    for one in found:
        if result and one.begin <= result[-1].end + gap:
            result[-1] = result[-1]._replace(end=max(result[-1].end, one.end))
        else:
            result.append(one)
    return result
