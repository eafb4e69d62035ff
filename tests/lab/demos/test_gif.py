"""Animations: read back frame by frame, and block by block by a reader of our own."""

from __future__ import annotations

import io
import struct
import sys
from importlib import reload
from typing import NamedTuple

import numpy as np
import pytest
from PIL import Image

from impinge.errors import InputError, MissingDependencyError
from impinge.lab.demos import gif


class Read(NamedTuple):
    frames: list[np.ndarray]
    durations: list[int]
    loop: int


def read(data: bytes) -> Read:
    image = Image.open(io.BytesIO(data))
    frames, durations = [], []
    for k in range(image.n_frames):
        image.seek(k)
        frames.append(np.asarray(image.convert("RGB")))
        durations.append(image.info["duration"])
    return Read(frames, durations, image.info["loop"])


class Stored(NamedTuple):
    """The part of the picture that a frame stores; whether with colours of its own."""

    left: int
    top: int
    width: int
    height: int
    own_palette: bool


def stored(data: bytes) -> list[Stored]:
    assert data[:6] == b"GIF89a"
    assert data[10] & 0x80, "there is a palette for all frames"
    at = 13 + 3 * (2 << (data[10] & 7))
    found = []
    while data[at] != 0x3B:
        if data[at] == 0x21:
            at += 2
        else:
            assert data[at] == 0x2C
            *box, flags = struct.unpack("<HHHHB", data[at + 1 : at + 10])
            found.append(Stored(*box, bool(flags & 0x80)))
            at += 11 + (3 * (2 << (flags & 7)) if flags & 0x80 else 0)
        while data[at]:
            at += 1 + data[at]
        at += 1
    return found


def ball(x: int, colour: tuple[int, int, int]) -> np.ndarray:
    """A shaded ball before a grey slope."""
    row, column = np.mgrid[:90, :160]
    image = np.repeat((225 + row // 4)[..., None], 3, axis=2).astype(np.uint8)
    away = np.hypot(row - 45, column - x)
    light = np.clip(1.1 - away / 40, 0, 1)[..., None]
    return np.where((away < 24)[..., None], light * colour, image).astype(np.uint8)


MOVING = [ball(x, (240, 60, 40)) for x in range(40, 120, 8)]


def test_frames_colours_and_times_come_back() -> None:
    found = read(gif.encode(MOVING, fps=20))
    assert (found.durations, found.loop) == ([50] * len(MOVING), 0)
    for frame, expected in zip(found.frames, MOVING, strict=True):
        error = np.abs(frame.astype(int) - expected)
        assert error.mean() < 1
        assert error.max() < 16


def test_only_what_changes_is_stored_with_one_palette() -> None:
    data = gif.encode(MOVING)
    parts = stored(data)
    assert parts[0][:4] == (0, 0, 160, 90)
    for k, part in enumerate(parts[1:], start=1):
        assert not part.own_palette
        changed = (MOVING[k] != MOVING[k - 1]).any(axis=2)
        rows, columns = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
        assert rows[0] <= part.top <= part.top + part.height <= rows[-1] + 1
        assert columns[0] <= part.left <= part.left + part.width <= columns[-1] + 1
    assert len(data) < 0.75 * sum(len(gif.encode([frame])) for frame in MOVING)


def test_what_stands_still_keeps_its_colours() -> None:
    frames = [ball(30, (200, 40, 40)), ball(120, (40, 40, 200)), ball(120, (40, 200, 40))]
    first, second, third = read(gif.encode(frames)).frames
    assert np.array_equal(first[:, 60:90], second[:, 60:90])
    assert np.array_equal(first[:, 60:90], third[:, 60:90])


def test_a_few_pixels_keep_their_colour() -> None:
    """Red dots in one frame of many, as collisions are."""
    frames = [image.copy() for image in [ball(80, (90, 120, 160))] * 12]
    frames[7][40:42, 70:90] = (220, 30, 45)
    found = read(gif.encode(frames)).frames
    dots = found[1][40:42, 70:90].astype(int)
    assert np.abs(dots - (220, 30, 45)).max() < 8


def test_equal_frames_last_longer() -> None:
    frames = [MOVING[0], MOVING[0], MOVING[1], MOVING[1], MOVING[1]]
    assert read(gif.encode(frames, fps=25)).durations == [80, 120]
    assert stored(gif.encode([MOVING[0]] * 3)) == [(0, 0, 160, 90, False)]


@pytest.mark.parametrize(("fps", "duration"), [(1, 1000), (30, 30), (50, 20), (1000, 20)])
def test_frames_in_a_second(fps: float, duration: int) -> None:
    assert read(gif.encode(MOVING[:2], fps=fps)).durations == [duration] * 2


@pytest.mark.parametrize("colours", [2, 3, 4, 64, 128, 255])
def test_pixels_that_stay_have_a_place_in_the_palette(colours: int) -> None:
    levels = 4 * np.stack(np.unravel_index(np.arange(colours), (8, 8, 8)), axis=-1)
    first = np.resize(levels, (20, 30, 3)).astype(np.uint8)
    second = first.copy()
    second[5:9, 5:20] = first[5:9, 6:21]
    data = gif.encode([first, second])
    found = read(data).frames
    assert np.array_equal(found, [first, second])
    control = data.index(b"\x21\xf9\x04", data.index(b"\x2c"))
    assert data[control + 3] & 1, "there are such pixels"
    assert colours == data[control + 6] < 2 << (data[10] & 7)


@pytest.mark.parametrize("colours", [1, 2, 3, 250])
@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (200, 1000)])
def test_pictures_of_any_size(shape: tuple[int, int], colours: int) -> None:
    rng = np.random.default_rng(colours)
    levels = rng.integers(0, colours, (*shape, 1)) * 255 // max(colours - 1, 1)
    picture = np.repeat(levels, 3, axis=2).astype(np.uint8)
    image = Image.open(io.BytesIO(gif.encode([picture])))
    assert np.abs(np.asarray(image.convert("RGB")).astype(int) - picture).max() <= 4


def test_colours_beyond_number() -> None:
    noise = np.random.default_rng(1).integers(0, 256, (70, 93, 3)).astype(np.uint8)
    found = read(gif.encode([noise, noise[::-1].copy()])).frames
    # 255 colours for 13,000: near on the whole
    assert np.abs(found[0].astype(int) - noise).mean() < 16
    assert np.abs(found[1].astype(int) - noise[::-1]).mean() < 16


def test_frames_of_one_size_are_needed() -> None:
    with pytest.raises(InputError):
        gif.encode([])
    with pytest.raises(InputError):
        gif.encode([np.zeros((2, 2, 3), np.uint8), np.zeros((3, 2, 3), np.uint8)])


def test_without_pillow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(MissingDependencyError, match=r"needs Pillow: pip install "):
        reload(gif)
