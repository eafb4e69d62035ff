"""Fewer pixels to read: squares of four made one, or the hits moved together."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from impinge.detectors.cinder.colours import packed, unpacked
from impinge.detectors.image.pack import pack

if TYPE_CHECKING:
    from impinge._types import AnyArray, Words
    from impinge.detectors.cinder.options import CinderOptions


class Reduced(NamedTuple):
    """(k,) colours of the pixels that hold a pair, and how often the image was halved."""

    edge: Words
    solid: Words
    stages: int


def reduce(edge: Words, solid: Words, options: CinderOptions) -> Reduced:
    """What is read of an image (W, W) of pairs."""
    if options.ids == "16bit":
        edge, solid = unpacked(packed(edge, solid, options.payload), options.payload)
    if options.reduce == "pack":
        rows = np.stack([edge, solid, solid, solid], axis=-1).reshape(-1, 4).view(np.int32)
        both = pack(rows).boxes[:, :2].view(np.uint32)
        return Reduced(both[:, 0].copy(), both[:, 1].copy(), 0)
    stages = 0
    if options.reduce != "none":
        # a pixel is taken as a whole: the highest of each half would invent pairs
        whole = edge.astype(np.uint64) << np.uint64(32) | solid
        if options.reduce == "stages":
            for _ in range(options.stages):
                whole = _fours(whole).max(axis=0)
            stages = options.stages
        else:
            whole, stages = _lossless(whole)
        edge, solid = (whole >> np.uint64(32)).astype(np.uint32), whole.astype(np.uint32)
    hit = np.flatnonzero(edge != 0)
    return Reduced(edge.reshape(-1)[hit], solid.reshape(-1)[hit], stages)


def _lossless(whole: AnyArray) -> tuple[AnyArray, int]:
    """Halved until a square holds two different pairs."""
    stages = 0
    while len(whole) > 1:
        fours = _fours(whole)
        highest = fours.max(axis=0)
        if ((fours != 0) & (fours != highest)).any():
            break
        whole, stages = highest, stages + 1
    return whole, stages


def _fours(whole: AnyArray) -> AnyArray:
    return np.stack([whole[i::2, j::2] for i in (0, 1) for j in (0, 1)])
