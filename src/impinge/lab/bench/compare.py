"""Whether the answers of the contenders are right: missing and extra rows against the reference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from impinge._types import AnyArray, Longs

# peers that work in float32 are not wrong by rounding alone
_TOLERANCE = 1e-4


@dataclass(frozen=True)
class Verdict:
    """How an answer, or several of them, compares with the reference."""

    expected: int = 0
    """Rows, or numbers, of the reference."""
    missing: int = 0
    """Rows of the reference that were not found."""
    extra: int = 0
    """Rows that are not in the reference."""
    off: int = 0
    """Numbers that differ by more than rounding."""
    steps: int = 0
    """Steps of the workload that were compared."""

    @property
    def correct(self) -> bool:
        return not (self.missing or self.extra or self.off)

    def __add__(self, other: Verdict) -> Verdict:
        return Verdict(
            self.expected + other.expected,
            self.missing + other.missing,
            self.extra + other.extra,
            self.off + other.off,
            self.steps + other.steps,
        )

    def __str__(self) -> str:
        if not self.steps:
            return "not checked"
        counts = {"missing": self.missing, "extra": self.extra, "off": self.off}
        wrong = ", ".join(f"{count:,} {name}" for name, count in counts.items() if count)
        return wrong or "correct"


def compare(answer: AnyArray, reference: AnyArray) -> Verdict:
    """Rows of integers are compared as sets, numbers one by one."""
    if np.issubdtype(reference.dtype, np.floating):
        return _compare_numbers(np.asarray(answer, dtype=float), reference)
    found, wanted = _unique(answer), _unique(reference)
    if found.shape[1:] != wanted.shape[1:] and len(found):
        raise ValueError(f"rows of {found.shape[1]} cannot be compared with {wanted.shape[1]}")
    both = _common(found, wanted)
    return Verdict(len(wanted), len(wanted) - both, len(found) - both, 0, 1)


def _compare_numbers(answer: AnyArray, reference: AnyArray) -> Verdict:
    if answer.shape != reference.shape:
        raise ValueError(f"{answer.shape} numbers cannot be compared with {reference.shape}")
    hit, wanted = np.isfinite(answer), np.isfinite(reference)
    both = hit & wanted
    gap = np.abs(answer[both] - reference[both])
    off = gap > _TOLERANCE * (1 + np.abs(reference[both]))
    return Verdict(
        len(reference),
        int(np.count_nonzero(wanted & ~hit)),
        int(np.count_nonzero(hit & ~wanted)),
        int(np.count_nonzero(off)),
        1,
    )


def _unique(rows: AnyArray) -> Longs:
    rows = np.asarray(rows)
    return np.unique(rows.astype(np.int64), axis=0) if len(rows) else rows.astype(np.int64)


def _common(found: Longs, wanted: Longs) -> int:
    if not len(found) or not len(wanted):
        return 0
    _, counts = np.unique(np.concatenate([found, wanted]), axis=0, return_counts=True)
    return int(np.count_nonzero(counts == 2))
