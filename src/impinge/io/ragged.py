"""Array arithmetic of the readers: rows of different lengths, conversions that keep values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from impinge._types import AnyArray, Bools, Floats, Longs

_FEW = 8


def spans(first: Longs, sizes: Longs) -> Longs:
    """Indices of ranges that start at `first` (n,) and are `sizes` (n,) long."""
    indices = np.repeat(first - np.cumsum(sizes) + sizes, sizes)
    indices += np.arange(len(indices))
    return indices


def used_vertices(faces: Longs, vertices: int) -> tuple[Longs, Longs]:
    """Which vertices the faces (t, 3) use, in order, and the faces in numbers of these."""
    if _FEW * faces.size < vertices:
        # a few of many: nothing as long as all vertices is made
        kept, renumbered = np.unique(faces, return_inverse=True)
        return kept, renumbered.reshape(faces.shape)
    used = np.zeros(vertices, dtype=bool)
    used[faces] = True
    return np.flatnonzero(used), (np.cumsum(used) - 1)[faces]


def whole_numbers(values: Floats) -> tuple[Longs, Bools]:
    """The values as int64 (-1 where that cannot be) and which of them are whole numbers."""
    whole = (values == np.floor(values)) & (np.abs(values) < 2**53)
    return np.where(whole, values, -1).astype(np.int64), whole


def doubles(values: AnyArray) -> Floats:
    """The values as float64, exactly."""
    # A signalling NaN makes NumPy warn; the check of coordinates reports it properly.
    with np.errstate(invalid="ignore"):
        return values.astype(np.float64)
