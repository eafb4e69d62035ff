"""Sparse matrices of 3x3 blocks."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from impinge import _core


def test_product_is_that_of_scipy() -> None:
    rng = np.random.default_rng(1)
    # some rows are empty, and there are enough of them for two workers
    places = sparse.random_array((5000, 5000), density=4e-4, rng=rng, format="csr")
    columns, starts = places.indices.astype(np.int32), places.indptr.astype(np.int32)
    blocks = rng.normal(size=(len(columns), 3, 3))
    vector = rng.normal(size=15000)
    pattern = _core.BlockPattern(columns, starts)
    product = pattern.product(blocks, vector, 1)
    np.testing.assert_array_equal(pattern.product(blocks, vector, 2), product)
    truth = sparse.bsr_array((blocks, columns, starts), shape=(15000, 15000)) @ vector
    np.testing.assert_allclose(product, truth, atol=1e-12)


@pytest.mark.parametrize(
    ("columns", "starts"),
    [([0], [0]), ([0], []), ([0], [0, 2]), ([0, 0], [0, 2, 1]), ([1], [0, 1]), ([-1], [0, 1])],
)
def test_what_is_no_matrix_is_refused(columns: list[int], starts: list[int]) -> None:
    with pytest.raises(ValueError, match="no square matrix"):
        _core.BlockPattern(np.array(columns, dtype=np.int32), np.array(starts, dtype=np.int32))


def test_sizes_are_checked() -> None:
    pattern = _core.BlockPattern(np.zeros(1, dtype=np.int32), np.array([0, 1], dtype=np.int32))
    with pytest.raises(ValueError, match="one block per place"):
        pattern.product(np.zeros((2, 3, 3)), np.zeros(3))
    with pytest.raises(ValueError, match="three numbers per row"):
        pattern.product(np.zeros((1, 3, 3)), np.zeros(4))
