"""Which places of the sparse matrix elements contribute to; fixed while no body is added."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from impinge import _core

if TYPE_CHECKING:
    from collections.abc import Sequence

    from impinge._types import Floats, Longs


class Slots:
    """The places of one family of elements, and the sums into them."""

    def __init__(self, nodes: Longs, keys: Longs, size: int, ratio: Floats) -> None:
        rows, columns = np.repeat(nodes, len(nodes), axis=0), np.tile(nodes, (len(nodes), 1))
        slots, index = np.unique((rows * size + columns).reshape(-1), return_inverse=True)
        self.places: Longs = np.asarray(np.searchsorted(keys, slots), dtype=np.int64)
        """(s,) positions in the data of the matrix."""
        self.count = len(slots)
        ones = np.ones(len(index))
        self._sums = sparse.csr_array((ones, (index, np.arange(len(index)))))
        self.ratio: Floats = self.total(np.tile(ratio, len(nodes) ** 2)) / self.total(ones)
        """(s,) Lamé's constant by the shear modulus."""
        self._constants: dict[str, Floats] = {}
        rows, columns = np.divmod(slots, size)
        self._mirrored = np.searchsorted(slots, columns * size + rows)

    def total(self, values: Floats) -> Floats:
        """(s,) sums of values (k, k, m) of all pairs of nodes of all elements."""
        totals: Floats = self._sums @ values.reshape(-1)
        return totals

    def outer(self, first: Floats, second: Floats) -> Floats:
        """(3, 3, s) `total` of first_i second_j^T, for (k, 3, m) that are multiples of each other.

        The block at (j, i) is then the transposed one at (i, j), which saves a third.
        """
        result = np.empty((3, 3, self.count))
        products = np.empty((len(first), len(second), first.shape[2]))
        for a in range(3):
            for b in range(a, 3):
                np.multiply(first[:, None, a], second[None, :, b], out=products)
                result[a, b] = self.total(products)
                if a != b:
                    result[b, a] = result[a, b][self._mirrored]
        return result

    def kept(self, name: str, values: Floats) -> Floats:
        """`total` of values that never change."""
        if name not in self._constants:
            self._constants[name] = self.total(values)
        return self._constants[name]


class Pattern:
    """The places of all 3 x 3 blocks that are not zero, sorted by row and column."""

    def __init__(self, size: int, families: Sequence[Longs]) -> None:
        self.size = size
        keys = [np.arange(size, dtype=np.int64) * (size + 1)]
        for nodes in families:
            rows, columns = np.repeat(nodes, len(nodes), axis=0), np.tile(nodes, (len(nodes), 1))
            keys.append(np.unique(rows * size + columns))
        self._keys = np.unique(np.concatenate(keys))
        rows, columns = np.divmod(self._keys, size)
        starts = np.searchsorted(rows, np.arange(size + 1))
        self._places = _core.BlockPattern(columns.astype(np.int32), starts.astype(np.int32))
        self.diagonal = np.searchsorted(self._keys, np.arange(size, dtype=np.int64) * (size + 1))
        """(n,) position of each diagonal block."""
        self.rows = rows
        """(s,) row of each block."""

    @property
    def count(self) -> int:
        return len(self._keys)

    def slots(self, nodes: Longs, ratio: Floats) -> Slots:
        """The places of elements with these nodes (k, m); `ratio` (m,) see `Slots`."""
        return Slots(nodes, self._keys, self.size, ratio)

    def product(self, blocks: Floats, vector: Floats, workers: int | None) -> Floats:
        """(3 n,) the matrix of blocks (s, 3, 3) times a vector (3 n,), the same for all workers."""
        return self._places.product(blocks, vector, workers or 0)
