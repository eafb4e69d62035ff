"""Triangles on their way through the pipeline, and the files they travel in."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import IO, TYPE_CHECKING, NamedTuple

import numpy as np

from impinge.errors import ImpingeError

if TYPE_CHECKING:
    from io import FileIO

    from impinge._types import AnyArray, Floats, Ints, Longs


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
    """Where some triangles of a tile are in a file, from which byte on.

    single: their corners are float32.
    """

    path: str
    offset: int
    rows: int
    single: bool


def row_bytes(single: bool) -> int:
    """Bytes of a triangle in a file."""
    return 9 * (4 if single else 8) + 4 + 8


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


def write(file: IO[bytes], triangles: Triangles) -> None:
    """Append a batch to a file: its columns one after the other."""
    for column in triangles:
        file.write(_bytes(np.ascontiguousarray(column)))


def load(batches: Iterable[Batch]) -> Triangles:
    """All triangles of some batches, in their order; no more memory than they need."""
    batches = list(batches)
    single = all(batch.single for batch in batches)
    whole = _room(sum(batch.rows for batch in batches), single)
    at = 0
    for path, group in groupby(batches, key=lambda batch: batch.path):
        # read, not mapped: mapped pages would count as the worker's own memory
        with open(path, "rb", buffering=0) as file:
            for batch in group:
                here = whole.at(slice(at, at + batch.rows))
                file.seek(batch.offset)
                if batch.single == single:
                    _fill(file, here)
                else:
                    # files of both kinds meet in this tile: all of them in float64
                    narrow = here._replace(corners=_room(batch.rows, True).corners)
                    _fill(file, narrow)
                    here.corners[:] = narrow.corners
                at += batch.rows
    return whole


def _room(rows: int, single: bool) -> Triangles:
    corners = np.empty((rows, 3, 3), np.float32 if single else np.float64)
    return Triangles(corners, np.empty(rows, np.int32), np.empty(rows, np.int64))


def _fill(file: FileIO, triangles: Triangles) -> None:
    for column in triangles:
        rest = _bytes(column)
        while rest:
            if not (count := file.readinto(rest)):
                raise ImpingeError(
                    f"{file.name}: ends too early; remove it, and the next run writes it again"
                )
            rest = rest[count:]


def _bytes(column: AnyArray) -> memoryview:
    return column.reshape(-1).view(np.uint8).data
