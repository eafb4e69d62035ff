"""The verdicts on pairs of parts: from solids, from faces that meet, and from gaps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from impinge import _core
from impinge._pairs import pair_keys
from impinge.detectors.bvh import tree_of, trees_of
from impinge.queries.penetrations import A_IN_B, B_IN_A, SAME_SURFACE, Measured, measured
from impinge.results.clashes import clashes_of
from impinge.results.collisions import Collisions, Kind
from impinge.results.relation import Relation
from impinge.results.verdict import Verdict

if TYPE_CHECKING:
    from impinge._options import Tick
    from impinge._types import AnyArray, Bools, Floats, Ints, Longs
    from impinge.queries.kept import KeptAnswers
    from impinge.queries.parts import SceneParts

ACCURACY = 1e-3
"""How close the bounds of a depth are to each other, relatively."""

_CELLS = 4
"""How far a depth that decides nothing more is searched for."""

TOUCH, PRECISION, FACETS = "touch", "precision", "facets"
"""Why a contact is no clash."""

_MOST_SIDES = 1000

_EXACT = {
    Relation.TOUCHING: Verdict.CONTACT,
    Relation.OVERLAPPING: Verdict.CLASH,
    Relation.A_INSIDE: Verdict.INSIDE,
    Relation.B_INSIDE: Verdict.INSIDE,
    Relation.EQUAL: Verdict.DUPLICATE,
}


class Rows:
    """The columns of a `Check` while they are filled; rows without a verdict are left out."""

    def __init__(self, pairs: Ints, tolerances: Floats, surfaces: Bools) -> None:
        count = len(pairs)
        self.bodies, self.tolerances, self.surfaces = pairs, tolerances, surfaces
        self.verdicts = np.full(count, "", dtype="<U9")
        self.reasons = np.full(count, "", dtype="<U9")
        self.relations = np.full(count, -1, dtype=np.int8)
        self.depths = np.full((count, 2), np.nan)
        self.deepest = np.full((count, 3), np.nan)
        self.volumes = np.full(count, np.nan)
        self.distances = np.zeros(count)
        self.points = np.full((count, 2, 3), np.nan)
        self.bounds = np.full((count, 2, 3), np.nan)
        self.warnings: list[str] = []

    def give(self, rows: Longs, verdict: Verdict, reason: str = "") -> None:
        self.verdicts[rows], self.reasons[rows] = verdict, reason

    def columns(self) -> dict[str, Any]:
        """Of the rows with a verdict."""
        kept = self.verdicts != ""
        return {name: own[kept] for name, own in vars(self).items() if name != "warnings"}


def judge_solids(
    rows: Rows, parts: SceneParts, facets: bool, kept: KeptAnswers, tick: Tick | None
) -> None:
    """Overlaps and contacts of pairs of solids; pairs that are apart get no verdict here."""
    chosen = np.flatnonzero(~rows.surfaces)
    limits = rows.tolerances[chosen]
    asked = np.stack((limits, np.full(len(limits), float(facets))), axis=1)
    found = _measured(rows.bodies[chosen], asked, parts, kept, tick)
    overlap = found.relations > Relation.TOUCHING
    rows.relations[chosen] = found.relations
    rows.depths[chosen] = np.where(overlap[:, None], found.depths, 0.0)
    rows.volumes[chosen] = np.where(overlap, found.volumes, 0.0)
    rows.deepest[chosen], rows.bounds[chosen] = found.points, found.bounds
    for relation, verdict in _EXACT.items():
        reason = TOUCH if relation == Relation.TOUCHING else ""
        rows.give(chosen[found.relations == relation], verdict, reason)
    _be_tolerant(rows, chosen, found, overlap & (limits > 0), parts)
    if facets:
        clash = rows.verdicts[chosen] == Verdict.CLASH
        rows.give(chosen[clash & found.of_facets], Verdict.CONTACT, FACETS)
    _tell_uncertain(rows, chosen[overlap], parts)


def _measured(
    pairs: Ints, asked: Floats, parts: SceneParts, kept: KeptAnswers, tick: Tick | None
) -> Measured:
    """What pairs of solids have in common: `asked` (k, 2) are limits, and whether of facets."""
    used, inverse = np.unique(pairs, return_inverse=True)
    local = inverse.reshape(-1, 2)
    solids = [parts.solid(body) for body in used.tolist()]

    def measure(rows: Longs) -> Measured:
        facets = asked[rows, 1].any()
        return measured(
            solids,
            local[rows],
            asked[rows, 0],
            sagittas=[parts.sagittas(body) for body in used.tolist()] if facets else [],
            accuracy=ACCURACY,
            cells=_CELLS,
            workers=parts.workers,
            tick=tick,
        )

    return Measured(*kept.answer(solids, local, asked, measure))


def _be_tolerant(
    rows: Rows, chosen: Longs, found: Measured, overlap: Bools, parts: SceneParts
) -> None:
    """Judge overlaps by their depth against the tolerance."""
    limits = rows.tolerances[chosen]
    shallow = overlap & (found.depths[:, 1] <= limits)
    deep = overlap & ~shallow
    rows.give(chosen[deep], Verdict.CLASH)
    rows.give(chosen[deep & (found.within & (A_IN_B | B_IN_A) != 0)], Verdict.INSIDE)
    rows.give(chosen[deep & (found.within & SAME_SURFACE != 0)], Verdict.DUPLICATE)
    thin = _thin(rows, chosen[shallow], parts)
    kept = chosen[shallow][~thin]
    rows.give(kept, Verdict.CONTACT, PRECISION)


def _tell_uncertain(rows: Rows, chosen: Longs, parts: SceneParts) -> None:
    """Warn of clashes that may be no deeper than the tolerance."""
    clash = rows.verdicts[chosen] == Verdict.CLASH
    within = (rows.tolerances[chosen] > 0) & ~(rows.depths[chosen, 0] > rows.tolerances[chosen])
    for row in chosen[clash & within].tolist():
        names = " and ".join(repr(parts.names[body]) for body in rows.bodies[row].tolist())
        rows.warnings.append(
            f"whether {names} are deeper in each other than the tolerance of "
            f"{rows.tolerances[row]:g} could not be made certain; they are taken as a clash, "
            f"between {rows.depths[row, 0]:g} and {rows.depths[row, 1]:g} deep"
        )


def _thin(rows: Rows, chosen: Longs, parts: SceneParts) -> Bools:
    """Which pairs have a part that is nowhere thicker than the tolerance allows to tell."""
    known: dict[tuple[int, float], bool] = {}
    thin = np.zeros(len(chosen), dtype=bool)
    for index, row in enumerate(chosen.tolist()):
        tolerance = float(rows.tolerances[row])
        for body in rows.bodies[row].tolist():
            key = body, tolerance
            if key not in known:
                known[key] = not _core.has_core(parts.solid(body), tolerance)
                if known[key]:
                    rows.warnings.append(
                        f"body {parts.names[body]!r} is too thin for the tolerance of "
                        f"{tolerance:g}, and its overlaps are judged as with the tolerance 0; "
                        "choose a smaller tolerance"
                    )
            thin[index] |= known[key]
    return thin


def judge_faces(rows: Rows, parts: SceneParts, found: Collisions, kept: KeptAnswers) -> None:
    """Where parts touch, and the verdicts on surfaces."""
    wanted = np.flatnonzero(rows.surfaces | (rows.relations == Relation.TOUCHING))
    columns = rows.verdicts, rows.reasons, rows.deepest, rows.bounds
    used, inverse = np.unique(rows.bodies[wanted], return_inverse=True)

    def judge(new: Longs) -> tuple[AnyArray, ...]:
        _judge_faces(rows, wanted[new], parts, found)
        return tuple(column[wanted[new]] for column in columns)

    solids = [parts.solid(body) for body in used.tolist()]
    answers = kept.answer(solids, inverse.reshape(-1, 2), rows.relations[wanted, None], judge)
    for column, answer in zip(columns, answers, strict=True):
        column[wanted] = answer


def _judge_faces(rows: Rows, wanted: Longs, parts: SceneParts, found: Collisions) -> None:
    index = {(a, b): row for row, (a, b) in zip(wanted, rows.bodies[wanted].tolist(), strict=True)}
    hits = _of_pairs(found, rows.bodies[wanted])
    for clash in clashes_of(hits):
        row, crosses = index[clash.bodies], clash.crosses
        rows.bounds[row] = clash.bounds
        first = clash.rows[np.argmax((hits.kinds[clash.rows] == Kind.CROSSING) == crosses)]
        rows.deepest[row] = hits.segments[first].mean(axis=0)
        if rows.surfaces[row]:
            rows.verdicts[row] = Verdict.CLASH if crosses else Verdict.CONTACT
            rows.reasons[row] = "" if crosses else TOUCH
    for row in wanted[rows.surfaces[wanted] & (rows.verdicts[wanted] != Verdict.CLASH)].tolist():
        _look_inside(rows, row, parts)


def _of_pairs(found: Collisions, pairs: Ints) -> Collisions:
    """The faces of some pairs of bodies."""
    kept = np.isin(pair_keys(found.bodies), pair_keys(pairs))
    bodies = found.bodies[kept]
    return Collisions(found.pairs[kept], found.kinds[kept], None, bodies, found._origin)


def _look_inside(rows: Rows, row: int, parts: SceneParts) -> None:
    """Whether a surface that crosses nothing is in a solid."""
    for surface, solid in (pair := rows.bodies[row].tolist()), pair[::-1]:
        if not parts.is_solid(solid):
            continue
        shape = parts.shape(surface)
        corners = np.unique(shape.faces)
        points = shape.vertices[corners[:: len(corners) // _MOST_SIDES + 1]]
        known = parts.solid(solid)
        tree = tree_of(parts.shape(solid), parts.workers)
        sides = _core.sides(
            tree, np.ascontiguousarray(points), bool(known.turned), parts.workers, None
        )
        if not (sides < 0).any():
            continue
        rows.verdicts[row] = Verdict.CLASH if (sides > 0).any() else Verdict.INSIDE
        rows.reasons[row] = ""
        inner = points[sides < 0]
        rows.deepest[row], rows.bounds[row] = inner[0], (inner.min(axis=0), inner.max(axis=0))


def judge_gaps(
    rows: Rows, parts: SceneParts, clearance: float, kept: KeptAnswers, tick: Tick | None
) -> None:
    """Pairs that are apart, but not by much."""
    reach = np.maximum(rows.tolerances, clearance)
    # of what is apart nothing is within the tolerance 0
    chosen = np.flatnonzero((rows.verdicts == "") & (reach > 0))
    if not len(chosen):
        return
    values, points = _distances(rows.bodies[chosen], reach[chosen], parts, kept, tick)
    near = values <= reach[chosen]
    chosen, values, points = chosen[near], values[near], points[near]
    rows.distances[chosen], rows.points[chosen] = values, points
    rows.bounds[chosen] = np.stack((points.min(axis=1), points.max(axis=1)), axis=1)
    rows.deepest[chosen] = points.mean(axis=1)
    touch = values <= rows.tolerances[chosen]
    rows.give(chosen[touch], Verdict.CONTACT, PRECISION)
    rows.give(chosen[~touch], Verdict.NEAR)


def _distances(
    pairs: Ints, reach: Floats, parts: SceneParts, kept: KeptAnswers, tick: Tick | None
) -> tuple[Floats, Floats]:
    """Distances (k,) and closest points (k, 2, 3); infinite and NaN beyond the reach."""
    used, inverse = np.unique(pairs, return_inverse=True)
    local = np.ascontiguousarray(inverse.reshape(-1, 2), dtype=np.int32)
    trees = trees_of([parts.shape(body) for body in used.tolist()], parts.workers)

    def measure(rows: Longs) -> tuple[Floats, Floats]:
        return _core.pair_distances(trees, local[rows], reach[rows], parts.workers, tick)

    # a tree may be refitted, a solid is another one then
    solids = [parts.solid(body) for body in used.tolist()]
    values, points = kept.answer(solids, local, reach[:, None], measure)
    return values, points
