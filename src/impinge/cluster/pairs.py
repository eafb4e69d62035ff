"""Pairs and their sums on disk."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from impinge import _core
from impinge.cluster.folder import renamed
from impinge.results.clashes import KINDS, boxes_of_meetings
from impinge.results.collisions import Kind

if TYPE_CHECKING:
    from impinge._types import AnyArray, Bools, Bytes, Floats, Ints
    from impinge.cluster.triangles import Triangles

PAIRS = pa.schema([
    ("body_a", pa.int32()), ("face_a", pa.int64()),
    ("body_b", pa.int32()), ("face_b", pa.int64()), ("kind", pa.uint8()),
])  # fmt: skip

COUNTS = tuple(kind.name.lower() for kind in KINDS)
# where they cross and where they only touch: beside a crossing, the latter is no part of a clash
_AXES = tuple(f"{what}_{end}_{axis}" for what in ("cross", "touch")
              for end in ("low", "high") for axis in "xyz")  # fmt: skip
SUMS = pa.schema([
    ("body_a", pa.int32()), ("body_b", pa.int32()),
    *((name, pa.int64()) for name in COUNTS), ("length", pa.float64()),
    *((name, pa.float64()) for name in _AXES),
])  # fmt: skip
# how rows of one body pair become one
_REDUCE = {
    name: np.minimum if name.startswith("body") or "_low_" in name
    else np.maximum if "_high_" in name
    else np.add
    for name in SUMS.names
}  # fmt: skip


class PairWriter:
    """Writes the pairs of a tile as they come, and at the end one row for each body pair."""

    def __init__(self, pairs: Path, sums: Path) -> None:
        self.count = 0
        self._paths = pairs, sums
        self._sums: list[pa.Table] = []
        self._open = ExitStack()

    def __enter__(self) -> PairWriter:
        pairs, sums = self._paths
        # closed in the reverse order: the pairs get their name last, which says all is done
        partial = self._open.enter_context(renamed(pairs))
        self._sums_partial = self._open.enter_context(renamed(sums))
        self._writer = self._open.enter_context(pq.ParquetWriter(partial, PAIRS))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if error is None:
                write_sums(summed(self._sums), self._sums_partial)
        finally:
            self._open.__exit__(kind, error, trace)

    def write(self, a: Triangles, b: Triangles, kinds: Bytes) -> None:
        """Pairs of triangles (n,) with kinds (n,), in any order."""
        swapped = (a.body > b.body) | ((a.body == b.body) & (a.face > b.face))
        body_a, body_b = _exchanged(a.body, b.body, swapped)
        face_a, face_b = _exchanged(a.face, b.face, swapped)
        order = np.lexsort((face_b, body_b, face_a, body_a))
        columns = [column[order] for column in (body_a, face_a, body_b, face_b, kinds)]
        self._writer.write_batch(pa.record_batch(columns, schema=PAIRS))
        self.count += len(kinds)
        self._sums.append(_sums(body_a, body_b, a, b, kinds))
        if len(self._sums) > 64:
            self._sums = [summed(self._sums)]


def _exchanged(a: AnyArray, b: AnyArray, swapped: Bools) -> tuple[AnyArray, AnyArray]:
    return np.where(swapped, b, a), np.where(swapped, a, b)


def _sums(body_a: Ints, body_b: Ints, a: Triangles, b: Triangles, kinds: Bytes) -> pa.Table:
    first, second = (np.ascontiguousarray(side.corners, dtype=np.float64) for side in (a, b))
    segments, points, offsets = _core.intersections(first, second, kinds)
    low, high = boxes_of_meetings(segments, points, offsets)
    crosses = kinds == Kind.CROSSING
    length = np.where(crosses, np.linalg.norm(segments[:, 1] - segments[:, 0], axis=1), 0.0)
    columns = {"body_a": body_a, "body_b": body_b, "length": length}
    for kind, name in zip(KINDS, COUNTS, strict=True):
        columns[name] = (kinds == kind).astype(np.int64)
    ends = (
        _only(low, crosses, np.inf), _only(high, crosses, -np.inf),
        _only(low, ~crosses, np.inf), _only(high, ~crosses, -np.inf),
    )  # fmt: skip
    columns |= dict(zip(_AXES, np.concatenate(ends, axis=1).T, strict=True))
    return summed([pa.table([columns[name] for name in SUMS.names], schema=SUMS)])


def _only(corner: Floats, rows: Bools, nothing: float) -> Floats:
    return np.where(rows[:, None], corner, nothing)


def write_sums(table: pa.Table, path: Path) -> None:
    """For this run alone, so in the form that is read many times faster than Parquet."""
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, SUMS) as writer:
        writer.write_table(table)


def read_sums(path: Path) -> pa.Table:
    with pa.OSFile(str(path)) as file:
        return pa.ipc.open_file(file).read_all()


def summed(tables: Iterable[pa.Table]) -> pa.Table:
    """One row for each body pair, in their order."""
    # by NumPy, as group_by of Arrow takes a tenth of a second to load on every worker
    whole = pa.concat_tables([SUMS.empty_table(), *tables])
    columns = {name: whole.column(name).to_numpy() for name in SUMS.names}
    order = np.lexsort((columns["body_b"], columns["body_a"]))
    columns = {name: column[order] for name, column in columns.items()}
    a, b = columns["body_a"], columns["body_b"]
    starts = np.flatnonzero((np.diff(a, prepend=-1) != 0) | (np.diff(b, prepend=-1) != 0))
    if len(starts):
        columns = {name: _REDUCE[name].reduceat(columns[name], starts) for name in SUMS.names}
    return pa.table([columns[name] for name in SUMS.names], schema=SUMS)
