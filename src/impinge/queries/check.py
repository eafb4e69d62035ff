"""Which parts of an assembly clash, touch, or are near each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from impinge import _core
from impinge._options import checked_bool, checked_length
from impinge._pairs import pair_keys
from impinge.detectors.protocol import NO_BODIES, SceneQuery
from impinge.errors import InputError
from impinge.queries.parts import SceneParts
from impinge.queries.path import ask
from impinge.queries.plan import check_here
from impinge.queries.verdicts import Rows, judge_faces, judge_gaps, judge_solids
from impinge.results.check import Check
from impinge.results.collisions import Collisions

if TYPE_CHECKING:
    from impinge._options import Tick
    from impinge._types import Floats, Ints
    from impinge.queries.kept import Kept
    from impinge.queries.path import Options
    from impinge.queries.plan import BodySet

# of the progress: until faces are found, solids measured, and gaps
_FACES, _SOLIDS = 0.2, 0.9


class CheckOptions(NamedTuple):
    """What `Scene.check` takes beside the options of every question."""

    tolerance: float | None
    """None: the precision of the parts."""
    clearance: float
    """Below 0: not asked for."""
    facets: bool
    kept: Kept
    """From the check before, and for the next one."""


def check_options(tolerance: object, clearance: object, facets: object, kept: Kept) -> CheckOptions:
    """The options of `Scene.check`, checked."""
    if isinstance(tolerance, str) and tolerance != "precision":
        raise InputError(
            f'tolerance must be a finite distance of at least 0, or "precision", got {tolerance!r}'
        )
    return CheckOptions(
        None if isinstance(tolerance, str) else checked_length("tolerance", tolerance),
        -1.0 if clearance is None else checked_length("clearance", clearance),
        checked_bool("facets", facets),
        kept,
    )


def check_of(bodies: BodySet, options: Options, asked: CheckOptions) -> Check:
    """The question of `Scene.check`."""
    check_here(bodies, "checks")
    # before the progress callable can move anything
    local = np.array([body.mesh.precision for body in bodies.bodies], dtype=np.float64)
    world = np.array([body._precision() for body in bodies.bodies], dtype=np.float64)
    parts = SceneParts(bodies.shapes(), bodies.names, local, options.workers)
    return ask(options.tick, _check, bodies, parts, world, options, asked)


def _check(
    bodies: BodySet, parts: SceneParts, world: Floats, options: Options, asked: CheckOptions
) -> Check:
    kept = asked.kept
    pairs = _near_pairs(bodies, parts, world, asked)
    parts.prepare(np.unique(pairs).tolist())
    if asked.tolerance is None:
        tolerances = world[pairs].sum(axis=1)
    else:
        tolerances = np.full(len(pairs), asked.tolerance)
    rows = Rows(pairs, tolerances, ~parts.are_solids(pairs))
    found = _collisions(bodies, parts, pairs, options)
    judge_solids(rows, parts, asked.facets, kept.overlaps, _phase(options.tick, _FACES, _SOLIDS))
    judge_faces(rows, parts, found, kept.meetings)
    judge_gaps(rows, parts, asked.clearance, kept.gaps, _phase(options.tick, _SOLIDS, 1.0))
    warnings = (*parts.warnings(), *rows.warnings)
    return Check(
        **rows.columns(),
        tolerance=asked.tolerance,
        clearance=asked.clearance if asked.clearance >= 0 else None,
        facets=asked.facets,
        names=bodies.names,
        warnings=warnings,
        collisions=_of_given_faces(found, parts.face_limits()),
        _parts=parts,
    )


def _near_pairs(
    bodies: BodySet, parts: SceneParts, precisions: Floats, asked: CheckOptions
) -> Ints:
    """Pairs (k, 2), sorted, whose boxes meet, grown by what may be between them."""
    reach = precisions if asked.tolerance is None else np.full(len(precisions), asked.tolerance / 2)
    # a little more, for the rounding of the sum
    grown = np.maximum(reach, asked.clearance / 2)[:, None] * (1 + 1e-9)
    boxes = parts.boxes()
    reached = np.where(np.isfinite(boxes), np.abs(boxes), 0.0).max(axis=(1, 2), initial=0.0)
    slack = grown + 2.0**-48 * reached[:, None]
    boxes[:, 0] -= slack
    boxes[:, 1] += slack
    pairs = _core.meeting_boxes(boxes, parts.workers)
    if bodies.body_pairs is not None:
        pairs = pairs[np.isin(pair_keys(pairs), pair_keys(bodies.body_pairs))]
    elif bodies.ignored is not None:
        pairs = pairs[~np.isin(pair_keys(pairs), bodies.ignored)]
    return np.ascontiguousarray(pairs)


def _collisions(bodies: BodySet, parts: SceneParts, pairs: Ints, options: Options) -> Collisions:
    """The faces of parts that meet."""
    tick = _phase(options.tick, 0.0, _FACES)
    shapes = parts.shapes
    asked = options._replace(tick=tick)
    query = SceneQuery(shapes, pairs, NO_BODIES, *asked[1:], bodies.names)
    raw = options.detector.scene(query)  # type: ignore[attr-defined]
    origin = bodies.origin(options.detector.name, raw.counters, shapes)
    return Collisions(raw.pairs, raw.kinds, None, raw.bodies, origin, complete=raw.complete)


def _of_given_faces(found: Collisions, limits: Ints) -> Collisions:
    """Without the faces that fill holes."""
    given = (found.pairs < limits[found.bodies]).all(axis=1)
    if given.all():
        return found
    pairs, kinds, bodies = found.pairs[given], found.kinds[given], found.bodies[given]
    return Collisions(pairs, kinds, None, bodies, found._origin, complete=found.complete)


def _phase(tick: Tick | None, begin: float, end: float) -> Tick | None:
    """What reports a part of the progress."""
    if tick is None:
        return None

    def report(fraction: float) -> bool:
        return tick(begin + (end - begin) * fraction)

    return report  # type: ignore[return-value]
