"""Relations and overlaps of unions of cells, against counting."""

from __future__ import annotations

import os

import numpy as np
import pytest

import impinge
from impinge.errors import InputError
from support.solid_pairs import random_pair

# more of them when asked: IMPINGE_PAIRS=10000 python -m pytest tests/queries/test_relation_cells.py
PAIRS = int(os.environ.get("IMPINGE_PAIRS", "800"))
BLOCK = 50


@pytest.mark.parametrize("block", range(PAIRS // BLOCK))
def test_cells_glued_boxes_and_shells(block: int) -> None:
    for seed in range(block * BLOCK, (block + 1) * BLOCK):
        pair = random_pair(np.random.default_rng(seed), overlapping_shells=False)
        found = impinge.penetration(pair.a, pair.b, workers=1)
        assert (seed, found.relation.name) == (seed, pair.relation)
        count = len(pair.common)
        assert found.volume == pytest.approx(count, rel=1e-12), seed
        if count:
            assert found.centroid == pytest.approx(pair.centroid, abs=1e-11), seed


@pytest.mark.parametrize("block", range(PAIRS // BLOCK // 2))
def test_boxes_that_overlap(block: int) -> None:
    for seed in range(block * BLOCK, (block + 1) * BLOCK):
        pair = random_pair(np.random.default_rng(seed), overlapping_shells=True)
        found = impinge.relation(pair.a, pair.b, workers=1)
        assert (seed, found.name) == (seed, pair.relation)


def test_bounds_leave_out_what_only_touches() -> None:
    looked = 0
    for seed in range(400):
        pair = random_pair(np.random.default_rng(seed), overlapping_shells=False)
        if len(pair.common) == 0 or not _is_simple(pair.a) or not _is_simple(pair.b):
            continue
        looked += 1
        found = impinge.penetration(pair.a, pair.b, workers=1)
        assert found.bounds == pytest.approx(pair.bounds, abs=1e-12), seed
    assert looked > 20


def test_overlaps_are_closed_meshes() -> None:
    looked = 0
    for seed in range(200):
        pair = random_pair(np.random.default_rng(seed), overlapping_shells=False)
        try:
            common = impinge.overlap(pair.a, pair.b, workers=1)
        except InputError:
            continue
        looked += len(common) > 0
        assert len(common) == 0 or _is_closed(common.faces), seed
        corners = common.vertices[common.faces]
        volume = np.linalg.det(corners).sum() / 6 if len(common) else 0.0
        assert volume == pytest.approx(len(pair.common), abs=1e-9), seed
    assert looked > 50


def _is_simple(mesh: tuple[np.ndarray, np.ndarray]) -> bool:
    return len(impinge.self_collide(mesh, report_duplicates=True)) == 0


def _is_closed(faces: np.ndarray) -> bool:
    edges = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    return sorted(map(tuple, edges.tolist())) == sorted(map(tuple, edges[:, ::-1].tolist()))
