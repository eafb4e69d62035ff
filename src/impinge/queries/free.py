"""Whether bodies can move without a collision."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from impinge.queries.time_of_impact import moved
from impinge.results.free import BodyMotion, BodyMotions, MotionVerdict

if TYPE_CHECKING:
    from impinge.queries.path import Options
    from impinge.queries.plan import BodySet
    from impinge.queries.time_of_impact import Motions

# of what is proven about a contact by the core
_NOT_PROVEN = 0


def free_of(
    bodies: BodySet, options: Options, motions: Motions, within: float, touches: bool
) -> BodyMotion | BodyMotions:
    """The question of `Scene.free`."""
    pairs, columns, several = moved(bodies, options, motions, within, touches)
    times, faces, _, _, _, _, proofs, _ = columns
    verdicts = np.where(
        times == math.inf,
        MotionVerdict.FREE,
        np.where(proofs == _NOT_PROVEN, MotionVerdict.UNCERTAIN, MotionVerdict.BLOCKED),
    ).astype(np.uint8)
    found = BodyMotions(verdicts, times, pairs, faces, bodies.names)
    return found if several else found[0]
