"""Sorting by keys of some bits."""

from __future__ import annotations

import numpy as np
import pytest

from impinge.gpu.radix import radix_sort


@pytest.mark.parametrize("bits", [4, 10, 32])
@pytest.mark.parametrize("count", [1, 31, 33, 3000])
def test_it_is_stable(gpu, count, bits):
    rng = np.random.default_rng(count)
    keys = rng.integers(0, 2**bits, count).astype(np.uint32)
    keys[rng.integers(0, count, count // 2)] = keys[0]
    values = rng.integers(0, 2**32, count).astype(np.uint32)
    sorted_keys, sorted_values = radix_sort(gpu, gpu.upload(keys), gpu.upload(values), count, bits)
    order = np.argsort(keys, kind="stable")
    assert np.array_equal(gpu.read(sorted_keys, np.uint32), keys[order])
    assert np.array_equal(gpu.read(sorted_values, np.uint32), values[order])
