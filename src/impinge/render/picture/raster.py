"""Triangles to pixels: spans of rows, expanded and resolved by array operations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from impinge._types import AnyArray, Floats

_NOTHING = np.uint64(2**64 - 1)
_CHUNK = 3_000_000
_STEPS = float(2**31 - 1)


def nearest(
    corners: Floats, size: tuple[int, int], *, beyond: float = -np.inf
) -> tuple[AnyArray, AnyArray]:
    """Per pixel the nearest of (n, 3, 3) screen triangles (-1: none) and its depth (else inf).

    What lies before the depth `beyond` is cut away.
    """
    width, height = size
    index = np.full(width * height, -1, dtype=np.int32)
    depth = np.full(width * height, np.inf, dtype=np.float32)
    if len(corners) == 0:
        return index, depth
    near, far = float(corners[:, :, 2].min()), float(corners[:, :, 2].max())
    steps = _STEPS / max(far - near, 1.0)
    # depth above, triangle below: one minimum decides both, and ties do not depend on the order
    keys = np.full(width * height, _NOTHING, dtype=np.uint64)
    for triangle, pixel, z in fragments(corners, size):
        level = np.clip((z - near) * steps, 0.0, _STEPS).astype(np.uint64)
        key = (level << np.uint64(32)) | triangle.astype(np.uint64)
        np.minimum.at(keys, pixel, np.where(z >= beyond, key, _NOTHING))
    covered = np.flatnonzero(keys != _NOTHING)
    index[covered] = (keys[covered] & np.uint64(0xFFFFFFFF)).astype(np.int32)
    depth[covered] = near + (keys[covered] >> np.uint64(32)) / steps
    return index, depth


def fragments(
    corners: Floats, size: tuple[int, int]
) -> Iterator[tuple[AnyArray, AnyArray, AnyArray]]:
    """All covered pixels of (n, 3, 3) screen triangles: triangle, pixel and depth of each.

    A pixel belongs to a triangle that contains its centre; neighbours never share one.
    """
    width = size[0]
    low = np.clip(np.ceil(corners[:, :, :2].min(axis=1) - 0.5), 0, size).astype(np.int64)
    high = np.clip(np.ceil(corners[:, :, :2].max(axis=1) - 0.5), 0, size).astype(np.int64)
    span = np.maximum(high - low, 0)
    seen = np.flatnonzero((span > 0).all(axis=1))
    # half the box is a fair guess of the pixels of a triangle
    cost = np.cumsum(span[seen, 0] * span[seen, 1] // 2 + span[seen, 1])
    cuts = np.searchsorted(cost, np.arange(_CHUNK, cost[-1] if len(cost) else 0, _CHUNK))
    for chunk in np.split(seen, cuts):
        if len(chunk):
            yield from _spans(corners, chunk, low[chunk, 1], span[chunk, 1], width)


def _spans(
    corners: Floats, chunk: AnyArray, first: AnyArray, rows: AnyArray, width: int
) -> Iterator[tuple[AnyArray, AnyArray, AnyArray]]:
    owner = np.repeat(np.arange(len(chunk)), rows)
    y = np.arange(len(owner)) - np.repeat(np.cumsum(rows) - rows, rows) + first[owner]
    centre = y + 0.5
    left, right = np.full(len(owner), np.inf), np.full(len(owner), -np.inf)
    points = corners[chunk]
    for k in range(3):
        start, end = points[:, k], points[:, (k + 1) % 3]
        rise = end[:, 1] - start[:, 1]
        slope = (end[:, 0] - start[:, 0]) / np.where(rise == 0.0, 1.0, rise)
        y0, y1 = start[owner, 1], end[owner, 1]
        crosses = (np.minimum(y0, y1) <= centre) & (centre < np.maximum(y0, y1))
        x = start[owner, 0] + (centre - y0) * slope[owner]
        left = np.where(crosses, np.minimum(left, x), left)
        right = np.where(crosses, np.maximum(right, x), right)
    crossed = left <= right
    begin = np.clip(np.ceil(np.where(crossed, left, 0.0) - 0.5), 0, width).astype(np.int64)
    end = np.clip(np.ceil(np.where(crossed, right, 0.0) - 0.5), 0, width).astype(np.int64)
    counts = np.maximum(end - begin, 0)
    base, across, down = plane(points, points[:, :, 2])
    at_begin = base[owner] + across[owner] * (begin + 0.5) + down[owner] * centre
    # depths stay within the triangle's own, whatever a sliver's plane says
    bounds = points[:, :, 2].min(axis=1)[owner], points[:, :, 2].max(axis=1)[owner]
    at_begin = np.clip(at_begin, *bounds)
    total = int(counts.sum())
    before = (np.cumsum(counts) - counts).astype(np.int32)
    step = np.arange(total, dtype=np.int32) - np.repeat(before, counts)
    pixel = np.repeat((y * width + begin).astype(np.int32), counts) + step
    depth = np.repeat(at_begin.astype(np.float32), counts)
    depth += np.repeat(across[owner].astype(np.float32), counts) * step
    yield np.repeat(chunk[owner].astype(np.int32), counts), pixel, depth


def plane(points: Floats, values: Floats) -> tuple[AnyArray, AnyArray, AnyArray]:
    """(base, across, down) of base + across x + down y through (n, 3) values at the corners."""
    a, b = points[:, 1, :2] - points[:, 0, :2], points[:, 2, :2] - points[:, 0, :2]
    area = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    area = np.where(np.abs(area) < 1e-9, np.inf, area)
    u, v = values[:, 1] - values[:, 0], values[:, 2] - values[:, 0]
    across = (u * b[:, 1] - v * a[:, 1]) / area
    down = (v * a[:, 0] - u * b[:, 0]) / area
    return values[:, 0] - across * points[:, 0, 0] - down * points[:, 0, 1], across, down
