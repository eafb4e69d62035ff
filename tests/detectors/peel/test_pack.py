"""Packing is compaction, however it is done."""

from __future__ import annotations

import numpy as np
import pytest

from detectors.peel.reference import packed
from impinge.detectors.image.pack import pack


@pytest.mark.parametrize("packing", ["scan", "sweep"])
@pytest.mark.parametrize("density", [0.0, 0.001, 0.1, 0.5, 0.99, 1.0])
@pytest.mark.parametrize("count", [0, 1, 1023, 1024, 1025, 5000])
def test_packing_is_compaction(count: int, density: float, packing: str) -> None:
    rng = np.random.default_rng([count, int(1000 * density)])
    sparse = rng.integers(1, 10**6, (count, 4)).astype(np.int32)
    sparse[rng.random(count) >= density] = 0
    found = pack(sparse, packing)
    ids, boxes = packed(sparse)
    assert np.array_equal(found.ids, ids)
    assert np.array_equal(found.boxes, boxes)
    assert found.ids.dtype == found.boxes.dtype == np.int32


@pytest.mark.parametrize("packing", ["scan", "sweep"])
def test_empty_and_full_rows(packing: str) -> None:
    """Rows of the image that the sweep works on: none, one, all but the ends, all."""
    full = np.ones((1024, 4), dtype=np.int32)
    ends = full.copy()
    ends[[0, -1]] = 0
    one = np.zeros_like(full)
    one[-1, 0] = 1
    sparse = np.concatenate([np.zeros_like(full), one, ends, full, one[::-1]])
    assert np.array_equal(pack(sparse, packing).ids, packed(sparse)[0])
