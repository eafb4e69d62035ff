"""Sums of all values before each one, over arrays of any length."""

from __future__ import annotations

from typing import TYPE_CHECKING

from impinge.gpu.passes import WORKGROUP, groups_of

if TYPE_CHECKING:
    from impinge.gpu.session import Buffer, Session

_EACH = 4
_BLOCK = _EACH * WORKGROUP
"""Values of one workgroup, as in scan_blocks.wgsl and scan_add.wgsl."""


def scan(gpu: Session, values: Buffer, count: int) -> Buffer:
    """For each of `count` numbers (u32), the sum of those before it."""
    sums = gpu.zeros(4 * count)
    blocks = -(-count // _BLOCK)
    totals = gpu.zeros(4 * blocks)
    size = gpu.uniform(count, blocks)
    threads = groups_of(blocks * WORKGROUP)
    gpu.compute(
        "scan_blocks", count, groups=threads, values=values, size=size, sums=sums, totals=totals
    )
    if blocks > 1:
        gpu.compute("scan_add", count, totals=scan(gpu, totals, blocks), size=size, sums=sums)
    return sums
