"""The answer of a run: too large for memory, so it stays on disk and is read in batches."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from impinge._text import counted, table
from impinge.cluster import sealed
from impinge.cluster.pairs import COUNTS
from impinge.cluster.sealed import Seal, damaged, seal_of
from impinge.errors import InputError
from impinge.results.clashes import BodyClash
from impinge.results.columns import Answer
from impinge.results.stats import Stage, Stats

if TYPE_CHECKING:
    from impinge._types import Bytes, Ints, Longs


class PairBatch(NamedTuple):
    """Pairs of faces, sorted within the batch.

    See Also
    --------
    impinge.cluster.ClusterCollisions.pairs

    Examples
    --------
    >>> import numpy as np
    >>> from impinge.cluster import PairBatch
    >>> batch = PairBatch(np.array([[0, 1]]), np.array([[3, 7]]), np.array([1], dtype=np.uint8))
    >>> batch.faces.tolist()
    [[3, 7]]
    """

    bodies: Ints
    """(n, 2) int32: the bodies of the two faces."""
    faces: Longs
    """(n, 2) int64: face of the first body, face of the second."""
    kinds: Bytes
    """(n,) uint8, see `impinge.Kind`."""


@dataclass(frozen=True, eq=False, repr=False)
class ClusterCollisions(Answer):
    """All colliding pairs of faces of a source, in Parquet files; the answer of `cluster.collide`.

    `len(found)` is their number. They may be too many for memory, so they are read in batches.

    See Also
    --------
    impinge.cluster.collide, impinge.cluster.load_result

    Examples
    --------
    >>> import impinge.cluster
    >>> sheet = [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]
    >>> found = impinge.cluster.collide([("a", sheet), ("b", sheet)], out="run", workers=1)
    >>> for clash in found.summary:
    ...     print(clash.a, clash.b, clash.pairs)
    a b 1
    >>> for batch in found.pairs():
    ...     print(batch.bodies.tolist(), batch.faces.tolist())
    [[0, 1]] [[0, 0]]
    """

    folder: Path
    """Where the files are."""
    stats: Stats
    """Times and counters of the stages, summed over all workers."""
    warnings: tuple[str, ...] = field()  # not the default of the base
    """What was left out of broken files."""
    _seals: Mapping[str, Seal]
    """Of the two tables, and of the pairs of each tile, by path in the folder."""

    @property
    def complete(self) -> bool:  # type: ignore[override]
        """Whether no pair is missing: nothing was left out of a broken file."""
        return not self.warnings

    @cached_property
    def bodies(self) -> pa.Table:
        """Name and number of triangles of each body, in the order of their numbers."""
        return self._table("bodies.parquet")

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the bodies by their numbers."""
        return tuple(self.bodies.column("name").to_pylist())

    @cached_property
    def table(self) -> pa.Table:
        """One row for each body pair: counts by kind, length and boxes."""
        return self._table("summary.parquet")

    def _table(self, name: str) -> pa.Table:
        return pq.read_table(self._whole(name))

    def _whole(self, name: str) -> Path:
        """A file of the result, when it is as it was written."""
        path = self.folder / name
        if seal_of(path) != self._seals[name]:
            raise damaged(path, f"remove {self.folder} and run again")
        return path

    @property
    def summary(self) -> Iterator[BodyClash]:
        """The body pairs, in the order of the bodies."""
        for batch in self.table.to_batches(max_chunksize=4096):
            for row in batch.to_pylist():
                yield _row(row, self.names)

    def worst(self, most: int) -> list[BodyClash]:
        """The body pairs that matter most, in the order of the bodies.

        Crossing ones come before others, more pairs of faces before fewer.

        Parameters
        ----------
        most : int
            How many to give at most.

        Returns
        -------
        list of BodyClash
        """
        counts = np.array([self.table.column(name).to_numpy() for name in COUNTS])
        total = counts.sum(axis=0)
        order = np.lexsort((np.arange(len(total)), -total, counts[0] == 0))[:most]
        order.sort()
        rows = self.table.take(pa.array(order)).to_pylist()
        return [_row(row, self.names) for row in rows]

    def pairs(self, *, rows: int = 1 << 17) -> Iterator[PairBatch]:
        """All pairs of faces in batches, tile after tile.

        Parameters
        ----------
        rows : int, optional
            Most rows of a batch.

        Yields
        ------
        PairBatch
        """
        for name in self._seals:
            if not name.startswith("pairs/"):
                continue
            with pq.ParquetFile(self._whole(name)) as file:
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
    """The result of a run that is done.

    Parameters
    ----------
    folder : str or path
        `out` of `impinge.cluster.collide`.

    Returns
    -------
    ClusterCollisions

    Raises
    ------
    InputError
        The folder holds no run that is done.

    See Also
    --------
    impinge.cluster.collide

    Examples
    --------
    >>> import impinge.cluster
    >>> sheet = [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]
    >>> found = impinge.cluster.collide([("a", sheet), ("b", sheet)], out="run", workers=1)
    >>> len(impinge.cluster.load_result("run"))
    1
    """
    path = Path(folder).resolve()

    def parsed(kept: dict[str, Any]) -> ClusterCollisions:
        stages = tuple(Stage(name, seconds, counters) for name, seconds, counters in kept["stages"])
        seals = {name: Seal(*seal) for name, seal in kept["files"].items()}
        return ClusterCollisions(path, Stats(stages), tuple(kept["warnings"]), seals)

    if not (path / "stats.json").exists():
        raise InputError(f"{path} holds no run that is done")
    found = sealed.read_json(path / "stats.json", parsed)
    if found is None:
        raise damaged(path / "stats.json", f"remove {path} and run again")
    return found
