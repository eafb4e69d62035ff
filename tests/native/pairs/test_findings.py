"""What threads find is put together in order, with nothing lost and nothing twice."""

from __future__ import annotations

import numpy as np
import pytest

import impinge
from support.meshes import sphere

# nearly the same surface: more pairs than one thread sorts alone, all over both trees
A, (_vertices, _faces) = sphere(90), sphere(86)
B = _vertices + np.array([0.001, 0.0007, 0.0003]), _faces
LEAST = 16_384


@pytest.fixture(scope="module")
def alone() -> impinge.Collisions:
    hits = impinge.collide(A, B, workers=1)
    assert len(hits) > LEAST
    assert np.array_equal(hits.pairs, np.unique(hits.pairs, axis=0))
    return hits


@pytest.mark.parametrize("workers", [2, 3, 5, 8])
def test_pairs_of_one_query(workers: int, alone: impinge.Collisions) -> None:
    hits = impinge.collide(A, B, workers=workers)
    assert np.array_equal(hits.pairs, alone.pairs)
    assert np.array_equal(hits.kinds, alone.kinds)


@pytest.mark.parametrize("workers", [1, 2, 3, 8])
def test_pairs_of_poses(workers: int, alone: impinge.Collisions) -> None:
    """One far away between two that find everything."""
    poses = np.eye(4)[None].repeat(3, axis=0)
    poses[1, 0, 3] = 9
    hits = impinge.collide(A, B, poses=poses, workers=workers)
    assert np.array_equal(hits.pairs, np.concatenate([alone.pairs, alone.pairs]))
