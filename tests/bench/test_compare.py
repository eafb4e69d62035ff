"""Mistakes are counted rightly, and the reference is held to brute force."""

from __future__ import annotations

import numpy as np
import pytest

from impinge.bench import workloads
from impinge.bench.compare import Verdict, WrongReferenceError, compare, verify_reference
from impinge.bench.contender import Local
from impinge.bench.peers import Impinge


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


CASES = {
    "pair": lambda: workloads.posed(12, 2),
    "pair_batch": lambda: workloads.posed(12, 2),
    "one_shot": lambda: workloads.posed(12, 2),
    "itself": lambda: workloads.folded_cloth(30, 2),
    "bodies": lambda: workloads.pile(8, 6, 2),
}


@pytest.mark.parametrize("task", CASES)
def test_reference_agrees_with_brute_force(task: str) -> None:
    case = CASES[task]()
    own = Local(Impinge())
    own.prepare(task, case)
    rows, _ = own.answer(0)
    assert verify_reference(task, case, 0, rows) > 0


def test_large_meshes_are_checked_in_part() -> None:
    case = workloads.posed(32, 1)
    own = Local(Impinge())
    own.prepare("pair", case)
    rows, _ = own.answer(0)
    assert verify_reference("pair", case, 0, rows) == len(rows)
    # a pair too many is always seen, since its faces are asked about
    invented = np.array([[rows[0, 0], rows[-1, 1]]])
    with pytest.raises(WrongReferenceError):
        verify_reference("pair", case, 0, np.concatenate([rows, invented]))


def test_a_wrong_reference_is_not_accepted() -> None:
    case = workloads.posed(12, 1)
    own = Local(Impinge())
    own.prepare("pair", case)
    rows, _ = own.answer(0)
    with pytest.raises(WrongReferenceError, match=r"1 (missing|extra)"):
        verify_reference("pair", case, 0, rows[1:])
