"""From the memory of a worker to how much a task may hold."""

from __future__ import annotations

import re
from typing import NamedTuple

from impinge.errors import InputError

_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12,
          "KI": 2**10, "MI": 2**20, "GI": 2**30, "TI": 2**40}  # fmt: skip

# Python, NumPy, Arrow and Dask, with the buffers that do not grow with the task
BASE_BYTES = 256 * 10**6
# a triangle of a tile, at worst unwelded in float64: columns 84, mesh 84, tree 124, what the query
# adds to it and takes for itself 123, and the corners of the body at work
TILE_BYTES = 450
QUERY_BYTES = 123
# a triangle of a portion that is scattered, at worst in float64: as read 72, blocks and portion
# 168, rows 20, and the copy that is written 84
SCATTER_BYTES = 400
# of the memory: what the core may find before it is stopped; four copies exist for a moment
_PAIR_SHARE = 16
# as many as stay in the caches while they are scattered
_SCATTER_ROWS = 1 << 16
_LEAST_BYTES = 400 * 10**6

# tasks of a stage for each worker: enough that the last ones end at about the same time
_TASKS_PER_WORKER = 16
# what a triangle of a stage takes, and what it takes to hand a task out
_SECONDS, _HANDING_OUT = 0.2e-6, 3e-3
_TILE = 20_000
_PIECE = (1 << 16, 1 << 22)
_SHARES_OF_REST = 5


class Limits(NamedTuple):
    """What a task may hold at a time."""

    memory: int
    """Bytes of a worker."""
    triangles: int
    """Of a tile."""
    rows: int
    """Triangles that are read and scattered together."""
    pair_bytes: int

    @classmethod
    def of(cls, memory: int) -> Limits:
        """The limits of a worker with so many bytes."""
        if memory < _LEAST_BYTES:
            raise InputError(
                f"a worker needs at least {_LEAST_BYTES / 1e6:.0f} MB, got {memory / 1e6:.0f} MB"
            )
        free = memory - BASE_BYTES
        pair_bytes = memory // _PAIR_SHARE
        triangles = (free - min(4 * pair_bytes, free // 2)) // TILE_BYTES
        rows = min(_SCATTER_ROWS, free // 2 // SCATTER_BYTES)
        return cls(memory, triangles, rows, pair_bytes)

    def tile(self, triangles: int, workers: int) -> int:
        """Triangles of a tile, ghosts included, when there are so many of them in all."""
        balanced = triangles // task_count(triangles, workers)
        # the plan works on a sample: half of what fits leaves room for its errors
        return min(max(balanced, _TILE), self.triangles // 2)


def piece_rows(triangles: int, done: int, workers: int) -> int:
    """Triangles that one task reads, some portions one after the other, when `done` are in tasks.

    Each takes a share of what is left: small ones at the end let all workers end together, and
    large ones before make up for their number.
    """
    count = task_count(triangles, workers)
    share = (triangles - done) // min(count, _SHARES_OF_REST * workers)
    low, high = _PIECE
    return min(max(share, triangles // (4 * count), low), high)


def piece_count(triangles: int, workers: int) -> int:
    """How many such tasks there are."""
    count = done = 0
    while done < triangles:
        done += piece_rows(triangles, done, workers)
        count += 1
    return count


def task_count(triangles: int, workers: int) -> int:
    """Into how many tasks a stage is best cut.

    With n tasks of s seconds in all, workers wait s / 2n for the last one, and n are handed out one
    after the other: their sum is least at the root of s over twice the time to hand one out.
    """
    best = int((_SECONDS * triangles / (2 * _HANDING_OUT)) ** 0.5)
    return max(min(_TASKS_PER_WORKER * workers, best), 1)


def as_bytes(memory: int | str) -> int:
    """A number of bytes, or a text as "2GB" or "512 MiB"."""
    if isinstance(memory, int) and not isinstance(memory, bool):
        return memory
    match = re.fullmatch(r"\s*([\d.]+)\s*([KMGT]?I?)B?\s*", str(memory).upper())
    try:
        return int(float(match[1]) * _UNITS[match[2]])  # type: ignore[index]
    except (TypeError, ValueError, KeyError):
        raise InputError(
            f'memory must be a number of bytes or a text such as "2GB", got {memory!r}'
        ) from None
