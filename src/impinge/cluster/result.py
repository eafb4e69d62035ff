"""The answer of a run: too large for memory, so it stays on disk and is read in batches."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from impinge._text import counted, table
from impinge.cluster.pairs import COUNTS
from impinge.errors import InputError
from impinge.results.clashes import BodyClash
from impinge.results.stats import Stage, Stats

if TYPE_CHECKING:
    from impinge._types import Bytes, Ints, Longs


class PairBatch(NamedTuple):
    """Pairs of faces, sorted within the batch."""

    bodies: Ints
    """(n, 2)."""
    faces: Longs
    """(n, 2) int64: face of the first body, face of the second."""
    kinds: Bytes
    """(n,), see `impinge.Kind`."""


@dataclass(frozen=True, eq=False, repr=False)
class ClusterCollisions:
    """All colliding pairs of faces of a source, in Parquet files under `folder`.

    `len` is their number; `summary` has one row for each two bodies that meet.
    """

    folder: Path
    stats: Stats
    warnings: tuple[str, ...]

    @cached_property
    def bodies(self) -> pa.Table:
        """Name and number of triangles of each body, in the order of their numbers."""
        return pq.read_table(self.folder / "bodies.parquet")

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the bodies by their numbers."""
        return tuple(self.bodies.column("name").to_pylist())

    @cached_property
    def table(self) -> pa.Table:
        """One row for each body pair: counts by kind, length and boxes."""
        return pq.read_table(self.folder / "summary.parquet")

    @property
    def summary(self) -> Iterator[BodyClash]:
        """The body pairs, in the order of the bodies."""
        for batch in self.table.to_batches(max_chunksize=4096):
            for row in batch.to_pylist():
                yield _row(row, self.names)

    def worst(self, most: int) -> list[BodyClash]:
        """So many body pairs, in their order: crossing ones before others, more pairs of faces
        before fewer."""
        counts = np.array([self.table.column(name).to_numpy() for name in COUNTS])
        total = counts.sum(axis=0)
        order = np.lexsort((np.arange(len(total)), -total, counts[0] == 0))[:most]
        order.sort()
        rows = self.table.take(pa.array(order)).to_pylist()
        return [_row(row, self.names) for row in rows]

    def pairs(self, *, rows: int = 1 << 17) -> Iterator[PairBatch]:
        """All pairs in batches of at most so many rows, tile after tile."""
        for path in sorted((self.folder / "pairs").glob("tile-*.parquet")):
            with pq.ParquetFile(path) as file:
                for batch in file.iter_batches(batch_size=rows):
                    yield _batch(batch)

    def __len__(self) -> int:
        return int(sum(np.sum(self.table.column(name).to_numpy()) for name in COUNTS))

    def __bool__(self) -> bool:
        return bool(self.table.num_rows)

    def __repr__(self) -> str:
        rows = [
            (f"{row.a} × {row.b}", f"{row.kinds['crossing']:,}",
             f"{row.pairs - row.kinds['crossing']:,}")
            for row in self.worst(10)
        ]  # fmt: skip
        title = (
            f"ClusterCollisions({counted(len(self), 'pair')} of faces, "
            f"{counted(self.table.num_rows, 'pair')} of {counted(len(self.names), 'body')})"
        )
        return table(title, [("", "crossing", "touching"), *rows] if rows else [])


def _batch(batch: pa.RecordBatch) -> PairBatch:
    columns = {name: batch.column(name).to_numpy() for name in batch.schema.names}
    return PairBatch(
        np.stack([columns["body_a"], columns["body_b"]], axis=1),
        np.stack([columns["face_a"], columns["face_b"]], axis=1),
        columns["kind"],
    )


def _row(row: dict[str, float], names: tuple[str, ...]) -> BodyClash:
    kinds = {name: int(row[name]) for name in COUNTS}
    what = "cross" if kinds["crossing"] else "touch"
    bounds = [[row[f"{what}_{end}_{axis}"] for axis in "xyz"] for end in ("low", "high")]
    a, b = names[int(row["body_a"])], names[int(row["body_b"])]
    return BodyClash(a, b, kinds, np.array(bounds), row["length"])


def load_result(folder: str | os.PathLike[str]) -> ClusterCollisions:
    """The result of a run that is done."""
    path = Path(folder).resolve()
    try:
        kept = json.loads((path / "stats.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{path} holds no run that is done") from None
    stages = tuple(Stage(name, seconds, counters) for name, seconds, counters in kept["stages"])
    return ClusterCollisions(path, Stats(stages), tuple(kept["warnings"]))
