"""Distances of bodies that are flat across one axis, where the search skips what lies beyond it."""

from __future__ import annotations

import numpy as np
import pytest

import impinge
from support import distance_reference as reference
from support.meshes import soup

COUNT = 40


@pytest.mark.parametrize("gap", [1e-3, 0.2, 30.0])
@pytest.mark.parametrize("across", [0.0, 0.125])
@pytest.mark.parametrize("axis", range(3))
def test_side_by_side(axis: int, across: float, gap: float) -> None:
    """In one plane, or in two that are parallel."""
    rng = np.random.default_rng(axis)
    flat = rng.random((2, COUNT, 1, 2)) * (3, 9) + rng.normal(size=(2, COUNT, 3, 2)) * 0.3
    flat[1, ..., 0] += flat[0, ..., 0].max() - flat[1, ..., 0].min() + gap
    a = soup(np.insert(flat[0], axis, 0.0, axis=-1))
    b = soup(np.insert(flat[1], axis, across, axis=-1))
    assert impinge.distance(a, b).value == reference.mesh_distance(a, b)[0]
