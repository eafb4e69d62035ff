"""Mistakes are counted rightly."""

from __future__ import annotations

import numpy as np
import pytest

from impinge.lab.bench.compare import Verdict, compare


def test_rows_are_compared_as_sets() -> None:
    reference = np.array([[0, 1], [2, 3], [4, 5]])
    answer = np.array([[4, 5], [0, 1], [0, 1], [7, 7]])
    verdict = compare(answer, reference)
    assert (verdict.expected, verdict.missing, verdict.extra) == (3, 1, 1)
    assert not verdict.correct
    assert str(verdict) == "1 missing, 1 extra"
    assert compare(reference[::-1], reference).correct


@pytest.mark.parametrize(("found", "wanted"), [(0, 3), (3, 0), (0, 0)])
def test_empty_answers(found: int, wanted: int) -> None:
    rows = np.arange(6).reshape(3, 2)
    verdict = compare(rows[:found], rows[:wanted])
    assert (verdict.missing, verdict.extra) == (wanted, found)


def test_numbers_may_be_rounded_but_not_off() -> None:
    reference = np.array([1.0, 2.0, np.inf, np.inf, 5.0])
    verdict = compare(np.array([1 + 1e-6, 2.1, np.inf, 4.0, np.inf], dtype=np.float32), reference)
    assert (verdict.off, verdict.missing, verdict.extra) == (1, 1, 1)


def test_rows_of_different_kinds_are_refused() -> None:
    with pytest.raises(ValueError, match="cannot be compared"):
        compare(np.zeros((1, 3), int), np.zeros((1, 2), int))


def test_verdicts_add_up() -> None:
    total = Verdict(5, 1, 0, 0, 1) + Verdict(7, 0, 2, 0, 1)
    assert total == Verdict(12, 1, 2, 0, 2)
    assert str(Verdict()) == "not checked"
