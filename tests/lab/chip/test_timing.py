"""Cycles: the ten published times, and the rules for one list."""

from __future__ import annotations

import pytest

from impinge.lab import chip
from impinge.lab.chip import timing

# aligned, tumbled, microseconds to the printed precision and beyond it
PUBLISHED = [
    (12_474, 240, 153.4, 153),
    (389, 73, 14.6, 15),
    (279, 81, 14.8, 15),
    (259, 66, 12.4, 12),
    (159, 50, 9.0, 9),
    (542_888, 3_553, 5_637.5, 5_638),
    (7_065, 937, 207.3, 207),
    (4_854, 877, 177.5, 178),
    (3_076, 538, 109.8, 110),
    (3_345, 301, 76.7, 77),
]


@pytest.mark.parametrize(("aligned", "tumbled", "fine", "printed"), PUBLISHED)
def test_published_times(aligned: int, tumbled: int, fine: float, printed: int) -> None:
    found = chip.time(aligned, tumbled)
    assert round(found, 1) == fine
    assert round(found) == printed


def test_the_caption_is_wrong() -> None:
    """Not aligned / tumbled pairs in a list, but half of that."""
    as_printed = 240 / 2 * chip.cycles_of_list(12_474 / 240) * 1e-3 * chip.CYCLE_NS
    assert round(as_printed) == 271


def test_nothing_takes_no_time() -> None:
    assert chip.time(0, 0) == 0
    assert timing.counted(0, 2) == 0


def test_the_rules_of_one_list() -> None:
    assert timing.transformed(1) == 52
    assert timing.transformed(2) == 88
    # the second node of a pair four cycles after the first
    assert timing.counted(1, 2) == 92
    assert timing.counted(2, 2) == 100
    assert timing.counted(1, 0) == 16
    assert timing.counted(3, 0) == 36
    for pairs in range(2, 20):
        assert timing.counted(pairs, 2) == chip.cycles_of_list(pairs)
