"""Ignored pairs are dropped from what a detector found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from impinge._pairs import pair_keys
from impinge.detectors.protocol import RawContacts, RawOverlaps, RawPairs

if TYPE_CHECKING:
    from impinge._types import Longs

Raw = TypeVar("Raw", RawPairs, RawOverlaps, RawContacts)

_ROWS_OF_PAIRS = ("pairs", "kinds", "bodies", "pose")
_FACES = {"pairs": _ROWS_OF_PAIRS}
# the columns that tell the bodies of a row, and all columns of these rows
_BODIES = {
    RawPairs: {"bodies": _ROWS_OF_PAIRS, "contained": ("contained",)},
    RawOverlaps: {"pairs": ("pairs", "pixels", "normals"), "triangles": ("triangles",)},
    RawContacts: {"bodies": tuple(name for name in RawContacts._fields if name != "counters")},
}


def without(raw: Raw, ignored: Longs, *, faces: bool = False) -> Raw:
    """What is left without the pairs of bodies, or of `faces`, whose keys are ignored."""
    columns: dict[str, Any] = {}
    for name, rows in (_FACES if faces else _BODIES[type(raw)]).items():
        ids = getattr(raw, name)
        if ids is None:
            continue
        # two bodies, or two bodies each with a face
        pairs = ids[:, :: ids.shape[1] // 2]
        kept = ~np.isin(pair_keys(pairs, ordered=faces), ignored)
        for row in rows:
            column = getattr(raw, row)
            columns[row] = None if column is None else column[kept]
    return raw._replace(**columns)
