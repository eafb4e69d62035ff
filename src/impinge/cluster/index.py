"""Which batches of which files belong to a tile."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from impinge.cluster.triangles import Batch

if TYPE_CHECKING:
    from impinge._types import Longs


class TileIndex:
    """All batches that were scattered, found by tile; some bytes for each, whatever their size."""

    def __init__(self) -> None:
        self._paths: list[str] = []
        self._parts: list[Longs] = []
        self._sorted = np.zeros((0, 4), dtype=np.int64)

    def add(self, path: Path, index: Longs) -> None:
        """The batches of a file: (k, 2) tile and rows of each."""
        columns = (
            index[:, 0],
            np.full(len(index), len(self._paths)),
            np.arange(len(index)),
            index[:, 1],
        )
        self._parts.append(np.stack(columns, axis=1))
        self._paths.append(str(path))

    def drop(self, tiles: Iterable[int]) -> None:
        """Forget what these tiles were given."""
        rows = self._rows()
        self._sorted = rows[~np.isin(rows[:, 0], list(tiles))]

    def triangles(self, tiles: int) -> Longs:
        """(tiles,) how many triangles each tile has, ghosts included."""
        rows = self._rows()
        counts = np.zeros(tiles, dtype=np.int64)
        np.add.at(counts, rows[:, 0], rows[:, 3])
        return counts

    def of(self, tile: int) -> list[Batch]:
        """The batches of a tile, in the order of the source."""
        rows = self._rows()
        begin, end = np.searchsorted(rows[:, 0], [tile, tile + 1])
        return [
            Batch(self._paths[file], number, count)
            for _, file, number, count in rows[begin:end].tolist()
        ]

    def _rows(self) -> Longs:
        if self._parts:
            rows = np.concatenate([self._sorted, *self._parts])
            # by file too: tasks end in any order
            self._sorted = rows[np.lexsort((rows[:, 2], rows[:, 1], rows[:, 0]))]
            self._parts.clear()
        return self._sorted
