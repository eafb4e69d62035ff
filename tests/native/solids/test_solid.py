"""Whether a mesh is closed for questions about solids, and whether it is inside out."""

from __future__ import annotations

import numpy as np
import pytest

from impinge import _core
from support.meshes import Arrays, arrays, box, empty, merge, moved, sphere, torus, unwelded

SHEET = arrays([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2), (0, 2, 1)])


def solid(mesh: Arrays) -> tuple[int, bool]:
    return _core.solid(_core.Tree(*mesh))


def turned(mesh: Arrays) -> Arrays:
    return arrays(mesh[0], mesh[1][:, ::-1])


@pytest.mark.parametrize(
    ("mesh", "open_edges"),
    [
        (empty(), 0),
        (box(), 0),
        (unwelded(torus(8, 6)), 0),
        (merge(box(), moved(box(), (1, 1, 0))), 0),
        (merge(box(), moved(box(), (1, 0, 0))), 0),
        (merge(box(), box()), 0),
        (SHEET, 0),
        (arrays(SHEET[0], [(0, 1, 2)]), 3),
        (arrays(SHEET[0], [(0, 1, 2), (0, 1, 2)]), 3),
        (arrays(SHEET[0], [(0, 1, 0), (1, 1, 1)]), 0),
        (arrays(box()[0], box()[1][2:]), 4),
        (arrays(box()[0], np.concatenate([box()[1], box()[1][:1], box()[1][:1, ::-1]])), 0),
    ],
)
def test_edges_that_are_not_used_equally_often(mesh: Arrays, open_edges: int) -> None:
    assert solid(mesh)[0] == open_edges


@pytest.mark.parametrize("power", [-330, 0, 300])
def test_inside_out(power: int) -> None:
    ball = sphere(8)
    hollow = merge(ball, turned(sphere(6, radius=0.5)))
    for mesh in (box(), ball, hollow, merge(box(), moved(box(), (3, 0, 0))), merge(box(), box())):
        scaled = arrays(np.ldexp(mesh[0], power), mesh[1])
        assert solid(scaled) == (0, False)
        assert solid(turned(scaled)) == (0, True)


def test_what_has_no_volume_is_not_turned() -> None:
    """The volume is 0 exactly, and only exact arithmetic tells."""
    rng = np.random.default_rng(0)
    corners = rng.normal(size=(40, 3, 3))
    sheets = np.concatenate([corners, np.roll(corners[:, ::-1], 1, axis=1)])
    flat = arrays(sheets, np.arange(240))
    both = merge(box(), turned(box()))
    for mesh in (SHEET, flat, both, merge(torus(9, 7), turned(torus(9, 7)))):
        assert solid(mesh) == (0, False)


@pytest.mark.parametrize("larger", [False, True])
def test_a_volume_smaller_than_its_rounding(larger: bool) -> None:
    """Two shells that differ by a last bit, one inside out: what is left of them decides."""
    one = moved(box(), (1000, 2000, 3000))
    other = one[0].copy()
    other[other[:, 0] > 1000.5, 0] = np.nextafter(1001.0, np.inf if larger else 0.0)
    assert solid(merge(arrays(other, one[1]), turned(one))) == (0, not larger)


@pytest.mark.parametrize("good", [False, True])
def test_one_shell_that_is_not_inside_out_is_enough(good: bool) -> None:
    shells = [turned(moved(sphere(5, radius=2), (5.0 * i, 0, 0))) for i in range(6)]
    shells[3] = turned(shells[3]) if good else shells[3]
    assert solid(merge(*shells)) == (0, not good)
