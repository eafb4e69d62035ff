"""Rows that are not all zero, moved together by a prefix sum."""

from __future__ import annotations

from typing import TYPE_CHECKING

from impinge.gpu.scan import scan
from impinge.gpu.tally import read_tally, tally

if TYPE_CHECKING:
    from impinge.gpu import Buffer, Session


def by_scan(gpu: Session, sparse: Buffer, count: int, words: int) -> tuple[Buffer, Buffer] | None:
    """Numbers and contents of the rows that are not all zero, of `count` rows of `words`.

    Places are the sums of what is before. None if there are none.
    """
    used = classified(gpu, sparse, count, words, count)
    total = read_tally(gpu, tally(gpu, used, used, count)).sum if count else 0
    if total == 0:
        return None
    ids, rows = gpu.zeros(4 * total), gpu.zeros(4 * words * total)
    gpu.compute(
        "image/pack_scatter",
        count,
        {"WORDS": words},
        sparse=sparse,
        used=used,
        places=scan(gpu, used, count),
        size=gpu.uniform(count),
        ids=ids,
        rows=rows,
    )
    return ids, rows


def classified(gpu: Session, sparse: Buffer, count: int, words: int, room: int) -> Buffer:
    """1 for each row that is not zero; more room than there are rows is filled with 0."""
    used = gpu.zeros(4 * room)
    gpu.compute(
        "image/pack_classify",
        count,
        {"WORDS": words},
        sparse=sparse,
        used=used,
        size=gpu.uniform(count),
    )
    return used
