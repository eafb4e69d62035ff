"""Faces and edges cut at the six planes of a view, in homogeneous coordinates."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from impinge._types import Floats, Ints


def outside(points: Floats, resolution: int) -> Ints:
    """(n,) of points (n, 4): a bit for each plane they are beyond."""
    codes = np.zeros(len(points), dtype=np.int32)
    for bit, plane in enumerate(_planes(resolution)):
        codes |= (points @ plane < 0).astype(np.int32) << bit
    return codes


def clip_faces(points: Floats, faces: Ints, resolution: int) -> tuple[Floats, Ints, Ints]:
    """Points with the new ones behind them, what is left of the faces, and of which row each is.

    Two faces with a common edge are cut at the same point: it is computed from the end within the
    view to the one beyond, whichever way the edge is used.
    """
    return _clipped(points, faces, resolution, _cut_faces)


def clip_edges(points: Floats, edges: Ints, resolution: int) -> tuple[Floats, Ints, Ints]:
    """The same for edges."""
    return _clipped(points, edges, resolution, _cut_edges)


def _clipped(
    points: Floats, cells: Ints, resolution: int, cut: Callable[..., tuple[Floats, Ints, Ints]]
) -> tuple[Floats, Ints, Ints]:
    """Only what is partly out of view is cut; the order stays."""
    rows = np.arange(len(cells), dtype=np.int32)
    beyond = outside(points, resolution)[cells].any(axis=1)
    if not beyond.any():
        return points, cells, rows
    points, parts, of = cut(points, cells[beyond], resolution)
    rows = np.concatenate([rows[~beyond], rows[beyond][of]])
    order = np.argsort(rows, kind="stable")
    cells = np.concatenate([cells[~beyond], parts])[order]
    return points, np.ascontiguousarray(cells, dtype=np.int32), rows[order]


def _cut_faces(points: Floats, faces: Ints, resolution: int) -> tuple[Floats, Ints, Ints]:
    rows = np.arange(len(faces), dtype=np.int32)
    for plane in _planes(resolution):
        height = points @ plane
        inside = height[faces] >= 0
        count = inside.sum(axis=1)
        one, two = count == 1, count == 2
        # turned so that the odd one out is first
        odd = np.where(one, inside.argmax(axis=1), (~inside).argmax(axis=1))
        turned = np.take_along_axis(faces, (odd[:, None] + np.arange(3)) % 3, axis=1)
        a, b, c = turned[one].T
        p, q, r = turned[two].T
        start = len(points)
        ends = [(a, b), (a, c), (q, p), (r, p)]
        points = np.concatenate([points, *(_cut(points, height, *end) for end in ends)])
        ids = start + np.arange(len(points) - start, dtype=np.int32)
        ab, ac, qp, rp = np.split(ids, np.cumsum([len(end[0]) for end in ends])[:-1])
        parts = [
            (faces[count == 3], rows[count == 3]),
            (np.column_stack([a, ab, ac]), rows[one]),
            (np.column_stack([q, r, rp]), rows[two]),
            (np.column_stack([q, rp, qp]), rows[two]),
        ]
        faces = np.concatenate([part[0] for part in parts])
        rows = np.concatenate([part[1] for part in parts])
    return points, faces, rows


def _cut_edges(points: Floats, edges: Ints, resolution: int) -> tuple[Floats, Ints, Ints]:
    rows = np.arange(len(edges), dtype=np.int32)
    for plane in _planes(resolution):
        height = points @ plane
        inside = height[edges] >= 0
        kept = inside.any(axis=1)
        edges, rows, inside = edges[kept], rows[kept], inside[kept]
        for end in (0, 1):
            cut = ~inside[:, end]
            ids = len(points) + np.arange(np.count_nonzero(cut), dtype=np.int32)
            new = _cut(points, height, edges[cut, 1 - end], edges[cut, end])
            points = np.concatenate([points, new])
            edges[cut, end] = ids
    return points, edges, rows


def _planes(resolution: int) -> Floats:
    """(6, 4): near first, since only what is behind it has a place in the image."""
    wide = float(resolution)
    return np.array(
        [
            (0, 0, 1, 0), (0, 0, -1, 1),
            (1, 0, 0, 0), (-1, 0, 0, wide),
            (0, 1, 0, 0), (0, -1, 0, wide),
        ]
    )  # fmt: skip


def _cut(points: Floats, height: Floats, inner: Ints, outer: Ints) -> Floats:
    share = height[inner] / (height[inner] - height[outer])
    return np.asarray(points[inner] + share[:, None] * (points[outer] - points[inner]))
