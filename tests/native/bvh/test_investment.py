"""What is worth preparing for a tree, and from which query on."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from impinge import _core
from support.meshes import grid

NONE, FIRST = np.zeros(0, dtype=np.int32), np.zeros(1, dtype=np.int32)


@pytest.fixture(autouse=True)
def limits() -> Iterator[tuple[int, int]]:
    """Those of the product, restored in the end."""
    usual = _core.bvh_invest(slabs=1, sheets=7)
    _core.bvh_invest(*usual)
    yield usual
    _core.bvh_invest(*usual)


def asked_about_itself(tree: _core.Tree) -> int:
    """How many sheets were clear."""
    *_, counters = _core.bvh_scene([tree], None, None, FIRST, True, False, False, 1, None)
    return int(counters["clear_sheets"])


def test_the_usual_limits(limits: tuple[int, int]) -> None:
    assert limits == (1, 7)


@pytest.mark.parametrize("without", [0, 1, 3])
def test_sheets_are_made_after_so_many_queries(without: int) -> None:
    _core.bvh_invest(slabs=1, sheets=without)
    tree = _core.Tree(*grid(8, 8))
    clear = [asked_about_itself(tree) > 0 for _ in range(without + 2)]
    assert clear == [False] * without + [True, True]


@pytest.mark.parametrize("without", [0, 2])
def test_slabs_are_made_after_so_many_queries(without: int) -> None:
    _core.bvh_invest(slabs=without, sheets=7)
    tree, other = _core.Tree(*grid(8, 8)), _core.Tree(*grid(8, 8))
    sizes = []
    for _ in range(without + 2):
        _core.bvh_scene([tree, other], None, None, NONE, True, False, False, 1, None)
        sizes.append(tree.nbytes)
    assert sizes[:without] == [sizes[0]] * without
    assert sizes[without] == sizes[-1]
    if without:
        assert sizes[-1] > sizes[0]


def test_moved_vertices_cost_the_slabs_but_not_the_sheets() -> None:
    _core.bvh_invest(slabs=0, sheets=0)
    vertices, faces = grid(8, 8)
    tree, other = _core.Tree(vertices, faces), _core.Tree(vertices, faces)
    asked_about_itself(tree)
    before = tree.nbytes
    _core.bvh_scene([tree, other], None, None, NONE, True, False, False, 1, None)
    with_slabs = tree.nbytes
    assert with_slabs > before
    _core.bvh_invest(slabs=9, sheets=9)
    tree.refit(vertices + 0.25)
    assert before <= tree.nbytes < with_slabs + 64 * len(faces)
    assert asked_about_itself(tree) > 0
