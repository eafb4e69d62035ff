"""Boxes along the axes, sorted by where they start; how many later ones start within each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from impinge.detectors.cdfc.gpu.fuzzy import padded
from impinge.detectors.cdfc.gpu.members import bits_for
from impinge.gpu.radix import radix_sort
from impinge.gpu.scan import scan_blocks

if TYPE_CHECKING:
    from impinge._types import Longs, Singles
    from impinge.detectors.cdfc.gpu.members import Rows
    from impinge.detectors.cdfc.gpu.scene import GpuSoup
    from impinge.gpu import Buffer, Session


@dataclass(frozen=True)
class Boxes:
    """Lowest and highest coordinates of each row, in four floats each."""

    lows: Buffer
    highs: Buffer


@dataclass(frozen=True)
class Sweep:
    """Boxes, triangle and cluster in the order of the sweep."""

    boxes: Boxes
    rows: Buffer
    count: int


@dataclass(frozen=True)
class Overlaps:
    """Running totals of the overlaps in blocks of rows, and of the blocks (b + 1,)."""

    totals: Buffer
    block_totals: Longs

    @property
    def sum(self) -> int:
        return int(self.block_totals[-1])


def boxes(gpu: Session, soup: GpuSoup, rows: Rows, turned: Singles) -> Boxes:
    made = Boxes(gpu.zeros(16 * rows.count), gpu.zeros(16 * rows.count))
    gpu.compute(
        "cdfc/boxes",
        rows.count,
        points=soup.points,
        soup=soup.corners,
        triangles=rows.triangles,
        clusters=rows.clusters,
        axes=gpu.upload(padded(turned.reshape(-1, 3))),
        size=gpu.uniform(rows.count),
        lows=made.lows,
        highs=made.highs,
    )
    return made


def sort(gpu: Session, rows: Rows, unsorted: Boxes) -> Sweep:
    """By start, then by cluster, which keeps the order of the starts."""
    count, size = rows.count, gpu.uniform(rows.count)
    keys, order = gpu.zeros(4 * count), gpu.zeros(4 * count)
    gpu.compute("cdfc/keys", count, lows=unsorted.lows, size=size, keys=keys, order=order)
    keys, order = radix_sort(gpu, keys, order, count)
    bits = bits_for(rows.members.clusters)
    if bits:
        gpu.compute("cdfc/pick", count, clusters=rows.clusters, order=order, size=size, picked=keys)
        _, order = radix_sort(gpu, keys, order, count, bits)
    ordered = Boxes(gpu.zeros(16 * count), gpu.zeros(16 * count))
    pairs = gpu.zeros(8 * count)
    gpu.compute(
        "cdfc/gather",
        count,
        order=order,
        lows=unsorted.lows,
        highs=unsorted.highs,
        triangles=rows.triangles,
        clusters=rows.clusters,
        size=size,
        sorted_lows=ordered.lows,
        sorted_highs=ordered.highs,
        rows=pairs,
    )
    return Sweep(ordered, pairs, count)


def overlaps(gpu: Session, sweep: Sweep, starts: Buffer) -> tuple[Overlaps, Buffer]:
    """Running totals, and what they are the totals of.

    All overlaps may be more than 32 bits hold. Those of a block are not, and the totals of the
    blocks, few numbers, are made here.
    """
    counts = gpu.zeros(4 * sweep.count)
    gpu.compute(
        "cdfc/count",
        sweep.count,
        lows=sweep.boxes.lows,
        highs=sweep.boxes.highs,
        rows=sweep.rows,
        starts=starts,
        size=gpu.uniform(sweep.count),
        overlaps=counts,
    )
    totals, blocks = scan_blocks(gpu, counts, sweep.count)
    of_blocks = gpu.read(blocks, np.uint32).astype(np.int64)
    return Overlaps(totals, np.concatenate([[0], np.cumsum(of_blocks)])), counts
