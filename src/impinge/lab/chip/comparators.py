"""The comparators between a transformed DOP and that of an aligned node."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from impinge._types import Bools, Ints, Singles

_MAGNITUDE = np.int32(0x7FFFFFFF)
_OPPOSITE = np.r_[12:24, 0:12]


def as_integers(floats: Singles) -> Ints:
    """Integers in the order of the floats, whose bits are sign and magnitude; -0 is 0."""
    bits = np.ascontiguousarray(floats).view(np.int32)
    return np.where(bits < 0, -(bits & _MAGNITUDE), bits)


def overlap(moved: Singles, aligned: Singles) -> Bools:
    """24 comparators at once: apart when d'_i < -e of the opposite direction, for some i.

    DOPs along the last axis.
    """
    d, e = as_integers(moved), as_integers(aligned)
    found: Bools = np.all(d >= -e[..., _OPPOSITE], axis=-1)
    return found
