"""Triangles that have a box, without the others: only they are read back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from impinge.detectors.image.gpu.pack import by_scan, classified
from impinge.detectors.peel.gpu.merge import read_boxes

if TYPE_CHECKING:
    from impinge._types import Ints
    from impinge.detectors.peel.gpu.separate import GpuBoxes
    from impinge.gpu import Buffer, Session

_LINES = 4
"""Columns of one pass of a sweep."""


def pack(gpu: Session, sparse: GpuBoxes, packing: str) -> tuple[Ints, Ints]:
    """Ids (k,) in rising order and boxes (k, 4)."""
    if packing == "scan":
        packed = by_scan(gpu, sparse.boxes, sparse.count, sparse.words)
    else:
        packed = _by_sweep(gpu, sparse)
    if packed is None:
        return np.zeros(0, np.int32), np.zeros((0, 4), np.int32)
    ids, boxes = packed
    return gpu.read(ids, np.int32), read_boxes(gpu, boxes, half=sparse.half)


def _by_sweep(gpu: Session, sparse: GpuBoxes) -> tuple[Buffer, Buffer] | None:
    """Counting, shifting and moving, as published; nothing is ever scattered."""
    columns = _width(sparse.count)
    rows = -(-sparse.count // columns)
    used = classified(gpu, sparse.boxes, sparse.count, sparse.words, rows * columns)
    counts = _row_counts(gpu, used, rows, columns)
    total = int(counts.sum())
    if total == 0:
        return None
    most = int(counts.max())
    shifted = _shifted(gpu, used, rows, columns, most)
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.uint32)
    ids, packed = gpu.zeros(4 * total), gpu.zeros(4 * sparse.words * total)
    gpu.compute(
        "peel/pack_move",
        total,
        {"WORDS": sparse.words},
        sparse=sparse.boxes,
        shifted=shifted,
        starts=gpu.upload(starts),
        line=gpu.uniform(total, rows, columns, most),
        ids=ids,
        rows=packed,
    )
    return ids, packed


def _width(count: int) -> int:
    """Columns of the nearly square image that the boxes are laid out in."""
    return max(1 << (max(count, 1) - 1).bit_length() // 2, _LINES)


def _row_counts(gpu: Session, used: Buffer, rows: int, columns: int) -> Ints:
    sums = used
    while columns > 1:
        columns //= 2
        before, sums = sums, gpu.zeros(4 * rows * columns)
        size = gpu.uniform(rows * columns)
        gpu.compute("peel/pack_halve", rows * columns, before=before, sums=sums, size=size)
    return gpu.read(sums, np.int32, rows)


def _shifted(gpu: Session, used: Buffer, rows: int, columns: int, most: int) -> Buffer:
    """(rows, most) columns of the used places, at the right end of each row."""
    left = gpu.zeros(4 * rows * columns)
    for first in range(0, columns, _LINES):
        sweep = gpu.uniform(rows, columns, first)
        gpu.compute("peel/pack_sweep_right", rows, used=used, left=left, sweep=sweep)
    shifted = gpu.zeros(4 * rows * most)
    for done in range(0, most, _LINES):
        sweep = gpu.uniform(rows, columns, most, done)
        gpu.compute(
            "peel/pack_sweep_left", rows, used=used, left=left, shifted=shifted, sweep=sweep
        )
    return shifted
