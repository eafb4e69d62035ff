"""The largest of many values, and their sum."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from impinge.gpu.passes import WORKGROUP

if TYPE_CHECKING:
    from impinge.gpu.session import Buffer, Session


_EACH = 16


class Tally(NamedTuple):
    largest: int
    sum: int
    marks: int


def tally(gpu: Session, values: Buffer, marks: Buffer, count: int) -> Buffer:
    """Largest and sum of `count` values and the sum of as many marks; read with `read_tally`."""
    threads, groups = _threads(count)
    found = gpu.zeros(16 * groups)
    size = gpu.uniform(count, threads)
    gpu.compute("tally_first", threads, values=values, marks=marks, size=size, tallies=found)
    while groups > 1:
        size = gpu.uniform(groups, _threads(groups)[0])
        before, (threads, groups) = found, _threads(groups)
        found = gpu.zeros(16 * groups)
        gpu.compute("tally_next", threads, before=before, size=size, tallies=found)
    return found


def _threads(count: int) -> tuple[int, int]:
    """Threads that each take several values, and the workgroups they are in."""
    threads = -(-count // _EACH)
    return threads, -(-threads // WORKGROUP)


def read_tally(gpu: Session, found: Buffer) -> Tally:
    largest, low, high, marks = gpu.read(found, np.uint32, 4).tolist()
    return Tally(largest, low + (high << 32), marks)
