"""Animations: read back by another reader."""

from __future__ import annotations

import io

import numpy as np
import pytest

from impinge.errors import InputError
from impinge.lab.demos import gif


def read(data: bytes) -> list[np.ndarray]:
    image = pytest.importorskip("PIL.Image").open(io.BytesIO(data))
    frames = []
    for k in range(image.n_frames):
        image.seek(k)
        frames.append(np.asarray(image.convert("RGB")))
    return frames


def test_frames_come_back() -> None:
    rng = np.random.default_rng(1)
    size = (70, 93)
    frames = [rng.integers(0, 256, (*size, 3)).astype(np.uint8)]
    frames.append(frames[0].copy())
    frames[1][20:40, 30:60] = (200, 30, 10)
    frames.append(frames[1].copy())
    frames.append(np.zeros((*size, 3), dtype=np.uint8))
    data = gif.encode(frames, fps=20)
    # equal frames may be joined by the reader
    found = read(data)
    assert len(found) in (3, 4)
    for frame, expected in ((found[0], frames[0]), (found[1], frames[1]), (found[-1], frames[3])):
        # 255 colours for 13,000: near on the whole
        assert np.abs(frame.astype(int) - expected).mean() < 16
    np.testing.assert_array_equal(found[-1], 0)


@pytest.mark.parametrize("count", [1, 2, 5, 255, 256, 5000, 200_000])
@pytest.mark.parametrize("colours", [1, 2, 250])
def test_codes_of_any_length(count: int, colours: int) -> None:
    rng = np.random.default_rng(count)
    levels = rng.integers(0, colours, (1, count))
    picture = np.repeat((levels * 255 // max(colours - 1, 1))[..., None], 3, axis=2)
    picture = picture.reshape(-1, min(count, 1000), 3).astype(np.uint8)
    found = read(gif.encode([picture]))
    assert np.abs(found[0].astype(int) - picture).max() <= 4


def test_frames_of_one_size_are_needed() -> None:
    with pytest.raises(InputError):
        gif.encode([])
    with pytest.raises(InputError):
        gif.encode([np.zeros((2, 2, 3), np.uint8), np.zeros((3, 2, 3), np.uint8)])
