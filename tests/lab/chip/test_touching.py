"""What only touches, by both semantics (T7)."""

from __future__ import annotations

import pytest

from lab.chip.tools import make_tester, triangles

LOW = [[0, 0, 0], [4, 0, 0], [0, 4, 0]]
TOUCHING = {
    "coplanar overlap": [[1, 1, 0], [3, 1, 0], [1, 3, 0]],
    "coplanar, around": [[-9, -9, 0], [20, -9, 0], [-9, 20, 0]],
    "coplanar, one corner": [[4, 0, 0], [8, 0, 0], [8, 4, 0]],
    "equal": LOW,
    "a vertex on the face": [[1, 1, 0], [1, 1, 3], [2, 1, 3]],
    "an edge in the face": [[1, 1, 0], [2, 1, 0], [1, 1, 3]],
    "a shared vertex": [[0, 0, 0], [-1, 0, 2], [0, -1, 2]],
    "a shared edge": [[0, 0, 0], [4, 0, 0], [0, 0, 3]],
    "an edge on the edge": [[1, 0, 0], [2, 0, 0], [1, 0, 3]],
    "a vertex on the edge": [[2, 0, 0], [2, -1, 3], [3, -1, 3]],
}
APART = {
    "coplanar": [[5, 0, 0], [8, 0, 0], [8, 4, 0]],
    "above": [[1, 1, 1], [2, 1, 1], [1, 2, 1]],
    "an edge in the plane": [[5, 5, 0], [6, 5, 0], [5, 5, 3]],
    "a vertex in the plane": [[3, 3, 0], [3, 3, 2], [3, 4, 2]],
    "through the plane": [[3, 3, -1], [3, 3, 1], [9, 9, 1]],
}
CROSSING = {
    "an edge through the face": [[1, 1, -1], [1, 1, 1], [9, 1, 1]],
    "through the boundary": [[-1, 1, 1], [1, 1, -1], [-3, 1, -1]],
    "around": [[-5, -5, -5], [9, 9, -5], [2, 2, 20]],
}


def meet(high: list[list[int]], *, closed: bool) -> list[bool]:
    a, b = triangles(LOW), triangles(high)
    test = make_tester(closed=closed).test
    return [bool(test(a, b)[0]), bool(test(b, a)[0])]


@pytest.mark.parametrize("name", TOUCHING)
def test_touching_counts_when_closed(name: str) -> None:
    assert meet(TOUCHING[name], closed=False) == [False, False]
    assert meet(TOUCHING[name], closed=True) == [True, True]


def test_the_printed_test_is_not_quite_open() -> None:
    """An edge of the one that goes through an edge of the other from side to side is a hit."""
    across = [[-1, 1, 0], [8, 1, 0], [1, 1, 3]]
    for closed in (False, True):
        assert meet(across, closed=closed) == [True, True]


@pytest.mark.parametrize("name", APART)
def test_apart(name: str) -> None:
    for closed in (False, True):
        assert meet(APART[name], closed=closed) == [False, False]


@pytest.mark.parametrize("name", CROSSING)
def test_crossing(name: str) -> None:
    for closed in (False, True):
        assert meet(CROSSING[name], closed=closed) == [True, True]


def test_triangles_without_area_are_pierced_by_nothing_but_pierce() -> None:
    needle = [[1, 1, -1], [1, 1, 1], [1, 1, 1]]
    for closed in (False, True):
        assert meet(needle, closed=closed) == [True, True]
        assert meet([[1, 1, 1]] * 3, closed=closed) == [False, False]
