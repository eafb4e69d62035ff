"""Animations as GIF files."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from impinge.errors import InputError

if TYPE_CHECKING:
    from impinge._types import AnyArray, Bytes

_KEPT = 255
"""The place in the palette that leaves the old pixel."""
_DEPTH = 6
_BITS = 8
_CLEAR, _END = 256, 257
_MOST_CODES = 4096


def encode(frames: Sequence[Bytes], *, fps: float = 25.0) -> bytes:
    """A GIF file of (height, width, 3) uint8 pictures, shown again and again."""
    if not frames or any(frame.shape != frames[0].shape for frame in frames):
        raise InputError("an animation needs frames, all of the same shape")
    height, width, _ = frames[0].shape
    palette, places = _palette(frames)
    parts = [b"GIF89a", struct.pack("<HHBBB", width, height, 0xF0 | (_BITS - 1), 0, 0), palette]
    parts.append(b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00")
    delay = max(round(100.0 / fps), 2)
    shown: AnyArray | None = None
    for frame in frames:
        now = places[_coarse(frame)]
        left, top, part = _changed(now, shown)
        shown = now
        parts.append(struct.pack("<BBBBHBB", 0x21, 0xF9, 4, 0x05, delay, _KEPT, 0))
        parts.append(struct.pack("<BHHHHB", 0x2C, left, top, part.shape[1], part.shape[0], 0))
        parts.append(_compressed(part))
    return b"".join([*parts, b"\x3b"])


def _palette(frames: Sequence[Bytes]) -> tuple[bytes, AnyArray]:
    """The colours of the file, and the place of each coarse colour among them.

    Median cut: boxes of colours are halved, each time the one that would show the most error.
    """
    counts = np.zeros(1 << (3 * _DEPTH), dtype=np.int64)
    sums = np.zeros((3, len(counts)))
    for frame in frames:
        coarse = _coarse(frame).reshape(-1)
        counts += np.bincount(coarse, minlength=len(counts))
        for part in range(3):
            sums[part] += np.bincount(coarse, frame[..., part].reshape(-1), len(counts))
    used = np.flatnonzero(counts)
    weights = counts[used].astype(np.float64)
    steps = np.stack([used >> (_DEPTH * k) & ((1 << _DEPTH) - 1) for k in (2, 1, 0)], axis=1)
    boxes = [_Box.of(np.arange(len(used)), steps, weights)]
    while len(boxes) < _KEPT and (widest := max(boxes)).error > 0.0:
        boxes.remove(widest)
        order = widest.members[np.argsort(steps[widest.members, widest.axis], kind="stable")]
        half = np.searchsorted(np.cumsum(weights[order]), weights[order].sum() / 2.0)
        # neither side may be empty
        half = int(np.clip(half, 1, len(order) - 1))
        boxes += [_Box.of(part, steps, weights) for part in (order[:half], order[half:])]
    palette = np.zeros((256, 3), dtype=np.uint8)
    places = np.zeros(len(counts), dtype=np.int64)
    for place, box in enumerate(boxes):
        chosen = used[box.members]
        # of the true colours: the coarse ones would give a grey slope coloured stripes
        palette[place] = np.round(sums[:, chosen].sum(axis=1) / counts[chosen].sum())
        places[chosen] = place
    return palette.tobytes(), places


class _Box(NamedTuple):
    """Colours that become one, ordered by the error that makes."""

    error: float
    first: int
    axis: int
    members: AnyArray

    @classmethod
    def of(cls, members: AnyArray, steps: AnyArray, weights: AnyArray) -> _Box:
        chosen, weight = steps[members], weights[members]
        spread = np.average(
            (chosen - np.average(chosen, axis=0, weights=weight)) ** 2, axis=0, weights=weight
        )
        axis = int(np.argmax(spread))
        # the root, since a large even surface should not take all the colours
        error = float(spread[axis] * np.sqrt(weight.sum()))
        return cls(error, int(members[0]), axis, members)


def _coarse(frame: Bytes) -> AnyArray:
    """(height, width) each colour as one number, of a few bits for each part."""
    parts = frame.astype(np.int64) >> (8 - _DEPTH)
    return (parts[..., 0] << (2 * _DEPTH)) | (parts[..., 1] << _DEPTH) | parts[..., 2]


def _changed(now: AnyArray, before: AnyArray | None) -> tuple[int, int, AnyArray]:
    """Left, top and pixels of the part that is new; old pixels in it are kept."""
    if before is None:
        return 0, 0, now
    new = now != before
    rows, columns = np.flatnonzero(new.any(axis=1)), np.flatnonzero(new.any(axis=0))
    if not len(rows):
        return 0, 0, np.full((1, 1), _KEPT)
    box = slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)
    return int(columns[0]), int(rows[0]), np.where(new, now, _KEPT)[box]


def _compressed(part: AnyArray) -> bytes:
    data = _packed(_codes(part.astype(np.uint8).tobytes()))
    blocks = [data[k : k + 255] for k in range(0, len(data), 255)]
    return b"".join([bytes([_BITS]), *(bytes([len(b)]) + b for b in blocks), b"\x00"])


def _codes(pixels: bytes) -> list[tuple[int, int]]:
    """The codes of LZW, each with its number of bits."""
    known: dict[tuple[int, int], int] = {}
    free, bits = _END + 1, _BITS + 1
    result = [(_CLEAR, bits)]
    prefix = pixels[0]
    for pixel in pixels[1:]:
        longer = known.get((prefix, pixel))
        if longer is not None:
            prefix = longer
            continue
        result.append((prefix, bits))
        if free == 1 << bits and bits < 12:
            bits += 1
        if free < _MOST_CODES:
            known[prefix, pixel] = free
            free += 1
        else:
            result.append((_CLEAR, bits))
            known.clear()
            free, bits = _END + 1, _BITS + 1
        prefix = pixel
    result.append((prefix, bits))
    if free == 1 << bits and bits < 12:
        bits += 1
    return [*result, (_END, bits)]


def _packed(codes: list[tuple[int, int]]) -> bytes:
    """The codes as a stream of bits, lowest first."""
    values, widths = np.array(codes, dtype=np.int64).T
    starts = np.concatenate([[0], np.cumsum(widths)])
    bits = np.zeros(starts[-1], dtype=np.uint8)
    for k in range(12):
        wide = widths > k
        bits[starts[:-1][wide] + k] = values[wide] >> k & 1
    return np.packbits(bits, bitorder="little").tobytes()
