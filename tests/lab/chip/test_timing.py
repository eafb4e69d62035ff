"""Cycles: the ten published times, and the rules for one list."""

from __future__ import annotations

import pytest

from impinge.lab import chip
from impinge.lab.chip import timing
from lab.chip.tools import make_tester, triangles
from support import meshes

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


SHEET = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
# transforms, an edge that is skipped, an edge that is looked at
ONE_WAY, SKIPPED, TRIED = 43, 1, 5
TESTS = {
    "above: nothing is tried, either way": (
        [(0, 0, 1), (1, 0, 1), (0, 1, 1)],
        2 * (ONE_WAY + 3 * SKIPPED),
    ),
    "through: the first edge hits": (
        [(0.2, 0.2, -1), (0.2, 0.2, 1), (1, 1, 0.5)],
        ONE_WAY + TRIED,
    ),
    "through: the second edge hits": (
        [(1, 1, 0.5), (0.2, 0.2, 1), (0.2, 0.2, -1)],
        ONE_WAY + SKIPPED + TRIED,
    ),
    "beside: two edges are tried in vain, then none": (
        [(5, 5, -1), (5, 5, 1), (6, 5, 1)],
        ONE_WAY + 2 * TRIED + SKIPPED + ONE_WAY + 3 * SKIPPED,
    ),
}


@pytest.mark.parametrize("name", TESTS)
def test_cycles_of_one_test_of_triangles(name: str) -> None:
    corners, expected = TESTS[name]
    tester = make_tester()
    tester.test(triangles(SHEET), triangles(corners))
    assert tester.cycles == expected
    run = chip.Chip((SHEET, [(0, 1, 2)]), (corners, [(0, 1, 2)])).run()
    # and the DOP of the tumbled leaf: 9 lines of the pose and 36 of corners instead of 24
    assert run.extra_cycles == expected + 9 + timing.PIPELINE + 36 - 24


def test_cycles_of_many_tests_of_triangles() -> None:
    """Each takes one way with an edge that hits at once, up to both with all edges in vain."""
    mesh = meshes.sphere(5)
    run = chip.Chip(mesh, mesh).run()
    leaves = (36 + timing.PIPELINE) * run.leaf_dops
    most = 2 * (ONE_WAY + 3 * TRIED)
    assert run.checks > 1000
    assert run.extra_cycles >= (ONE_WAY + TRIED) * run.checks + leaves
    assert run.extra_cycles <= most * run.checks + leaves + 27 * run.tumbled
    total = timing.CYCLE_NS * (run.cycles + run.extra_cycles) / 1000
    assert run.microseconds_with_triangles == pytest.approx(total)
