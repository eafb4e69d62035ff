"""Which parts of an assembly clash, touch, or are near each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from impinge import _core
from impinge._options import checked_bool, checked_length
from impinge._pairs import pair_keys
from impinge.queries.collide import collisions_of
from impinge.queries.parts import SceneParts
from impinge.queries.path import ask
from impinge.queries.penetrations import A_IN_B, B_IN_A, SAME_SURFACE, measured
from impinge.queries.plan import check_here
from impinge.queries.solids import AT_REST
from impinge.results.check import Check
from impinge.results.clashes import clashes_of
from impinge.results.collisions import Kind
from impinge.results.relation import Relation
from impinge.results.verdict import Verdict

if TYPE_CHECKING:
    from impinge._types import Floats, Ints
    from impinge.queries.path import Options
    from impinge.queries.plan import BodySet
    from impinge.results.collisions import Collisions

ACCURACY = 1e-3
"""How close the bounds of a depth are to each other, relatively."""


class CheckOptions(NamedTuple):
    """What `Scene.check` takes beside the options of every question."""

    tolerance: float | None
    """None: the precision of the parts."""
    clearance: float
    facets: bool


def check_options(tolerance: object, clearance: object, facets: object) -> CheckOptions:
    """The options of `Scene.check`, checked."""
    precision = isinstance(tolerance, str) and tolerance == "precision"
    return CheckOptions(
        None if precision else checked_length("tolerance", tolerance),
        -1.0 if clearance is None else checked_length("clearance", clearance),
        checked_bool("facets", facets),
    )


def check_of(bodies: BodySet, options: Options, asked: CheckOptions) -> Check:
    """The question of `Scene.check`."""
    check_here(bodies, "checks")
    return ask(options.tick, _check, bodies, options._replace(tick=None), asked)


def _check(bodies: BodySet, options: Options, asked: CheckOptions) -> Check:
    parts = SceneParts(bodies.shapes(), bodies.names, options.workers)
    precisions = np.array([body._precision() for body in bodies.bodies])
    pairs = _near_pairs(bodies, parts.boxes, precisions, asked)
    tolerances = _tolerances(pairs, precisions, asked)
    collisions = collisions_of(bodies, options, False, None)
    rows = _Rows(pairs, tolerances)
    both = parts.solids[pairs].all(axis=1)
    rows.surfaces[:] = ~both
    _judge_solids(rows, np.flatnonzero(both), parts, options)
    _judge_faces(rows, collisions)
    _judge_gaps(rows, parts, asked, options)
    return rows.frozen(bodies.names, parts, collisions, asked)


class _Rows:
    """The columns of a `Check` while they are filled; rows without a verdict are left out."""

    def __init__(self, pairs: Ints, tolerances: Floats) -> None:
        count = len(pairs)
        self.bodies, self.tolerances = pairs, tolerances
        self.verdicts = np.full(count, "", dtype="<U9")
        self.reasons = np.full(count, "", dtype="<U9")
        self.relations = np.full(count, -1, dtype=np.int8)
        self.depths = np.full((count, 2), np.nan)
        self.deepest = np.full((count, 3), np.nan)
        self.volumes = np.full(count, np.nan)
        self.distances = np.zeros(count)
        self.points = np.full((count, 2, 3), np.nan)
        self.bounds = np.full((count, 2, 3), np.nan)
        self.surfaces = np.zeros(count, dtype=bool)
        self.warnings: list[str] = []

    def frozen(
        self,
        names: tuple[str, ...],
        parts: SceneParts,
        collisions: Collisions,
        asked: CheckOptions,
    ) -> Check:
        fields = {name: getattr(self, name) for name in vars(self) if name != "warnings"}
        kept = self.verdicts != ""
        columns = {name: column[kept] for name, column in fields.items()}
        told = (*parts.warnings, *self.warnings)
        return Check(
            tolerance=asked.tolerance,
            clearance=asked.clearance if asked.clearance >= 0 else None,
            facets=asked.facets,
            names=names,
            warnings=told,
            collisions=collisions,
            _parts=parts,
            **columns,
        )


def _near_pairs(bodies: BodySet, boxes: Floats, precisions: Floats, asked: CheckOptions) -> Ints:
    """Pairs (k, 2), sorted, whose boxes grown by what they may be apart meet."""
    reach = precisions if asked.tolerance is None else np.full(len(boxes), asked.tolerance / 2)
    grown = np.maximum(reach, asked.clearance / 2) * (1 + 1e-9)
    low, high = boxes[:, 0] - grown[:, None], boxes[:, 1] + grown[:, None]
    found = []
    for index in range(len(boxes)):
        meets = ((low[index] <= high[index + 1 :]) & (high[index] >= low[index + 1 :])).all(axis=1)
        others = np.flatnonzero(meets) + index + 1
        found.append(np.stack((np.full(len(others), index), others), axis=1))
    pairs = np.concatenate([np.zeros((0, 2)), *found]).astype(np.int32)
    if bodies.body_pairs is not None:
        pairs = pairs[np.isin(pair_keys(pairs), pair_keys(bodies.body_pairs))]
    elif bodies.ignored is not None:
        pairs = pairs[~np.isin(pair_keys(pairs), bodies.ignored)]
    return pairs


def _tolerances(pairs: Ints, precisions: Floats, asked: CheckOptions) -> Floats:
    if asked.tolerance is None:
        sums: Floats = precisions[pairs].sum(axis=1)
        return sums
    return np.full(len(pairs), asked.tolerance)


def _judge_solids(rows: _Rows, chosen: Ints, parts: SceneParts, options: Options) -> None:
    """The verdicts on overlaps and contacts of pairs of solids."""
    solids = [part.solid for part in parts.parts]
    limits = rows.tolerances[chosen]
    pairs = rows.bodies[chosen]
    found = measured(solids, pairs, limits, accuracy=ACCURACY, workers=options.workers, tick=None)
    overlap = found.relations > Relation.TOUCHING
    rows.relations[chosen] = found.relations
    rows.depths[chosen] = np.where(overlap[:, None], found.depths, 0.0)
    rows.volumes[chosen] = np.where(overlap, found.volumes, 0.0)
    rows.deepest[chosen] = found.points
    rows.bounds[chosen] = found.bounds
    verdicts, reasons = rows.verdicts, rows.reasons
    exact = {
        Relation.TOUCHING: Verdict.CONTACT,
        Relation.OVERLAPPING: Verdict.CLASH,
        Relation.A_INSIDE: Verdict.INSIDE,
        Relation.B_INSIDE: Verdict.INSIDE,
        Relation.EQUAL: Verdict.DUPLICATE,
    }
    for relation, verdict in exact.items():
        verdicts[chosen[found.relations == relation]] = verdict
    reasons[chosen[found.relations == Relation.TOUCHING]] = "touch"
    tolerant = overlap & (limits > 0)
    shallow = tolerant & (found.depths[:, 1] <= limits)
    verdicts[chosen[shallow]], reasons[chosen[shallow]] = Verdict.CONTACT, "precision"
    deep = tolerant & ~shallow
    inside = deep & (found.within & (A_IN_B | B_IN_A) != 0)
    same = deep & (found.within & SAME_SURFACE != 0)
    verdicts[chosen[deep]] = Verdict.CLASH
    verdicts[chosen[inside]] = Verdict.INSIDE
    verdicts[chosen[same]] = Verdict.DUPLICATE


def _judge_faces(rows: _Rows, collisions: Collisions) -> None:
    """Where faces meet; the verdicts on surfaces."""
    index = {pair: row for row, pair in enumerate(map(tuple, rows.bodies.tolist()))}
    for clash in clashes_of(collisions):
        row = index.get(clash.bodies)
        if row is None:
            continue
        if rows.surfaces[row]:
            rows.verdicts[row] = Verdict.CLASH if clash.crosses else Verdict.CONTACT
            rows.reasons[row] = "" if clash.crosses else "touch"
        if rows.surfaces[row] or rows.relations[row] == Relation.TOUCHING:
            rows.bounds[row] = clash.bounds
            kinds = collisions.kinds[clash.rows]
            wanted = np.flatnonzero((kinds == Kind.CROSSING) == clash.crosses)[0]
            rows.deepest[row] = collisions.segments[clash.rows[wanted]].mean(axis=0)


def _judge_gaps(rows: _Rows, parts: SceneParts, asked: CheckOptions, options: Options) -> None:
    """The verdicts on pairs that are apart."""
    trees = parts.trees
    for row in np.flatnonzero(rows.verdicts == "").tolist():
        a, b = rows.bodies[row].tolist()
        tolerance = rows.tolerances[row]
        bound = max(tolerance, asked.clearance)
        rows.distances[row] = np.inf
        if bound < 0 or (bound == 0 and asked.clearance < 0):
            continue
        values, points, _, _ = _core.bvh_distances(
            trees[a], trees[b], AT_REST, bound, None, options.workers, None
        )
        if values[0] > bound:
            continue
        rows.distances[row], rows.points[row] = values[0], points[0]
        rows.bounds[row] = points[0].min(axis=0), points[0].max(axis=0)
        rows.deepest[row] = points[0].mean(axis=0)
        if values[0] <= tolerance:
            rows.verdicts[row], rows.reasons[row] = Verdict.CONTACT, "precision"
        else:
            rows.verdicts[row] = Verdict.NEAR
