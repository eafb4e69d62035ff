"""Pairs along the first axis, piece by piece, down to those that need the exact test."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from impinge._types import AnyArray, Ints
    from impinge.detectors.cdfc.gpu.members import Members
    from impinge.detectors.cdfc.gpu.scene import GpuSoup
    from impinge.detectors.cdfc.gpu.sweep import Overlaps, Sweep
    from impinge.detectors.protocol import SceneQuery
    from impinge.gpu import Buffer, Session

PIECE = 1 << 21
"""Pairs looked at in one go: what bounds the memory, however many there are."""


class Room(NamedTuple):
    """For what is found in one piece."""

    counts: Buffer
    """Pairs that overlap along two axes, along all three; of these tested, and undecided."""
    pairs: Buffer
    """Rows that overlap along all axes."""


class Collector:
    """Goes through the pieces of a sweep and counts."""

    def __init__(self, gpu: Session, soup: GpuSoup, found: Members, query: SceneQuery) -> None:
        self._gpu, self._soup, self._members = gpu, soup, found
        self._query = query
        self._wanted = gpu.upload(wanted_bits(query))
        self.y_pairs = self.z_pairs = self.tests = 0

    def undecided(
        self, sweep: Sweep, overlaps: Overlaps, go_on: Callable[[float], None], piece: int = PIECE
    ) -> Ints:
        """Pairs of triangles (n, 2), each once; no other two collide but neighbours."""
        gpu, nbytes = self._gpu, 8 * min(piece, overlaps.sum)
        room, kept = Room(gpu.zeros(16), gpu.zeros(nbytes)), gpu.zeros(nbytes)
        found = [np.zeros((0, 2), dtype=np.int32)]
        for first in range(0, overlaps.sum, piece):
            go_on(first / overlaps.sum)
            count = min(piece, overlaps.sum - first)
            gpu.clear(room.counts)
            with gpu.stage("collect"):
                collect(gpu, sweep, overlaps, (first, count), room)
                y, z = gpu.read(room.counts, np.uint32, 2).tolist()
            with gpu.stage("intersect"):
                self._filter(sweep, z, room, kept)
                _, _, tests, undecided = gpu.read(room.counts, np.uint32).tolist()
                found.append(gpu.read(kept, np.int32, 2 * undecided).reshape(-1, 2))
            self.y_pairs += y
            self.z_pairs += z
            self.tests += tests
        return np.concatenate(found)

    def _filter(self, sweep: Sweep, count: int, room: Room, kept: Buffer) -> None:
        only = self._query.body_pairs is not None
        self._gpu.compute(
            "cdfc/filter",
            count,
            pairs=room.pairs,
            rows=sweep.rows,
            soup=self._soup.corners,
            points=self._soup.points,
            members=self._members.bits,
            wanted=self._wanted,
            query=self._gpu.uniform(count, self._members.words, len(self._query.shapes), only),
            counts=room.counts,
            undecided=kept,
        )


def collect(
    gpu: Session, sweep: Sweep, overlaps: Overlaps, piece: tuple[int, int], room: Room
) -> None:
    """Of a piece (first, count) of the pairs along the first axis: rows that overlap along all."""
    first, count = piece
    totals = overlaps.block_totals
    block = int(np.searchsorted(totals, first, side="right")) - 1
    last = int(np.searchsorted(totals, first + count, side="left"))
    of_blocks = totals[block:last] - first
    skip, of_blocks[0] = -of_blocks[0], 0
    gpu.compute(
        "cdfc/collect",
        count,
        lows=sweep.boxes.lows,
        highs=sweep.boxes.highs,
        totals=overlaps.totals,
        block_totals=gpu.upload(of_blocks, np.uint32),
        piece=gpu.uniform(count, block, last - block, skip, sweep.count, dtype=np.uint32),
        counts=room.counts,
        pairs=room.pairs,
    )


def wanted_bits(query: SceneQuery) -> AnyArray:
    """Bodies that are checked against themselves and, row by row, pairs of bodies."""
    bodies = len(query.shapes)
    on = [query.self_bodies.astype(np.int64)]
    room = bodies
    if query.body_pairs is not None:
        low, high = query.body_pairs.astype(np.int64).T
        on += [bodies + low * bodies + high, bodies + high * bodies + low]
        room += bodies**2
    words = np.zeros(-(-room // 32), dtype=np.uint32)
    for bits in on:
        np.bitwise_or.at(words, bits >> 5, np.uint32(1) << (bits & 31).astype(np.uint32))
    return words
