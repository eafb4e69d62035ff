"""Which places of the sparse matrix elements contribute to; fixed while no body is added."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from impinge import _core

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, TypeAlias

    from impinge._types import Floats, Longs

    Each: TypeAlias = Callable[[Callable[[Any], Any], Sequence[Any]], list[Any]]


def _pair_keys(nodes: Longs, size: int) -> Longs:
    """(k k m,) places of all pairs of nodes (k, m) of each element in a matrix of this size."""
    keys: Longs = (nodes[:, None] * size + nodes[None]).reshape(-1)
    return keys


def _sorted_once(keys: Longs) -> Longs:
    """The different ones of some keys, sorted; `np.unique` hashes them, which takes far longer."""
    keys = np.sort(keys)
    return keys[np.append(True, keys[1:] != keys[:-1])] if len(keys) else keys


class Slots:
    """The places of one family of elements, and the sums into them."""

    def __init__(self, nodes: Longs, keys: Longs, size: int, ratio: Floats) -> None:
        wanted = _pair_keys(nodes, size)
        slots = _sorted_once(wanted)
        index = np.searchsorted(slots, wanted)
        self.places: Longs = np.asarray(np.searchsorted(keys, slots), dtype=np.int64)
        """(s,) positions in the data of the matrix."""
        self.count = len(slots)
        ones = np.ones(len(index))
        self._sums = sparse.csr_array((ones, (index, np.arange(len(index)))))
        self.ratio: Floats = self.total(np.tile(ratio, len(nodes) ** 2)) / self.total(ones)
        """(s,) Lamé's constant by the shear modulus."""
        self._constants: dict[str, Floats] = {}
        # a megabyte that is new in every step costs more than what is computed in it
        self._products = np.empty((len(nodes), len(nodes), nodes.shape[1]))
        self._outer, self._blocks = np.empty((2, 3, 3, self.count))
        rows, columns = np.divmod(slots, size)
        self._mirrored = np.searchsorted(slots, columns * size + rows)

    def total(self, values: Floats) -> Floats:
        """(s,) sums of values (k, k, m) of all pairs of nodes of all elements."""
        totals: Floats = self._sums @ values.reshape(-1)
        return totals

    def stiffness(self, first: Floats, second: Floats, isotropic: Floats) -> Floats:
        """(3, 3, s) `total` of ratio first_i second_j^T + second_j first_i^T + isotropic (s,).

        For (k, 3, m) that are multiples of each other: the block at (j, i) is then the transposed
        one at (i, j), which saves a third. The result is good until the next call.
        """
        outer, result = self._outer, self._blocks
        for a in range(3):
            for b in range(a, 3):
                np.multiply(first[:, None, a], second[None, :, b], out=self._products)
                outer[a, b] = self.total(self._products)
                if a != b:
                    np.take(outer[a, b], self._mirrored, out=outer[b, a])
        # one material per body, and no place of the matrix belongs to two bodies
        np.multiply(self.ratio, outer, out=result)
        result += np.moveaxis(outer, 0, 1)
        for k in range(3):
            result[k, k] += isotropic
        return result

    def kept(self, name: str, values: Floats) -> Floats:
        """`total` of values that never change."""
        if name not in self._constants:
            self._constants[name] = self.total(values)
        return self._constants[name]


class Pattern:
    """The places of all 3 x 3 blocks that are not zero, sorted by row and column."""

    def __init__(self, size: int, families: Sequence[Longs], each: Each) -> None:
        # each: does some work on all of a list
        self.size = size
        keys = [np.arange(size, dtype=np.int64) * (size + 1)]
        keys += each(lambda nodes: _sorted_once(_pair_keys(nodes, size)), families)
        self._keys = _sorted_once(np.concatenate(keys))
        rows, columns = np.divmod(self._keys, size)
        starts = np.searchsorted(rows, np.arange(size + 1))
        self._places = _core.BlockPattern(columns.astype(np.int32), starts.astype(np.int32))
        self.diagonal = np.searchsorted(self._keys, np.arange(size, dtype=np.int64) * (size + 1))
        """(n,) position of each diagonal block."""
        self.rows = rows
        """(s,) row of each block."""

    @cached_property
    def hierarchy(self) -> _core.Hierarchy:
        """The levels of multigrid."""
        return _core.Hierarchy(self._places)

    @property
    def count(self) -> int:
        return len(self._keys)

    def slots(self, nodes: Longs, ratio: Floats) -> Slots:
        """The places of elements with these nodes (k, m); `ratio` (m,) see `Slots`."""
        return Slots(nodes, self._keys, self.size, ratio)

    def product(self, blocks: Floats, vector: Floats, workers: int | None) -> Floats:
        """(3 n,) the matrix of blocks (s, 3, 3) times a vector (3 n,), the same for all workers."""
        return self._places.product(blocks, vector, workers or 0)
