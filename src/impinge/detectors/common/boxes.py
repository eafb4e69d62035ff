"""Pairs of bodies whose boxes overlap: all others are apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from impinge import _core
from impinge._pairs import pair_keys

if TYPE_CHECKING:
    from collections.abc import Sequence

    from impinge._shape import Shape
    from impinge._types import Bools, Ints, Longs


def overlapping_boxes(
    shapes: Sequence[Shape],
    solid: Bools,
    *,
    body_pairs: Ints | None = None,
    ignored: Longs | None = None,
) -> Ints:
    """(k, 2) int32 bodies, the lower index first, sorted; of `body_pairs` and not `ignored`.

    The interiors of two that are both `solid` (n,) cannot meet where their boxes only touch.
    """
    ids = np.array([i for i, shape in enumerate(shapes) if len(shape.faces)], dtype=np.int32)
    if not len(ids):
        return np.zeros((0, 2), dtype=np.int32)
    boxes = np.array([_core.bounds(shapes[i].vertices, shapes[i].faces) for i in ids])
    ids, boxes = ids[order := np.argsort(boxes[:, 0, 0], kind="stable")], boxes[order]
    low, high = boxes[:, 0], boxes[:, 1]
    end = np.searchsorted(low[:, 0], high[:, 0], side="right")
    rows = [np.zeros((0, 2), dtype=np.int32)]
    for one in range(len(ids)):
        others = slice(one + 1, end[one])
        near = (low[others] <= high[one]) & (low[one] <= high[others])
        within = (low[others] < high[one]) & (low[one] < high[others])
        strict = solid[ids[one]] & solid[ids[others]]
        met = ids[others][np.where(strict, within.all(axis=1), near.all(axis=1))]
        rows.append(np.stack([np.full_like(met, ids[one]), met], axis=1))
    pairs = np.unique(np.sort(np.concatenate(rows), axis=1), axis=0)
    keys = pair_keys(pairs)
    kept = np.ones(len(pairs), dtype=bool)
    if body_pairs is not None:
        kept &= np.isin(keys, pair_keys(body_pairs))
    if ignored is not None:
        kept &= ~np.isin(keys, ignored)
    return np.ascontiguousarray(pairs[kept])
