"""One number for a pair of bodies or faces, so that pairs are sorted, counted and looked up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from impinge._types import AnyArray, Ints, Longs

_BITS = 32


def pair_keys(pairs: AnyArray, *, ordered: bool = False) -> Longs:
    """(n,) int64 low << 32 | high of pairs (n, 2) of ids below 2**31.

    Keys sort as the pairs do. `ordered`: (a, b) is not (b, a), and a stands for the low one.
    """
    low, high = pairs.astype(np.int64).T
    if not ordered:
        low, high = np.minimum(low, high), np.maximum(low, high)
    keys: Longs = low << _BITS | high
    return keys


def pairs_of_keys(keys: Longs) -> Ints:
    """(n, 2) int32, the low id first: the inverse of `pair_keys`."""
    return np.stack([keys >> _BITS, keys & (1 << _BITS) - 1], axis=1).astype(np.int32)
