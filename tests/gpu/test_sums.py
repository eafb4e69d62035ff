"""Sums before each value, and tallies."""

from __future__ import annotations

import numpy as np
import pytest

from impinge.gpu.scan import scan
from impinge.gpu.tally import read_tally, tally

COUNTS = [1, 2, 64, 255, 256, 257, 4096, 70_000, 300_000]


@pytest.mark.parametrize("count", COUNTS)
def test_scan(gpu, count):
    values = np.random.default_rng(count).integers(0, 9, count).astype(np.uint32)
    found = gpu.read(scan(gpu, gpu.upload(values), count), np.uint32)
    assert np.array_equal(found, np.cumsum(values) - values)


@pytest.mark.parametrize("count", COUNTS)
def test_tally(gpu, count):
    rng = np.random.default_rng(count)
    values = rng.integers(0, 2**32, count, dtype=np.uint32)
    marks = rng.integers(0, 2, count).astype(np.uint32)
    found = read_tally(gpu, tally(gpu, gpu.upload(values), gpu.upload(marks), count))
    # the sum does not fit into 32 bits
    assert found == (values.max(), values.sum(dtype=np.uint64), marks.sum())
