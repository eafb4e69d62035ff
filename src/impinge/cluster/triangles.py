"""Triangles on their way through the pipeline, and the Arrow files they travel in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

if TYPE_CHECKING:
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
        """Some of them."""
        return Triangles(self.corners[rows], self.body[rows], self.face[rows])

    @property
    def number(self) -> int:
        return len(self.body)


class Batch(NamedTuple):
    """Where some triangles of a tile are: a batch of an Arrow file."""

    path: str
    number: int
    rows: int


def boxes(corners: AnyArray) -> tuple[Floats, Floats]:
    """Lowest and highest corner (n, 3) of triangles (n, 3, 3), exactly, in float64."""
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    low, high = np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)
    return low.astype(np.float64, copy=False), high.astype(np.float64, copy=False)


def is_single(corners: Floats) -> bool:
    """Whether float32 holds these coordinates exactly."""
    # beyond the range of float32 they become infinite, which is not equal
    with np.errstate(over="ignore"):
        return bool((corners.astype(np.float32) == corners).all())


def schema(single: bool) -> pa.Schema:
    """The columns of a file of triangles."""
    number = pa.float32() if single else pa.float64()
    return pa.schema([
        ("corners", pa.list_(number, 9)), ("body", pa.int32()), ("face", pa.int64())
    ])  # fmt: skip


def record_batch(triangles: Triangles, columns: pa.Schema) -> pa.RecordBatch:
    dtype = columns.field("corners").type.value_type.to_pandas_dtype()
    flat = np.ascontiguousarray(triangles.corners, dtype=dtype).reshape(-1)
    arrays = [pa.FixedSizeListArray.from_arrays(pa.array(flat), 9), triangles.body, triangles.face]
    return pa.record_batch([pa.array(array) for array in arrays], schema=columns)


def load(batches: Iterable[Batch]) -> Triangles:
    """All triangles of some batches, in their order; no more memory than they need."""
    batches = list(batches)
    rows = sum(batch.rows for batch in batches)
    whole: Triangles | None = None
    at = 0
    for part in _opened(batches):
        if whole is None:
            whole = _room(rows, part.corners.dtype)
        elif part.corners.dtype.itemsize > whole.corners.dtype.itemsize:
            # files of both kinds meet in this tile: all of them in float64
            whole = Triangles(whole.corners.astype(np.float64), whole.body, whole.face)
        here = slice(at, at + part.number)
        whole.corners[here] = part.corners
        whole.body[here] = part.body
        whole.face[here] = part.face
        at += part.number
    return _room(0, np.dtype(np.float32)) if whole is None else whole


def _room(rows: int, dtype: np.dtype[Any]) -> Triangles:
    return Triangles(
        np.zeros((rows, 3, 3), dtype), np.zeros(rows, np.int32), np.zeros(rows, np.int64)
    )


def _opened(batches: list[Batch]) -> Iterator[Triangles]:
    path, reader = "", None
    for batch in batches:
        if reader is None or batch.path != path:
            path = batch.path
            # read, not mapped: mapped pages would count as the worker's own memory
            reader = pa.ipc.open_file(pa.OSFile(path))
        columns = reader.get_batch(batch.number)
        corners = columns.column("corners").flatten().to_numpy().reshape(-1, 3, 3)
        yield Triangles(
            corners, columns.column("body").to_numpy(), columns.column("face").to_numpy()
        )
