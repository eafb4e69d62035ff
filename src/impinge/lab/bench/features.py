"""Contact points of different libraries as rows that mean the same.

Libraries differ in what they list where a closest point lies at the rim of a feature: a vertex that
is nearest to an edge is listed with the edge, with one or all faces there, or twice. So only pairs
are compared whose closest points are within both features: each vertex with a face that its foot is
in, and every two edges that are closest between their ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from impinge._pairs import pair_keys

if TYPE_CHECKING:
    from impinge._types import AnyArray, Bools, Floats, Ints, Longs

# how far within, in parts of the feature: rounding decides nothing there
_WITHIN = 1e-6
# squared sine of the angle between edges that are nearly parallel, which have no one closest point
_PARALLEL = 1e-9


def clear_rows(vertices: Floats, faces: Longs, edges: Longs) -> Longs:
    """(n, 5): 0, a vertex and the corners (k, 4) of a face, or 1 and the ends (k, 4) of two edges.

    Those that are clear, in one order.
    """
    faces = faces[_foot_is_within(vertices, faces)]
    edges = edges[_between_ends(vertices, edges)]
    ends = np.sort(edges.reshape(-1, 2, 2), axis=2)
    order = np.lexsort((ends[:, :, 1], ends[:, :, 0]), axis=1)
    ends = np.take_along_axis(ends, order[:, :, None], axis=1).reshape(-1, 4)
    corners = np.column_stack([faces[:, :1], np.sort(faces[:, 1:], axis=1)])
    kinds = np.repeat([0, 1], [len(corners), len(ends)])
    return np.column_stack([kinds, np.concatenate([corners, ends])]).astype(np.int64)


class NearFeatures:
    """What is nearer than a threshold to some vertices and edges of a mesh, by boxes alone."""

    def __init__(self, vertices: Floats, faces: Ints, threshold: float, most: int) -> None:
        sides = np.sort(faces[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
        self._vertices, self._faces, self._threshold = vertices, faces, threshold
        self._edges = np.unique(sides, axis=0)
        self._points = _some(np.unique(faces), most)
        self._chosen = _some(self._edges, most)

    def among(self, rows: Longs) -> Longs:
        """The rows of these vertices and edges, of `clear_rows`."""
        wanted = pair_keys(self._chosen)
        edge = np.isin(pair_keys(rows[:, 1:3]), wanted) | np.isin(pair_keys(rows[:, 3:]), wanted)
        chosen: Longs = rows[np.where(rows[:, 0] == 0, np.isin(rows[:, 1], self._points), edge)]
        return chosen

    def rows(self) -> Longs:
        """Features with a common vertex are none."""
        at, faces, edges = self._vertices, self._faces, self._edges
        near = _joined(at[self._points][:, None], at[faces], self._threshold)
        pairs = np.column_stack([self._points[near[:, 0]], faces[near[:, 1]]])
        pairs = pairs[(pairs[:, :1] != pairs[:, 1:]).all(axis=1)]
        both = _joined(at[self._chosen], at[edges], self._threshold)
        ends = np.column_stack([self._chosen[both[:, 0]], edges[both[:, 1]]])
        ends = ends[(ends[:, :2, None] != ends[:, None, 2:]).all(axis=(1, 2))]
        pairs = pairs[np.linalg.norm(_gap_of_foot(at, pairs), axis=1) < self._threshold]
        ends = ends[np.linalg.norm(_gap_of_edges(at, ends), axis=1) < self._threshold]
        # two chosen edges find each other twice
        return np.unique(clear_rows(at, pairs, ends), axis=0)


def _some(rows: AnyArray, most: int) -> Longs:
    chosen: Longs = rows[np.unique(np.linspace(0, len(rows) - 1, most).astype(np.int64))]
    return chosen


def _joined(one: Floats, other: Floats, threshold: float) -> Longs:
    """(k, 2) whose boxes around their corners (n, c, 3) are no farther apart than the threshold."""
    low, high = other.min(axis=1) - threshold, other.max(axis=1) + threshold
    found = [
        np.flatnonzero(((low <= corners.max(axis=0)) & (high >= corners.min(axis=0))).all(axis=1))
        for corners in one
    ]
    first = np.repeat(np.arange(len(one)), [len(row) for row in found])
    return np.column_stack([first, np.concatenate([*found, np.zeros(0, dtype=np.int64)])])


def _weights(vertices: Floats, rows: Longs) -> Floats:
    """(n, 2) of the second and third corner at the foot of a vertex on the plane of a face."""
    p, a, b, c = np.moveaxis(vertices[rows], 1, 0)
    u, v, w = b - a, c - a, p - a
    uu, uv, vv, uw, vw = (np.einsum("nx,nx->n", *both) for both in _products(u, v, w))
    with np.errstate(divide="ignore", invalid="ignore"):
        scale = 1.0 / (uu * vv - uv * uv)
        return np.stack([(vv * uw - uv * vw) * scale, (uu * vw - uv * uw) * scale], axis=1)


def _products(u: Floats, v: Floats, w: Floats) -> tuple[tuple[Floats, Floats], ...]:
    return (u, u), (u, v), (v, v), (u, w), (v, w)


def _foot_is_within(vertices: Floats, rows: Longs) -> Bools:
    at = _weights(vertices, rows)
    clear: Bools = (at > _WITHIN).all(axis=1) & (at.sum(axis=1) < 1.0 - _WITHIN)
    return clear


def _gap_of_foot(vertices: Floats, rows: Longs) -> Floats:
    p, a, b, c = np.moveaxis(vertices[rows], 1, 0)
    at = _weights(vertices, rows)
    gap: Floats = p - a - at[:, :1] * (b - a) - at[:, 1:] * (c - a)
    return gap


def _places(vertices: Floats, rows: Longs) -> tuple[Floats, Floats, Bools]:
    """(n,) where two lines are closest, in parts of their edges, and which are not parallel."""
    a, b, c, d = np.moveaxis(vertices[rows], 1, 0)
    u, v, w = b - a, d - c, a - c
    uu, uv, vv, uw, vw = (np.einsum("nx,nx->n", *both) for both in _products(u, v, w))
    cross = uu * vv - uv * uv
    with np.errstate(divide="ignore", invalid="ignore"):
        return (uv * vw - vv * uw) / cross, (uu * vw - uv * uw) / cross, cross > _PARALLEL * uu * vv


def _between_ends(vertices: Floats, rows: Longs) -> Bools:
    s, t, known = _places(vertices, rows)
    low, high = np.minimum(s, t), np.maximum(s, t)
    return known & (low > _WITHIN) & (high < 1.0 - _WITHIN)


def _gap_of_edges(vertices: Floats, rows: Longs) -> Floats:
    a, b, c, d = np.moveaxis(vertices[rows], 1, 0)
    s, t, _ = _places(vertices, rows)
    gap: Floats = a + s[:, None] * (b - a) - c - t[:, None] * (d - c)
    return gap
