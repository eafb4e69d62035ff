"""Memory that the core keeps for the next tree or answer."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from impinge import _core
from impinge._memory import resident
from support.meshes import grid, moved

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc and page faults")
MEGABYTE = 1 << 20


@linux_only
def test_a_tree_takes_the_memory_of_the_one_before() -> None:
    import resource

    def faults() -> int:
        return resource.getrusage(resource.RUSAGE_SELF).ru_minflt

    arrays = grid(200, 200)
    for _ in range(3):
        _core.Tree(*arrays, 1)
    before = faults()
    for _ in range(10):
        _core.Tree(*arrays, 1)
    # fresh pages would be a hundred and more for each tree
    assert faults() - before < 200


@linux_only
def test_what_is_kept_has_a_limit() -> None:
    planes = [grid(300, 300 + 40 * k) for k in range(24)]
    before = resident()
    total = sum(_core.Tree(*arrays, 2).nbytes for arrays in planes)
    assert total > 400 * MEGABYTE
    assert resident() - before < 160 * MEGABYTE


def test_an_answer_outlives_the_next() -> None:
    plane = grid(120, 120)
    tree = _core.Tree(*plane, 1)
    down = np.tile([0.0, 0.0, -1.0], (len(plane[0]), 1))

    def cast(height: float) -> tuple[np.ndarray, ...]:
        above, _ = moved(plane, [0, 0, height])
        return _core.raycast(tree, above, down, 0, 0.0, np.inf, 1, None)

    first = cast(1.0)
    copies = [array.copy() for array in first]
    second = cast(2.0)
    for array, copy in zip(first, copies, strict=True):
        assert np.array_equal(array, copy)
    assert np.array_equal(second[2], first[2] + 1)
