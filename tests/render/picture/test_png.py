"""PNG files that a strict reader understands."""

from __future__ import annotations

import struct
import zlib

import numpy as np
import pytest

from impinge.render.picture.png import encode


def _decode(png: bytes) -> np.ndarray:
    """A small independent reader: chunks with checksums, then the filters row by row."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    at, chunks = 8, {}
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        kind, body = png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        assert struct.unpack(">I", png[at + 8 + length : at + 12 + length])[0] == zlib.crc32(
            kind + body
        )
        chunks[kind] = body
        at += 12 + length
    width, height, *rest = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert rest == [8, 2, 0, 0, 0]
    raw = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), dtype=np.uint8).reshape(height, -1)
    image = np.zeros((height + 1, 3 * (width + 1)), dtype=int)
    for y in range(height):
        for x in range(3 * width):
            left, up, corner = image[y + 1, x], image[y, x + 3], image[y, x]
            paeth = min((left, up, corner), key=lambda v: abs(left + up - corner - v))
            guess = (0, left, up, (left + up) // 2, paeth)[raw[y, 0]]
            image[y + 1, x + 3] = (int(raw[y, 1 + x]) + guess) % 256
    return image[1:, 3:].reshape(height, width, 3).astype(np.uint8)


@pytest.mark.parametrize("shape", [(1, 1, 3), (5, 7, 3), (16, 16, 3)])
def test_noise_comes_back(shape: tuple[int, int, int]) -> None:
    image = np.random.default_rng(3).integers(0, 256, shape).astype(np.uint8)
    assert np.array_equal(_decode(encode(image)), image)


def test_a_gradient_comes_back_and_is_small() -> None:
    ramp = np.arange(48, dtype=np.uint8)
    image = np.stack(
        [ramp[:, None] + ramp, ramp[:, None] + 0 * ramp, 0 * ramp[:, None] + ramp], axis=2
    )
    assert np.array_equal(_decode(encode(image)), image)
    assert len(encode(image)) < image.size / 8
