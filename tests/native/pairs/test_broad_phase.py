"""Few pairs of bodies are looked at one by one, many in a hierarchy: both find the same."""

from __future__ import annotations

import numpy as np
import pytest

from impinge import _core
from support.meshes import box, pose

NO_BODIES = np.zeros(0, dtype=np.int32)
# more than 512 pairs
COUNT = 40


def met(trees: list[_core.Tree], placements: object, pairs: np.ndarray | None) -> np.ndarray:
    """Pairs of bodies that have a point in common."""
    found = _core.bvh_scene(trees, placements, pairs, NO_BODIES, True, False, True, 1, None)
    return np.unique(found[1], axis=0)


@pytest.mark.parametrize("spread", [0.5, 2.0, 6.0])
def test_one_by_one_as_in_a_hierarchy(spread: float) -> None:
    rng = np.random.default_rng(5)
    vertices, faces = box()
    # one of the bodies has no faces, and is nowhere
    trees = [_core.Tree(vertices, faces[: 0 if k == 3 else None]) for k in range(COUNT)]
    placements = [pose(rng, spread=spread).tobytes() for _ in range(COUNT - 1)] + [None]
    everything = met(trees, placements, None)
    assert 3 not in everything
    every_pair = np.argwhere(np.triu(np.ones((COUNT, COUNT)), 1)).astype(np.int32)
    parts = [met(trees, placements, part) for part in np.array_split(every_pair, 3)]
    np.testing.assert_array_equal(np.concatenate(parts), everything)
    np.testing.assert_array_equal(met(trees, placements, every_pair), everything)
    few = met(trees[:30], placements[:30], None)
    np.testing.assert_array_equal(few, everything[everything[:, 1] < 30])
