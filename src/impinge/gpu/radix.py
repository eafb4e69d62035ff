"""Stable sorting of numbers without sign, with a value to each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from impinge.gpu.scan import scan

if TYPE_CHECKING:
    from impinge.gpu.session import Buffer, Session

_DIGIT_BITS = 4
_EACH = 32
"""As in radix_digit.wgsl."""


def radix_sort(
    gpu: Session, keys: Buffer, values: Buffer, count: int, bits: int = 32
) -> tuple[Buffer, Buffer]:
    """Keys (u32, below 2**bits) in rising order and their values; equal keys keep their order.

    What is given is written over.
    """
    threads = -(-count // _EACH)
    counts = gpu.zeros(4 * threads << _DIGIT_BITS)
    given, free = (keys, values), (gpu.zeros(4 * count), gpu.zeros(4 * count))
    for shift in range(0, bits, _DIGIT_BITS):
        size = gpu.uniform(count, threads, shift)
        gpu.compute("radix_count", threads, keys=given[0], size=size, counts=counts)
        gpu.compute(
            "radix_move",
            threads,
            keys=given[0],
            values=given[1],
            places=scan(gpu, counts, threads << _DIGIT_BITS),
            size=size,
            sorted_keys=free[0],
            sorted_values=free[1],
        )
        given, free = free, given
    return given
