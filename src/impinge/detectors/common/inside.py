"""Closed bodies that lie wholly inside another one, without touching it.

Let no point of body B's surface be on the surface of A. Then each part of B that hangs together is
on one side of A, and one vertex of it tells which: the one where the winding number of A is not
zero is inside. The winding number is counted along a ray from the vertex p upward in z: +1 or -1
for each triangle of A above p, by the turn of its shadow in the plane of x and y, when the shadow
contains p's. Shadows that only touch p are decided as if p were moved by (e, e^2) with an
infinitely small e: then p is on no edge of any shadow, and as every edge of a closed body is used
once in each direction, the count is that of a ray which meets no edge. All signs are exact.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from impinge import _core
from impinge._pairs import pair_keys
from impinge.detectors.bvh import trees_of
from impinge.detectors.protocol import NO_BODIES
from impinge.results.mesh_report import joined_roots

if TYPE_CHECKING:
    from collections.abc import Sequence

    from impinge._shape import Shape
    from impinge._types import Bools, Floats, Ints, Signs


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
    inside = [_is_inside(shapes[inner], shapes[outer]) for inner, outer in candidates]
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


def _is_inside(inner: Shape, outer: Shape) -> bool:
    """Whether a vertex of each part of the inner body is inside the outer one."""
    return all(_winding(point, outer) for point in _one_of_each_part(inner))


def _one_of_each_part(shape: Shape) -> Floats:
    """(k, 3) one vertex of each set of faces that hang together by vertices."""
    first, second, third = _core.weld(shape.vertices)[shape.faces].T
    root = joined_roots(
        len(shape.vertices), np.concatenate([first, first]), np.concatenate([second, third])
    )
    return np.asarray(shape.vertices[np.unique(root[first])])


def _winding(point: Floats, shape: Shape) -> int:
    """How often the closed surface winds around a point; 0 when the point is on it."""
    corners = shape.vertices[shape.faces]
    low, high = corners.min(axis=1), corners.max(axis=1)
    # most triangles are neither above nor below the point
    near = (low[:, :2] <= point[:2]).all(axis=1) & (high >= point).all(axis=1)
    a, b, c = (np.ascontiguousarray(corners[near, k]) for k in range(3))
    turn = _turn(a, b, point)
    covers = (turn == _turn(b, c, point)) & (turn == _turn(c, a, point)) & (turn != 0)
    a, b, c, turn = a[covers], b[covers], c[covers], turn[covers]
    side = _core.orient3d(a, b, c, np.ascontiguousarray(np.broadcast_to(point, a.shape)))
    if not side.all():
        # its shadow is in that of a triangle, and it is in the plane: it is on the surface
        return 0
    # a triangle that turns left seen from above has the points below it on its positive side
    return int(turn[side == turn].sum(dtype=np.int64))


def _turn(a: Floats, b: Floats, point: Floats) -> Signs:
    """Side (n,) of edges a b seen along z on which the moved point is; 0 where the edge is not."""
    p = np.broadcast_to(point[:2], (len(a), 2))
    sides = _core.orient2d(*(np.ascontiguousarray(q) for q in (a[:, :2], b[:, :2], p)))
    moved_x, moved_y = np.sign(a[:, 1] - b[:, 1]), np.sign(b[:, 0] - a[:, 0])
    return np.where(sides != 0, sides, np.where(moved_x != 0, moved_x, moved_y)).astype(np.int8)
