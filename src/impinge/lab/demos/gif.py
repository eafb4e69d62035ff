"""Animations as GIF files, written by Pillow."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from impinge.errors import InputError, MissingDependencyError

try:
    from PIL import Image
except ModuleNotFoundError:
    raise MissingDependencyError("Pillow", "view", "an animation") from None

if TYPE_CHECKING:
    from impinge._types import AnyArray, Bytes

_COLOURS = 255
"""The last place of the palette is for pixels that stay as they are."""
_DEPTH = 6
_WEIGHT = 64


def encode(frames: Sequence[Bytes], *, fps: float = 25.0) -> bytes:
    """A GIF file of (height, width, 3) uint8 pictures, shown again and again.

    All frames have one palette, so that what does not move does not flicker, and store only what
    is new. A frame that is equal to the one before it makes that one last longer.
    """
    if not frames or any(frame.shape != frames[0].shape for frame in frames):
        raise InputError("an animation needs frames, all of the same shape")
    palette, places = _palette(frames)
    first, *others = (_indexed(frame, palette, places) for frame in frames)
    file = io.BytesIO()
    first.save(
        file,
        "GIF",
        save_all=True,
        append_images=others,
        # hundredths of a second; browsers show those below two slowly
        duration=10 * max(round(100.0 / fps), 2),
        loop=0,
        disposal=1,
        optimize=True,
        palette=palette,
        transparency=len(palette) // 3 - 1,
    )
    return file.getvalue()


def _indexed(frame: Bytes, palette: bytes, places: Bytes) -> Image.Image:
    image = Image.fromarray(places[_coarse(frame)])
    image.putpalette(palette)
    return image


def _palette(frames: Sequence[Bytes]) -> tuple[bytes, Bytes]:
    """The colours of the file, and the place of each coarse colour among them.

    Pillow chooses them, from a picture of all colours in use. Its own search for the nearest one,
    by coarse colours without their means, makes two to four times the error.
    """
    counts = np.zeros(1 << (3 * _DEPTH), dtype=np.int64)
    sums = np.zeros((3, len(counts)))
    for frame in frames:
        coarse = _coarse(frame).reshape(-1)
        counts += np.bincount(coarse, minlength=len(counts))
        for part in range(3):
            sums[part] += np.bincount(coarse, frame[..., part].reshape(-1), len(counts))
    used = np.flatnonzero(counts)
    means = (sums[:, used] / counts[used]).T
    # the root, since a large even surface should not take all the colours
    weights = np.ceil(_WEIGHT * np.sqrt(counts[used] / counts.max())).astype(np.int64)
    strip = np.repeat(np.round(means).astype(np.uint8), weights, axis=0)
    chosen = Image.fromarray(strip[None]).quantize(
        _COLOURS, method=Image.Quantize.MEDIANCUT, kmeans=2
    )
    colours = np.unique(np.reshape(chosen.getpalette() or [], (-1, 3)), axis=0)[:_COLOURS]
    places = np.zeros(len(counts), dtype=np.uint8)
    # the squares of the distances, less that of the mean
    places[used] = (np.square(colours).sum(axis=1) - 2 * means @ colours.T).argmin(axis=1)
    # Pillow knows places by their colours, so the last one has a colour of its own
    greys = colours[(colours == colours[:, :1]).all(axis=1), 0]
    unused = np.full(3, np.setdiff1d(np.arange(256), greys)[0])
    return np.append(colours, unused).astype(np.uint8).tobytes(), places


def _coarse(frame: Bytes) -> AnyArray:
    """(height, width) each colour as one number, of a few bits for each part."""
    parts = frame.astype(np.int64) >> (8 - _DEPTH)
    return (parts[..., 0] << (2 * _DEPTH)) | (parts[..., 1] << _DEPTH) | parts[..., 2]
