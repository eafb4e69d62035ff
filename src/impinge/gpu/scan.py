"""Sums of all values before each one, over arrays of any length."""

from __future__ import annotations

from typing import TYPE_CHECKING

from impinge.gpu.passes import WORKGROUP, groups_of

if TYPE_CHECKING:
    from impinge.gpu.session import Buffer, Session

_EACH = 4
BLOCK = _EACH * WORKGROUP
"""Values of one workgroup, as in scan_blocks.wgsl and scan_add.wgsl."""


def scan(gpu: Session, values: Buffer, count: int) -> Buffer:
    """For each of `count` numbers (u32), the sum of those before it."""
    sums, totals = scan_blocks(gpu, values, count)
    blocks = -(-count // BLOCK)
    if blocks > 1:
        size = gpu.uniform(count, blocks)
        gpu.compute("scan_add", count, totals=scan(gpu, totals, blocks), size=size, sums=sums)
    return sums


def scan_blocks(gpu: Session, values: Buffer, count: int) -> tuple[Buffer, Buffer]:
    """For each number, the sum of those before it in its block, and the sum of each block."""
    sums = gpu.zeros(4 * count)
    blocks = -(-count // BLOCK)
    totals = gpu.zeros(4 * blocks)
    size = gpu.uniform(count, blocks)
    threads = groups_of(blocks * WORKGROUP)
    gpu.compute(
        "scan_blocks", count, groups=threads, values=values, size=size, sums=sums, totals=totals
    )
    return sums, totals
