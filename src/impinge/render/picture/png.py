"""Pictures as PNG files."""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from impinge._types import AnyArray, Bytes


def encode(image: Bytes) -> bytes:
    """A PNG file of an (height, width, 3) uint8 picture."""
    height, width, _ = image.shape
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    data = zlib.compress(_filtered(image).tobytes(), 7)
    chunks = ((b"IHDR", header), (b"IDAT", data), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, body) for kind, body in chunks)


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def _filtered(image: Bytes) -> AnyArray:
    """Each row by the filter (none, sub, up, average, Paeth) that leaves the smallest numbers."""
    height, width, depth = image.shape
    now = image.reshape(height, width * depth).astype(np.int16)
    left = np.pad(now, ((0, 0), (depth, 0)))[:, :-depth]
    up = np.pad(now, ((1, 0), (0, 0)))[:-1]
    corner = np.pad(up, ((0, 0), (depth, 0)))[:, :-depth]
    guesses = (np.zeros_like(now), left, up, (left + up) // 2, _paeth(left, up, corner))
    rows = np.stack([(now - guess).astype(np.uint8) for guess in guesses])
    cost = np.abs(rows.view(np.int8).astype(np.int16)).sum(axis=2)
    best = np.argmin(cost, axis=0)
    chosen = rows[best, np.arange(height)]
    return np.concatenate([best[:, None].astype(np.uint8), chosen], axis=1)


def _paeth(left: AnyArray, up: AnyArray, corner: AnyArray) -> AnyArray:
    guess = left + up - corner
    from_left, from_up, from_corner = (np.abs(guess - value) for value in (left, up, corner))
    by_up = np.where(from_up <= from_corner, up, corner)
    return np.where((from_left <= from_up) & (from_left <= from_corner), left, by_up)
