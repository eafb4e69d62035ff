"""Triangles on their way through the pipeline, and the files they travel in."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import IO, TYPE_CHECKING, NamedTuple
from zlib import crc32

import numpy as np

from impinge.cluster.sealed import damaged

if TYPE_CHECKING:
    from io import FileIO

    from impinge._types import AnyArray, Floats, Ints, Longs


_CURE = "remove it, and the next run writes it again"


class Triangles(NamedTuple):
    """Corners (n, 3, 3), body (n,) and face (n,) of each.

    Corners are float64, or float32 where that holds them exactly. Nothing else is needed: whether
    two faces of one body share a vertex is told by equal coordinates.
    """

    corners: AnyArray
    body: Ints
    face: Longs

    def at(self, rows: AnyArray | slice) -> Triangles:
        """Some of them; a slice gives views."""
        if isinstance(rows, slice) or rows.dtype == bool:
            return Triangles(self.corners[rows], self.body[rows], self.face[rows])
        # three times as fast as by brackets
        return Triangles(
            self.corners.take(rows, axis=0), self.body.take(rows), self.face.take(rows)
        )

    @property
    def number(self) -> int:
        return len(self.body)


class Batch(NamedTuple):
    """Where some triangles of a tile are in a file, from which byte on, and in which form.

    runs: how often the body changes. single: corners are float32. wide: faces are int64. crc: of
    all its bytes.
    """

    path: str
    offset: int
    rows: int
    runs: int
    single: bool
    wide: bool
    crc: int


def boxes(corners: AnyArray) -> tuple[Floats, Floats]:
    """Lowest and highest corner (n, 3) of triangles (n, 3, 3), exactly, in float64."""
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    low, high = np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)
    return low.astype(np.float64, copy=False), high.astype(np.float64, copy=False)


def is_single(corners: AnyArray) -> bool:
    """Whether float32 holds these coordinates exactly."""
    if corners.dtype == np.float32:
        return True
    # beyond the range of float32 they become infinite, which is not equal
    with np.errstate(over="ignore"):
        return bool((corners.astype(np.float32) == corners).all())


def byte_count(rows: AnyArray, runs: AnyArray, wide: AnyArray, *, single: bool) -> AnyArray:
    """Bytes of batches with so many rows and runs."""
    of_row: AnyArray = (36 if single else 72) + np.where(wide, 8, 4)
    return np.asarray(rows * of_row + 8 * runs)


def write(file: IO[bytes], triangles: Triangles) -> tuple[int, bool, int]:
    """Append a batch to a file, column after column; how many runs, if wide, and the checksum."""
    starts = np.flatnonzero(np.diff(triangles.body, prepend=-1))
    lengths = np.diff(starts, append=triangles.number)
    runs = np.stack((triangles.body[starts], lengths), axis=1).astype(np.int32)
    # half of the bytes unless a body has more faces than anyone ever saw
    wide = bool(triangles.face.max(initial=0) > np.iinfo(np.int32).max)
    face = triangles.face if wide else triangles.face.astype(np.int32)
    crc = 0
    for column in (triangles.corners, face, runs):
        content = _bytes(np.ascontiguousarray(column))
        crc = crc32(content, crc)
        file.write(content)
    return len(runs), wide, crc


def load(batches: Iterable[Batch]) -> Triangles:
    """All triangles of some batches, in their order; no more memory than they need."""
    batches = list(batches)
    total = sum(batch.rows for batch in batches)
    number = np.float32 if all(batch.single for batch in batches) else np.float64
    whole = Triangles(
        np.empty((total, 3, 3), number), np.empty(total, np.int32), np.empty(total, np.int64)
    )
    at = 0
    for path, group in groupby(batches, key=lambda batch: batch.path):
        # read, not mapped: mapped pages would count as the worker's own memory
        with open(path, "rb", buffering=0) as file:
            for batch in group:
                _read(file, batch, whole.at(slice(at, at + batch.rows)))
                at += batch.rows
    return whole


def _read(file: FileIO, batch: Batch, into: Triangles) -> None:
    file.seek(batch.offset)
    # files of both kinds may meet in a tile: then all of it is float64
    crc = _fill(file, into.corners, np.float32 if batch.single else np.float64, 0)
    crc = _fill(file, into.face, np.int64 if batch.wide else np.int32, crc)
    runs = np.empty((batch.runs, 2), np.int32)
    crc = _fill(file, runs, np.int32, crc)
    if crc != batch.crc or not _usable(into, runs):
        raise damaged(file.name, _CURE)
    into.body[:] = np.repeat(runs[:, 0], runs[:, 1])


def _usable(triangles: Triangles, runs: AnyArray) -> bool:
    """Whether the core can take them: also a checksum may be made by somebody else."""
    if (runs < [0, 1]).any() or runs[:, 1].sum(dtype=np.int64) != triangles.number:
        return False
    # one pass, without a column of its own; the sum of large ones may be infinite too
    with np.errstate(over="ignore", invalid="ignore"):
        finite = np.isfinite(triangles.corners.sum(dtype=np.float64))
    return bool(finite or np.isfinite(triangles.corners).all())


def _fill(file: FileIO, column: AnyArray, stored: type[np.generic], crc: int) -> int:
    """Read a column; the checksum goes on with its bytes."""
    same = column.dtype == stored
    values = column if same else np.empty(column.shape, stored)
    content = _bytes(values)
    rest = content
    while rest:
        if not (count := file.readinto(rest)):
            raise damaged(file.name, _CURE)
        rest = rest[count:]
    if not same:
        column[:] = values
    return crc32(content, crc)


def _bytes(column: AnyArray) -> memoryview:
    return column.reshape(-1).view(np.uint8).data
