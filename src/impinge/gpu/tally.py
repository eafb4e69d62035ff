"""The largest of many values, and their sum."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from impinge.gpu.passes import WORKGROUP

if TYPE_CHECKING:
    from impinge.gpu.session import Buffer, Session


class Tally(NamedTuple):
    largest: int
    sum: int
    marks: int


def tally(gpu: Session, values: Buffer, marks: Buffer, count: int) -> Buffer:
    """Largest and sum of `count` values and the sum of as many marks; read with `read_tally`."""
    remaining = -(-count // WORKGROUP)
    found = gpu.zeros(16 * remaining)
    gpu.compute(
        "tally_first", count, values=values, marks=marks, size=gpu.uniform(count), tallies=found
    )
    while remaining > 1:
        size = gpu.uniform(remaining)
        before, count = found, remaining
        remaining = -(-count // WORKGROUP)
        found = gpu.zeros(16 * remaining)
        gpu.compute("tally_next", count, before=before, size=size, tallies=found)
    return found


def read_tally(gpu: Session, found: Buffer) -> Tally:
    largest, low, high, marks = gpu.read(found, np.uint32, 4).tolist()
    return Tally(largest, low + (high << 32), marks)
