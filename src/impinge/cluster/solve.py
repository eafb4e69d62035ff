"""Finds the pairs of one tile: the native core on its triangles, and the rule of ownership."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from impinge import _core
from impinge._memory import resident
from impinge._pairs import pair_keys
from impinge.cluster.limits import QUERY_BYTES
from impinge.cluster.pairs import PairWriter, writing
from impinge.cluster.scatter import grouped
from impinge.cluster.triangles import Batch, Triangles, boxes, load
from impinge.results.collisions import Kind

if TYPE_CHECKING:
    from impinge._types import Bools, Bytes, Floats, Ints, Longs
    from impinge.cluster.limits import Limits

_NO_BODIES = np.zeros(0, dtype=np.int32)
# so few triangles give no more pairs than any worker can hold
_FEW = 1024
# pairs whose triangles are looked at together
_PART = 1 << 16


class Question(NamedTuple):
    """What is asked of every tile."""

    self_collision: bool
    touching: bool
    ignored: Longs
    """(k, 2) pairs of bodies to leave out."""


class Kept(NamedTuple):
    """Where the pairs of a tile and their sums go, and the mark of the plan it is of."""

    pairs: str
    sums: str
    mark: int


class _TooMany(Exception):
    """More pairs than a worker may hold at a time."""


class Found(NamedTuple):
    """Pairs as rows (n, 2) of triangles, with kinds (n,)."""

    rows: Longs
    kinds: Bytes


def solve(
    batches: list[Batch], region: Floats, question: Question, limits: Limits, kept: Kept
) -> int:
    """Find the pairs that a tile owns and write them and their sums; how many there are."""
    with writing(Path(kept.pairs), Path(kept.sums), kept.mark) as writer:
        tile = _Tile(region, question, limits, writer)
        total = sum(batch.rows for batch in batches)
        if total <= limits.triangles:
            tile.within(load(batches))
        else:
            tile.by_blocks(list(grouped(batches, limits.triangles // 2)))
    return writer.count


class _Tile:
    def __init__(
        self, region: Floats, question: Question, limits: Limits, writer: PairWriter
    ) -> None:
        self._region, self._question, self._limits = region, question, limits
        self._writer = writer

    def by_blocks(self, blocks: list[list[Batch]]) -> None:
        """A tile that no cut makes smaller is never loaded whole: block against block."""
        for i, batches in enumerate(blocks):
            a = load(batches)
            self.within(a)
            for others in blocks[i + 1 :]:
                self.between(a, load(others))

    def within(self, triangles: Triangles) -> None:
        """All pairs among some triangles; halved when there are too many pairs."""
        tick = self._tick(triangles.number)
        found = _unless_too_many(lambda: _pairs_within(triangles, self._question, tick))
        if found is not None:
            self._emit(triangles, triangles, found)
            return
        half = triangles.number // 2
        a, b = triangles.at(slice(half)), triangles.at(slice(half, None))
        self.within(a)
        self.within(b)
        self.between(a, b)

    def between(self, a: Triangles, b: Triangles) -> None:
        """All pairs of a triangle of `a` with one of `b`."""
        if a.number < b.number:
            a, b = b, a
        tick = self._tick(a.number)
        found = _unless_too_many(lambda: _pairs_between(a, b, self._question, tick))
        if found is not None:
            self._emit(a, b, found)
            return
        half = a.number // 2
        self.between(a.at(slice(half)), b)
        self.between(a.at(slice(half, None)), b)

    def _tick(self, triangles: int) -> Callable[[float], bool] | None:
        """Stops the core when the pairs take too much memory; nothing else can know before."""
        if triangles <= _FEW:
            return None
        most = resident() + self._limits.pair_bytes + QUERY_BYTES * triangles
        return lambda _: resident() <= most

    def _emit(self, a: Triangles, b: Triangles, found: Found) -> None:
        for start in range(0, len(found.rows), _PART):
            rows, kinds = found.rows[start : start + _PART], found.kinds[start : start + _PART]
            first, second = a.at(rows[:, 0]), b.at(rows[:, 1])
            kept = self._owned(first, second) & self._wanted(first, second)
            if kept.any():
                self._writer.write(first.at(kept), second.at(kept), kinds[kept])

    def _owned(self, a: Triangles, b: Triangles) -> Bools:
        """A pair belongs to the tile with the higher of the two low corners of their boxes.

        The boxes of a pair meet, so this point is in both of them: both triangles are in the tile.
        """
        point = np.maximum(boxes(a.corners)[0], boxes(b.corners)[0])
        low, high = self._region
        owned: Bools = ((point >= low) & (point < high)).all(axis=1)
        return owned

    def _wanted(self, a: Triangles, b: Triangles) -> Bools:
        ignored = self._question.ignored
        if not len(ignored):
            return np.ones(a.number, dtype=bool)
        keys = pair_keys(np.stack([a.body, b.body], axis=1))
        return ~np.isin(keys, pair_keys(ignored))


def _unless_too_many(find: Callable[[], Found]) -> Found | None:
    # back with None only when the error, and with it all that was built, is gone
    try:
        return find()
    except _TooMany:
        return None


def _pairs_within(
    triangles: Triangles, question: Question, tick: Callable[[float], bool] | None
) -> Found:
    body = triangles.body
    # in the order of the source bodies come one after the other, but a source may be cut otherwise
    order = None if (body[1:] >= body[:-1]).all() else np.argsort(body, kind="stable")
    if order is not None:
        body = body[order]
    starts = np.flatnonzero(np.diff(body, prepend=-1))
    if len(starts) < (1 if question.self_collision else 2):
        return Found(np.zeros((0, 2), np.int64), np.zeros(0, np.uint8))
    meshes = []
    for start, end in pairwise([*starts.tolist(), len(body)]):
        rows = slice(start, end) if order is None else order[start:end]
        meshes.append(_core.weld_triangles(triangles.corners[rows]))
    trees = _core.build_trees([mesh[0] for mesh in meshes], [mesh[1] for mesh in meshes], 1)
    alone = np.arange(len(trees), dtype=np.int32) if question.self_collision else _NO_BODIES
    pairs, local, kinds = _asked(trees, alone, question.touching, tick)
    found: Longs = starts[local] + pairs
    return Found(found if order is None else order[found], kinds)


def _pairs_between(
    a: Triangles, b: Triangles, question: Question, tick: Callable[[float], bool] | None
) -> Found:
    # one tree for each side, whatever the bodies: between two trees none are neighbours
    trees = [_core.Tree(*_soup(side.corners), 1) for side in (a, b)]
    pairs, _, kinds = _asked(trees, _NO_BODIES, True, tick)
    rows = pairs.astype(np.int64)
    same = a.body[rows[:, 0]] == b.body[rows[:, 1]]
    if question.self_collision:
        for part in _parts(np.flatnonzero(same)):
            first, second = a.corners[rows[part, 0]], b.corners[rows[part, 1]]
            # neighbours of one body meet in what they share; the rule for them decides anew
            kinds[part] = _core.classify_self(_doubles(first), _doubles(second))
    else:
        kinds[same] = Kind.NONE
    kept = kinds == Kind.CROSSING if not question.touching else kinds != Kind.NONE
    return Found(rows[kept], kinds[kept])


def _asked(
    trees: list[_core.Tree], alone: Ints, touching: bool, tick: Callable[[float], bool] | None
) -> tuple[Ints, Ints, Bytes]:
    try:
        pairs, bodies, kinds, _ = _core.bvh_scene(
            trees, None, None, alone, touching, False, False, 1, tick
        )
    except _core.Cancelled:
        raise _TooMany from None
    return pairs, bodies, kinds


def _soup(corners: Floats) -> tuple[Floats, Ints]:
    points = _doubles(corners).reshape(-1, 3)
    return points, np.arange(len(points), dtype=np.int32).reshape(-1, 3)


def _doubles(corners: Floats) -> Floats:
    return np.ascontiguousarray(corners, dtype=np.float64)


def _parts(rows: Longs) -> Iterator[Longs]:
    for start in range(0, len(rows), _PART):
        yield rows[start : start + _PART]
