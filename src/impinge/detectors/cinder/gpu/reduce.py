"""Fewer pixels to read: squares of four made one, or the hits moved together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from impinge.detectors.cinder.gpu.states import pixel_of
from impinge.detectors.image.gpu.pack import by_scan

if TYPE_CHECKING:
    from impinge._types import Words
    from impinge.detectors.cinder.gpu.collect import Pairs
    from impinge.detectors.cinder.options import CinderOptions
    from impinge.gpu import Buffer, Session


@dataclass(frozen=True)
class Reduced:
    """What is left to read, and how often the image was halved; None: there is no pair."""

    buffer: Buffer | None
    stages: int

    def read(self, gpu: Session, options: CinderOptions) -> tuple[Words, Words]:
        """(k,) numbers of edges and solids, row by row."""
        if self.buffer is None:
            return np.zeros(0, np.uint32), np.zeros(0, np.uint32)
        edge, solid = numbers_of(gpu.read(self.buffer, np.uint32), options)
        used = edge != 0
        return edge[used], solid[used]


def reduced(gpu: Session, pairs: Pairs, options: CinderOptions) -> Reduced:
    """What the options leave of an image."""
    most = pairs.side.bit_length() - 1
    if pairs.count == 0:
        stages = {"stages": options.stages, "lossless": most}.get(options.reduce, 0)
        return Reduced(None, stages)
    if options.reduce == "pack":
        packed = by_scan(gpu, pairs.buffer, pairs.side**2, pairs.words)
        return Reduced(packed and packed[1], 0)
    if options.reduce == "stages":
        return Reduced(_levels(gpu, pairs, options.stages)[0][-1], options.stages)
    if options.reduce == "lossless":
        # all stages are made before the numbers of clashes are read: waiting for each costs more
        levels, clashes = _levels(gpu, pairs, most)
        lossy = np.flatnonzero(gpu.read(clashes, np.uint32))
        stages = int(lossy[0]) if len(lossy) else most
        return Reduced(levels[stages], stages)
    return Reduced(pairs.buffer, 0)


def _levels(gpu: Session, pairs: Pairs, stages: int) -> tuple[list[Buffer], Buffer]:
    """The image, each time half as wide; and for each stage the pixels that had to lose a pair."""
    levels, clashes, side = [pairs.buffer], gpu.zeros(4 * stages), pairs.side
    for stage in range(stages):
        side //= 2
        smaller = gpu.zeros(4 * pairs.words * side**2)
        gpu.compute(
            "cinder/halve",
            side**2,
            {"WORDS": pairs.words},
            before=levels[-1],
            halved=smaller,
            clashes=clashes,
            size=gpu.uniform(side, stage),
        )
        levels.append(smaller)
    return levels, clashes


def numbers_of(words: Words, options: CinderOptions) -> tuple[Words, Words]:
    """Of edges and solids; words: one or two for each pixel."""
    bits = np.uint32(pixel_of(options).solid_bits)
    if bits == 0:
        return words[0::2], words[1::2]
    return words >> bits, words & ((np.uint32(1) << bits) - np.uint32(1))
