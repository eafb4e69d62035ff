"""Light, background and the average of the samples, common to all pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from impinge.render.picture.raster import plane

if TYPE_CHECKING:
    from impinge._types import AnyArray, Bytes, Floats

# samples per pixel in each direction
SAMPLES = 2

_TOP, _BOTTOM = (0.990, 0.992, 0.995), (0.925, 0.936, 0.950)
_COARSE = 4


def _direction(x: float, y: float, z: float) -> Floats:
    vector = np.array([x, y, z])
    return np.asarray(vector / np.linalg.norm(vector))


# in camera axes: a key light from the upper left, a weak one from the lower right
_KEY, _FILL = _direction(-0.4, 0.65, 0.75), _direction(0.8, -0.2, 0.55)
_GLOSS = _direction(-0.4, 0.65, 1.6)


def shade(normals: Floats) -> tuple[Floats, Floats]:
    """Light and gloss for (..., 3) unit normals in camera axes."""
    key, fill = (np.maximum(normals @ light, 0.0) for light in (_KEY, _FILL))
    light = 0.48 + 0.07 * normals[..., 1] + 0.52 * key + 0.14 * fill
    gloss = 0.16 * np.maximum(normals @ _GLOSS, 0.0) ** 20
    return light, gloss


def interpolate(
    screen: Floats, values: Floats, owner: AnyArray, x: AnyArray, y: AnyArray
) -> AnyArray:
    """Corner values at pixels; clipped to the corners' range, for slivers."""
    base, across, down = (term.astype(np.float32) for term in plane(screen, values))
    low, high = (bound.astype(np.float32) for bound in (values.min(axis=1), values.max(axis=1)))
    mixed = base[owner] + across[owner] * x + down[owner] * y
    return np.asarray(np.clip(mixed, low[owner], high[owner]))


def background(width: int, height: int) -> AnyArray:
    down = np.linspace(0.0, 1.0, height, dtype=np.float32)[:, None, None]
    top, bottom = (np.asarray(colour, dtype=np.float32) for colour in (_TOP, _BOTTOM))
    return np.broadcast_to(top * (1 - down) + bottom * down, (height, width, 3)).copy()


def occlusion(depth: AnyArray, width: int, height: int) -> AnyArray:
    """(pixels,) less light where the surroundings are nearer to the eye, as in crevices."""
    coarse = depth.reshape(height, width)[::_COARSE, ::_COARSE]
    covered = np.isfinite(coarse)
    if not covered.any():
        return np.ones(width * height, dtype=np.float32)
    filled = np.where(covered, coarse, coarse[covered].max())
    radius = max(width // (120 * _COARSE), 1)
    around = _blur(_blur(filled, radius), radius).astype(np.float32)
    around = _stretched(_stretched(around, height, axis=0), width, axis=1)
    deeper = (depth - around.ravel()) / (3.0 * _COARSE * radius)
    return np.asarray(1.0 - 0.24 * np.clip(deeper, 0.0, 1.0), dtype=np.float32)


def _stretched(image: AnyArray, length: int, *, axis: int) -> AnyArray:
    """Every _COARSE-th row or column filled up by linear interpolation."""
    place = np.arange(length, dtype=np.float32) / _COARSE
    first = np.minimum(place.astype(np.int64), image.shape[axis] - 1)
    second = np.minimum(first + 1, image.shape[axis] - 1)
    share = np.expand_dims(place - first, 1 - axis)
    before, after = np.take(image, first, axis=axis), np.take(image, second, axis=axis)
    return np.asarray(before * (1 - share) + after * share)


def _blur(image: AnyArray, radius: int) -> AnyArray:
    """A box filter of (2 radius + 1) squared pixels."""
    for axis in (0, 1):
        padding = [(0, 0), (0, 0)]
        padding[axis] = (radius + 1, radius)
        total = np.cumsum(np.pad(image, padding, mode="edge"), axis=axis, dtype=np.float64)
        ahead = np.take(total, range(2 * radius + 1, total.shape[axis]), axis=axis)
        image = (ahead - np.take(total, range(image.shape[axis]), axis=axis)) / (2 * radius + 1)
    return image


def averaged(image: AnyArray) -> Bytes:
    """The (height, width, 3) uint8 picture of an image with SAMPLES x SAMPLES values per pixel."""
    tiles = [image[i::SAMPLES, j::SAMPLES] for i in range(SAMPLES) for j in range(SAMPLES)]
    mean = np.clip(sum(tiles[1:], start=tiles[0]) / len(tiles), 0.0, 1.0)
    return np.asarray(mean * 255.0 + 0.5).astype(np.uint8)
