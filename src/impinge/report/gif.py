"""Animations as GIF files."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from impinge.errors import InputError

if TYPE_CHECKING:
    from impinge._types import AnyArray, Bytes

# 6 steps of red and blue, 7 of green: 252 colours, and one that leaves the old pixel
_STEPS = (6, 7, 6)
_KEPT = 252
_BITS = 8
_CLEAR, _END = 256, 257
_MOST_CODES = 4096
# a pattern that hides the steps between the colours
_BAYER = np.array([[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]]) / 16.0 - 0.46875


def encode(frames: Sequence[Bytes], *, fps: float = 25.0) -> bytes:
    """A GIF file of (height, width, 3) uint8 pictures, shown again and again."""
    if not frames or any(frame.shape != frames[0].shape for frame in frames):
        raise InputError("an animation needs frames, all of the same shape")
    height, width, _ = frames[0].shape
    parts = [b"GIF89a", struct.pack("<HHBBB", width, height, 0xF0 | (_BITS - 1), 0, 0), _palette()]
    parts.append(b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00")
    delay = max(round(100.0 / fps), 2)
    shown: AnyArray | None = None
    for frame in frames:
        now = _indexed(frame)
        left, top, part = _changed(now, shown)
        shown = now
        parts.append(struct.pack("<BBBBHBB", 0x21, 0xF9, 4, 0x05, delay, _KEPT, 0))
        parts.append(struct.pack("<BHHHHB", 0x2C, left, top, part.shape[1], part.shape[0], 0))
        parts.append(_compressed(part))
    return b"".join([*parts, b"\x3b"])


def _palette() -> bytes:
    levels = [np.round(np.linspace(0, 255, n)) for n in _STEPS]
    colours = np.stack(np.meshgrid(*levels, indexing="ij"), axis=-1).reshape(-1, 3)
    return np.concatenate([colours, np.zeros((256 - len(colours), 3))]).astype(np.uint8).tobytes()


def _indexed(frame: Bytes) -> AnyArray:
    """(height, width) places in the palette, dithered."""
    height, width, _ = frame.shape
    pattern = np.tile(_BAYER, (height // 4 + 1, width // 4 + 1))[:height, :width]
    index = np.zeros((height, width), dtype=np.int64)
    for k, count in enumerate(_STEPS):
        level = np.round(frame[..., k] * ((count - 1) / 255.0) + pattern)
        index = index * count + np.clip(level, 0, count - 1).astype(np.int64)
    return index


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
        prefix_pixel = (prefix, pixel)
        if free == 1 << bits and bits < 12:
            bits += 1
        if free < _MOST_CODES:
            known[prefix_pixel] = free
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
