"""Closed bodies that lie wholly inside another one, without touching it.

`relation` decides, exactly and for cavities too.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from impinge import _core
from impinge._pairs import pair_keys
from impinge.detectors.bvh import trees_of
from impinge.detectors.protocol import NO_BODIES
from impinge.results.relation import Relation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from impinge._shape import Shape
    from impinge._types import Bools, Floats, Ints


def inside_pairs(
    shapes: Sequence[Shape],
    closed: Bools,
    met: Ints,
    *,
    body_pairs: Ints | None = None,
    workers: int = 0,
) -> Ints:
    """(k, 2) int32 pairs of bodies, the inner and the outer one, sorted.

    `closed` (n,) tells which bodies can be either; `met` (m, 2) are bodies that are known to
    collide, `body_pairs` (j, 2) those to look at (None: all). `met` may lack some: that no point
    is common is checked for what is left.
    """
    candidates = _nested(shapes, closed)
    if body_pairs is not None:
        candidates = candidates[_is_among(candidates, body_pairs)]
    candidates = candidates[~_is_among(candidates, met)]
    inside = [_is_inside(shapes[inner], shapes[outer], workers) for inner, outer in candidates]
    found: Ints = candidates[np.array(inside, dtype=bool)]
    found = found[~_is_among(found, _meeting(shapes, found, workers))]
    return found


def _nested(shapes: Sequence[Shape], closed: Bools) -> Ints:
    """(k, 2) closed bodies with the box of the first strictly inside that of the second."""
    indices = [index for index, shape in enumerate(shapes) if closed[index] and len(shape.faces)]
    if not indices:
        return np.zeros((0, 2), dtype=np.int32)
    boxes = np.array(
        [_core.bounds(shapes[index].vertices, shapes[index].faces) for index in indices]
    )
    ids = np.array(indices, dtype=np.int32)
    # sorted along x: only bodies that begin within the outer one are compared with it
    order = np.argsort(boxes[:, 0, 0], kind="stable")
    ids, boxes = ids[order], boxes[order]
    low, high = boxes[:, 0], boxes[:, 1]
    begin = np.searchsorted(low[:, 0], low[:, 0], side="right")
    end = np.searchsorted(low[:, 0], high[:, 0], side="left")
    rows = []
    for outer in range(len(ids)):
        some = slice(begin[outer], end[outer])
        within = (low[some] > low[outer]) & (high[some] < high[outer])
        inner = ids[some][within.all(axis=1)]
        rows.append(np.stack([inner, np.full_like(inner, ids[outer])], axis=1))
    pairs = np.concatenate(rows)
    return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]


def _is_among(pairs: Ints, others: Ints) -> Bools:
    """(k,) which pairs of bodies are among others, in either order."""
    return np.isin(pair_keys(pairs), pair_keys(others))


def _meeting(shapes: Sequence[Shape], pairs: Ints, workers: int) -> Ints:
    """Those of the pairs (k, 2) of bodies that have a point in common."""
    if not len(pairs):
        return pairs
    present, rows = np.unique(pairs, return_inverse=True)
    some = [shapes[index] for index in present]
    asked = np.unique(np.sort(rows.reshape(-1, 2), axis=1), axis=0).astype(np.int32)
    trees, placements = trees_of(some, workers), [shape.placement for shape in some]
    _, bodies, _, _ = _core.bvh_scene(
        trees, placements, asked, NO_BODIES, True, False, True, workers, None
    )
    return np.asarray(present[bodies], dtype=np.int32)


def _is_inside(inner: Shape, outer: Shape, workers: int) -> bool:
    """Whether all of a solid is in another: a cavity of the outer one in the inner one is not."""
    solids, poses = _solids((inner, outer), workers), [_pose(inner), _pose(outer)]
    if (
        any(not solid.closed or solid.empty for solid in solids)
        or _core.first_flat(np.array(poses)) >= 0
    ):
        return False
    pairs, found = _core.scene_relations(solids, np.array(poses), None, NO_BODIES, workers, None)
    return bool(len(pairs)) and Relation(int(found[0])) is Relation.A_INSIDE


def _solids(shapes: Sequence[Shape], workers: int) -> list[_core.Solid]:
    """As `relation` keeps them."""
    return [
        shape.local_structures.get("pair_solid", shape.local, partial(_core.Solid, tree, workers))
        for shape, tree in zip(shapes, trees_of(shapes, workers), strict=True)
    ]


def _pose(shape: Shape) -> Floats:
    return np.eye(4) if shape.pose is None else shape.pose
