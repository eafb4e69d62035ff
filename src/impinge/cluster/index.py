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
        self._files: list[tuple[str, bool]] = []
        self._parts: list[Longs] = []
        self._sorted = np.zeros((0, 7), dtype=np.int64)

    def add(self, path: Path, index: Longs, single: bool) -> None:
        """The batches of a file: (k, 6) tile, byte, rows, runs of bodies, if wide, checksum."""
        files = np.full(len(index), len(self._files))
        self._parts.append(np.column_stack((index[:, 0], files, index[:, 1:])))
        self._files.append((str(path), single))

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
        found = []
        for _, file, offset, count, runs, wide, crc in rows[begin:end].tolist():
            path, single = self._files[file]
            found.append(Batch(path, offset, count, runs, single, bool(wide), crc))
        return found

    def _rows(self) -> Longs:
        if self._parts:
            rows = np.concatenate([self._sorted, *self._parts])
            # by file too: tasks end in any order
            self._sorted = rows[np.lexsort((rows[:, 2], rows[:, 1], rows[:, 0]))]
            self._parts.clear()
        return self._sorted
