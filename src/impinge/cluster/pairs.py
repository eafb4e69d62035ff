"""Pairs and their sums on disk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from struct import Struct
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from impinge import _core
from impinge._outputs import replacing
from impinge.cluster import sealed
from impinge.cluster.sealed import Seal, damaged, seal_of
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
# before the sums of a tile: mark of the plan, length and checksum of the pairs
_HEAD = Struct("<IQI")
# how rows of one body pair become one
_REDUCE = {
    name: np.minimum if name.startswith("body") or "_low_" in name
    else np.maximum if "_high_" in name
    else np.add
    for name in SUMS.names
}  # fmt: skip


@contextmanager
def writing(pairs: Path, sums: Path, mark: int) -> Iterator[PairWriter]:
    """Writes the pairs of a tile, and then their sums; mark: of the plan that the tile is of."""
    # not waited for: the checksums tell what a power cut has left
    with replacing(pairs, links=False, sync=False) as partial:
        with pq.ParquetWriter(partial, PAIRS) as file:
            writer = PairWriter(file)
            yield writer
        seal = seal_of(partial)
        if seal is None:
            raise damaged(pairs, "call again, and it is written again")
        # before the pairs get their name: it seals them
        save_sums(Sums(mark, seal, summed(writer.sums)), sums)


class PairWriter:
    """Takes the pairs of a tile as they come, and makes one row for each body pair."""

    def __init__(self, writer: pq.ParquetWriter) -> None:
        self.count = 0
        self.sums: list[pa.Table] = []
        self._writer = writer

    def write(self, a: Triangles, b: Triangles, kinds: Bytes) -> None:
        """Pairs of triangles (n,) with kinds (n,), in any order."""
        swapped = (a.body > b.body) | ((a.body == b.body) & (a.face > b.face))
        body_a, body_b = _exchanged(a.body, b.body, swapped)
        face_a, face_b = _exchanged(a.face, b.face, swapped)
        order = np.lexsort((face_b, body_b, face_a, body_a))
        columns = [column[order] for column in (body_a, face_a, body_b, face_b, kinds)]
        self._writer.write_batch(pa.record_batch(columns, schema=PAIRS))
        self.count += len(kinds)
        self.sums.append(_sums(body_a, body_b, a, b, kinds))
        if len(self.sums) > 64:
            self.sums = [summed(self.sums)]


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


class Sums(NamedTuple):
    """What is kept of a tile beside its pairs: the plan it is of, their seal, and their sums."""

    mark: int
    seal: Seal
    table: pa.Table


def save_sums(sums: Sums, path: Path) -> None:
    """For this run alone, so in the form that is read many times faster than Parquet."""
    file = BytesIO(_HEAD.pack(sums.mark, *sums.seal))
    file.seek(_HEAD.size)
    with pa.ipc.new_file(file, SUMS) as writer:
        writer.write_table(sums.table)
    sealed.write(path, file.getvalue())


def load_sums(path: Path) -> Sums | None:
    """The sums that were kept; None when they cannot be believed."""

    def parsed(content: bytes) -> Sums | None:
        mark, length, crc = _HEAD.unpack_from(content)
        table = pa.ipc.open_file(pa.BufferReader(content[_HEAD.size :])).read_all()
        return Sums(mark, Seal(length, crc), table) if table.schema.equals(SUMS) else None

    return sealed.read(path, parsed)


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
