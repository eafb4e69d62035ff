"""Segments joined into polylines where their ends are exactly equal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from impinge import _core
from impinge.results.columns import Frozen

if TYPE_CHECKING:
    from impinge._types import AnyArray, Bools, Floats, Longs


@dataclass(frozen=True, eq=False, repr=False)
class Loop(Frozen):
    """A curve in which two bodies cross: segments joined where their ends are exactly equal.

    See Also
    --------
    impinge.Collisions.loops

    Examples
    --------
    >>> import impinge
    >>> import numpy as np
    >>> vertices = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
    >>> faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    >>> (loop,) = impinge.collide((vertices, faces), (vertices + 0.2, faces)).loops
    >>> loop.closed, loop.points.shape, round(loop.length, 3)
    (True, (3, 3), 1.697)
    """

    points: Floats
    """(k, 3) float64 in order; the first point of a closed curve is not repeated at the end."""
    closed: bool
    """Whether the last point is joined to the first."""
    bodies: tuple[int, int]
    """Indices of the two bodies."""
    pose: int | None = None
    """Index of the pose; None without poses."""

    @property
    def length(self) -> float:
        """Length of the polyline, with the closing edge of a closed one."""
        ends = np.concatenate([self.points[1:], self.points[: int(self.closed)]])
        return float(np.linalg.norm(ends - self.points[: len(ends)], axis=1).sum())

    def __repr__(self) -> str:
        kind = "closed" if self.closed else "open"
        return f"Loop({len(self.points):,} points, {kind}, bodies {self.bodies})"


def join_segments(segments: Floats, groups: Longs) -> list[tuple[Floats, bool, int]]:
    """Polylines (points (k, 3), closed, group) of segments (n, 2, 3) with the same group (n,).

    A point where more or fewer than two segments end is the end of a polyline. Segments between
    the same two points count once, those of no length not at all. The order follows the order of
    the segments, and so does the direction.
    """
    nodes, points, group = _nodes(segments, groups)
    edges = _distinct(nodes)
    chain, steps, closed = _chains(edges, len(points))
    # each polyline was found in both directions: keep the one that has its first edge forward
    first = np.full(len(chain), len(chain))
    np.minimum.at(first, chain, np.arange(len(chain)))
    rank = first[chain]
    rows = np.flatnonzero(rank % 2 == 0)
    rows = rows[np.lexsort((-steps[rows], rank[rows]))]
    half_edges = edges.ravel()
    # rows of one polyline stand together; it ends where its last half-edge has no step left
    last = np.flatnonzero(steps[rows] == 0)
    result = []
    start = 0
    for stop in (last + 1).tolist():
        run = rows[start:stop]
        path = half_edges[run]
        whole = bool(closed[run[0]])
        if not whole:
            path = np.append(path, half_edges[run[-1] ^ 1])
        result.append((points[path], whole, int(group[path[0]])))
        start = stop
    return result


def _nodes(segments: Floats, groups: Longs) -> tuple[Longs, Floats, Longs]:
    """Node ids (n, 2) of the ends, then point (k, 3) and group (k,) of each node."""
    ends = np.ascontiguousarray(segments.reshape(-1, 3))
    key = np.repeat(groups, 2) * len(ends) + _core.weld(ends)
    _, first, nodes = np.unique(key, return_index=True, return_inverse=True)
    return nodes.reshape(-1, 2), ends[first], np.repeat(groups, 2)[first]


def _distinct(nodes: Longs) -> Longs:
    """Edges (m, 2) of nodes, low before high, once each, in order of first appearance."""
    low, high = nodes.min(axis=1), nodes.max(axis=1)
    key = low * (nodes.max(initial=0) + 1) + high
    first = np.sort(np.unique(key, return_index=True)[1])
    first = first[low[first] != high[first]]
    return np.stack([low[first], high[first]], axis=1)


def _chains(edges: Longs, node_count: int) -> tuple[Longs, Longs, Bools]:
    """Chain, steps to its end, and whether it is closed, for each half-edge.

    Half-edge h starts in node edges.ravel()[h] and h ^ 1 is its reverse. Found by pointer
    doubling: every round looks twice as far, for all half-edges at once.
    """
    tail = edges.ravel()
    here = np.arange(len(tail))
    reverse = here ^ 1
    head = tail[reverse]
    # with two half-edges leaving a node, the one that is not the reverse is their sum less it
    leaving = np.bincount(tail, here, minlength=node_count).astype(np.int64)
    goes_on = np.bincount(tail, minlength=node_count)[head] == 2
    following = np.where(goes_on, leaving[head] - reverse, here)
    smallest, end = _followed(following)
    closed = following[end] != end
    # a closed chain is cut before its smallest half-edge
    cut = closed & (following == smallest)
    following = np.where(cut, here, following)
    steps, end = _ranked(following)
    return end, steps, closed


def _rounds(following: Longs) -> int:
    return max(len(following) - 1, 1).bit_length()


def _followed(following: Longs) -> tuple[AnyArray, AnyArray]:
    """The smallest half-edge ahead, and the one far ahead: the end, or any one of a cycle."""
    smallest, ahead = np.arange(len(following)), following
    for _ in range(_rounds(following)):
        smallest = np.minimum(smallest, smallest[ahead])
        ahead = ahead[ahead]
    return smallest, ahead


def _ranked(following: Longs) -> tuple[AnyArray, AnyArray]:
    """Steps to the end of the chain, and that end."""
    ahead = following
    steps = (following != np.arange(len(following))).astype(np.int64)
    for _ in range(_rounds(following)):
        steps = steps + steps[ahead]
        ahead = ahead[ahead]
    return steps, ahead
