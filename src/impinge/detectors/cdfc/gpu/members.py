"""Which triangles belong to which clusters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from impinge.detectors.cdfc.gpu.fuzzy import bits_of, padded
from impinge.detectors.cdfc.options import MEMBERSHIPS
from impinge.detectors.cdfc.stages import Clusters
from impinge.errors import GpuLimitError
from impinge.gpu.radix import radix_sort
from impinge.gpu.scan import scan
from impinge.gpu.tally import read_tally, tally

if TYPE_CHECKING:
    from impinge._types import Floats
    from impinge.detectors.cdfc.gpu.scene import GpuSoup
    from impinge.detectors.cdfc.options import CdfcOptions
    from impinge.gpu import Buffer, Session

_MOST_ROWS = 2**24
"""So that the overlaps of a block of rows can be added up in 32 bits."""


@dataclass(frozen=True)
class Members:
    """One bit for each triangle and cluster: what the passes agree on, however they round."""

    bits: Buffer
    words: int
    """Of each triangle."""
    clusters: int


@dataclass(frozen=True)
class Rows:
    """Cluster and triangle of each copy, cluster by cluster."""

    count: int
    members: Members
    clusters: Buffer
    triangles: Buffer
    starts: Buffer
    """Of each cluster, and the end."""


def members(gpu: Session, soup: GpuSoup, centres: Floats, options: CdfcOptions) -> Members:
    near = centres.astype(np.float32)
    words = -(-len(centres) // 32)
    bits = gpu.zeros(4 * words * len(soup))
    rule = gpu.uniform(
        len(soup),
        len(centres),
        words,
        0,
        bits_of(1 / (options.fuzziness - 1)),
        bits_of(options.least_membership),
    )
    gpu.compute(
        "cdfc/members",
        len(soup),
        {"RULE": MEMBERSHIPS.index(options.membership)},
        balls=soup.balls,
        centres=gpu.upload(padded(near, (near.astype(np.float64) ** 2).sum(axis=1))),
        rule=rule,
        members=bits,
    )
    return Members(bits, words, len(centres))


def rows_of(gpu: Session, soup: GpuSoup, found: Members) -> Rows:
    """The copies, sorted by cluster; those of a cluster by triangle."""
    size = gpu.uniform(len(soup), found.words)
    copies = gpu.zeros(4 * len(soup))
    gpu.compute("cdfc/copies", len(soup), members=found.bits, size=size, copies=copies)
    count = read_tally(gpu, tally(gpu, copies, copies, len(soup))).sum
    if count >= _MOST_ROWS:
        cure = 'use fewer clusters or device="cpu"'
        raise GpuLimitError("copies of triangles", count, "rows of a sweep", _MOST_ROWS, cure)
    clusters, triangles = gpu.zeros(4 * count), gpu.zeros(4 * count)
    gpu.compute(
        "cdfc/list",
        len(soup),
        members=found.bits,
        places=scan(gpu, copies, len(soup)),
        size=size,
        clusters=clusters,
        triangles=triangles,
    )
    clusters, triangles = radix_sort(gpu, clusters, triangles, count, bits_for(found.clusters))
    starts = gpu.zeros(4 * (found.clusters + 1))
    gpu.compute(
        "cdfc/starts",
        count + 1,
        clusters=clusters,
        size=gpu.uniform(count, found.clusters),
        starts=starts,
    )
    return Rows(count, found, clusters, triangles, starts)


def bits_for(clusters: int) -> int:
    """Of the number of a cluster."""
    return (clusters - 1).bit_length()


def read_lists(gpu: Session, rows: Rows) -> Clusters:
    """For tests."""
    starts = gpu.read(rows.starts, np.uint32).astype(np.int64)
    return Clusters(starts, gpu.read(rows.triangles, np.int32))
