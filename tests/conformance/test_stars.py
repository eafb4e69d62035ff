"""Faces around one vertex, more than fit into one look: what `bvh` settles without boxes."""

from __future__ import annotations

import numpy as np
import pytest

import impinge
from support import oracle
from support.compare import answer, assert_same
from support.meshes import Arrays


def star(rng: np.random.Generator, flatness: float) -> Arrays:
    """Up to 24 faces with one common vertex, some of them twice, some without area."""
    rim = int(rng.integers(2, 30))
    vertices = np.round(2 * rng.normal(size=(rim + 1, 3))) / 2
    vertices[:, 2] = flatness * rng.normal(size=rim + 1)
    faces = rng.integers(0, rim + 1, size=(int(rng.integers(2, 24)), 3))
    faces[:, rng.integers(3)] = rng.integers(rim + 1)
    return vertices, faces.astype(np.int32)


# from plain ones to those that float32 cannot tell from a plane
@pytest.mark.parametrize("flatness", [1.0, 1e-3, 1e-6, 1e-7, 3e-8, 1e-12, 0.0])
def test_stars(flatness: float) -> None:
    rng = np.random.default_rng(7)
    for _ in range(40):
        mesh = star(rng, flatness)
        for duplicates in (False, True):
            truth = oracle.self_collide(mesh, report_duplicates=duplicates)
            hits = impinge.self_collide(mesh, report_duplicates=duplicates)
            assert_same(truth, answer(hits), mesh)
