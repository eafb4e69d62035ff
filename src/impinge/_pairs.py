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


def distinct_pairs(pairs: Ints) -> tuple[Ints, Longs]:
    """The different ones (k, 2), the low id first, sorted; and which of them each is (n,)."""
    # most answers are about two bodies, and then there is nothing to sort
    if len(pairs) and (pairs == pairs[0]).all():
        return np.sort(pairs[:1], axis=1), np.zeros(len(pairs), dtype=np.int64)
    keys, rows = np.unique(pair_keys(pairs), return_inverse=True)
    return pairs_of_keys(keys), rows
