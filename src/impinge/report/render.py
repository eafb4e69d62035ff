"""A small software renderer: shaded solids, see-through ghosts, lines. NumPy only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from impinge.report.raster import fragments, nearest, plane
from impinge.report.surface import Lines, Surface

if TYPE_CHECKING:
    from impinge._types import AnyArray, Bytes, Floats
    from impinge.report.camera import Camera

_TOP, _BOTTOM = (0.990, 0.992, 0.995), (0.925, 0.936, 0.950)
_SAMPLES = 2
_COARSE = 4
# how far a line stands before the surface that it lies on [pixels]
_LIFT = 3.0


def _direction(x: float, y: float, z: float) -> Floats:
    vector = np.array([x, y, z])
    return np.asarray(vector / np.linalg.norm(vector))


# in camera axes: a key light from the upper left, a weak one from the lower right
_KEY, _FILL = _direction(-0.4, 0.65, 0.75), _direction(0.8, -0.2, 0.55)
_GLOSS = _direction(-0.4, 0.65, 1.6)


def render(surfaces: Sequence[Surface], lines: Sequence[Lines], camera: Camera) -> Bytes:
    """The picture, (height, width, 3) uint8."""
    view = camera.enlarged(_SAMPLES)
    solid = [_Drawn(surface, view) for surface in surfaces if surface.opacity >= 1.0]
    ghost = [_Drawn(surface, view) for surface in surfaces if surface.opacity < 1.0]
    image, depth, marked = _draw_solids(solid, [x for x in lines if x.opacity >= 1.0], view)
    if ghost:
        _add_ghosts(image, depth, marked, ghost, [x for x in lines if x.opacity < 1.0], view)
    for line in lines:
        if line.through:
            _add_through(image, depth, line, view)
    tiles = [image[i::_SAMPLES, j::_SAMPLES] for i in range(_SAMPLES) for j in range(_SAMPLES)]
    mean = np.clip(sum(tiles[1:], start=tiles[0]) / len(tiles), 0.0, 1.0)
    return np.asarray(mean * 255.0 + 0.5).astype(np.uint8)


class _Drawn:
    """A surface in screen space: visible triangles, light and gloss at their corners."""

    def __init__(self, surface: Surface, view: Camera) -> None:
        screen = view.project(surface.corners)
        a, b = screen[:, 1] - screen[:, 0], screen[:, 2] - screen[:, 0]
        # y points down on the screen, so a triangle turned to the eye runs clockwise
        away = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0] > 0.0
        shown = ~away if surface.closed else np.ones(len(screen), dtype=bool)
        normals = surface.normals[shown] @ view.axes.T
        normals = np.where(away[shown, None, None], -normals, normals)
        self.screen, self.colours = screen[shown], surface.colours[shown]
        self.facing = np.clip(normals[:, :, 2], 0.0, 1.0)
        self.light, self.gloss = _shade(normals)
        self.opacity, self.marked = surface.opacity, surface.marked


def _shade(normals: Floats) -> tuple[Floats, Floats]:
    """Light and gloss for (..., 3) unit normals in camera axes."""
    key, fill = (np.maximum(normals @ light, 0.0) for light in (_KEY, _FILL))
    light = 0.48 + 0.07 * normals[..., 1] + 0.52 * key + 0.14 * fill
    gloss = 0.16 * np.maximum(normals @ _GLOSS, 0.0) ** 20
    return light, gloss


def _draw_solids(
    drawn: list[_Drawn], lines: list[Lines], view: Camera
) -> tuple[AnyArray, AnyArray, AnyArray]:
    """Colour (height, width, 3), depth and markedness (pixels,) of the nearest solid surface."""
    width, height = view.size
    quads = [_quads(line, view) for line in lines if not line.through]
    ink = [np.tile(line.colour, (len(q), 1)) for line, q in zip(_plain(lines), quads, strict=True)]
    screen = _join([*[d.screen for d in drawn], *quads], (0, 3, 3))
    colours = _join([*[d.colours for d in drawn], *ink], (0, 3)).astype(np.float32)
    light, gloss = np.ones((len(screen), 3)), np.zeros((len(screen), 3))
    count = sum(len(d.screen) for d in drawn)
    light[:count] = _join([d.light for d in drawn], (0, 3))
    gloss[:count] = _join([d.gloss for d in drawn], (0, 3))
    flags = np.zeros(len(screen), dtype=bool)
    flags[:count] = np.repeat([d.marked for d in drawn], [len(d.screen) for d in drawn])
    index, depth = nearest(screen, view.size)
    image = _background(width, height).reshape(-1, 3)
    seen = np.flatnonzero(index >= 0)
    owner = index[seen]
    x, y = (seen % width + 0.5).astype(np.float32), (seen // width + 0.5).astype(np.float32)
    shade = _interpolate(screen, light, owner, x, y) * _occlusion(depth, width, height)[seen]
    image[seen] = colours[owner] * shade[:, None]
    image[seen] += _interpolate(screen, gloss, owner, x, y)[:, None]
    marked = np.zeros(len(index), dtype=bool)
    marked[seen] = flags[owner]
    return image.reshape(height, width, 3), depth, marked


def _plain(lines: list[Lines]) -> list[Lines]:
    return [line for line in lines if not line.through]


def _join(arrays: list[AnyArray], empty: tuple[int, ...]) -> AnyArray:
    return np.concatenate([np.zeros(empty), *arrays])


def _interpolate(
    screen: Floats, values: Floats, owner: AnyArray, x: AnyArray, y: AnyArray
) -> AnyArray:
    """Corner values at pixels; clipped to the corners' range, for slivers."""
    base, across, down = (term.astype(np.float32) for term in plane(screen, values))
    low, high = (bound.astype(np.float32) for bound in (values.min(axis=1), values.max(axis=1)))
    mixed = base[owner] + across[owner] * x + down[owner] * y
    return np.asarray(np.clip(mixed, low[owner], high[owner]))


def _background(width: int, height: int) -> AnyArray:
    down = np.linspace(0.0, 1.0, height, dtype=np.float32)[:, None, None]
    top, bottom = (np.asarray(colour, dtype=np.float32) for colour in (_TOP, _BOTTOM))
    return np.broadcast_to(top * (1 - down) + bottom * down, (height, width, 3)).copy()


def _occlusion(depth: AnyArray, width: int, height: int) -> AnyArray:
    """(pixels,) less light where the surroundings are nearer to the eye: crevices, inner corners."""
    coarse = depth.reshape(height, width)[::_COARSE, ::_COARSE]
    covered = np.isfinite(coarse)
    if not covered.any():
        return np.ones(width * height, dtype=np.float32)
    filled = np.where(covered, coarse, coarse[covered].max())
    radius = max(width // (120 * _COARSE), 1)
    around = _blur(_blur(filled, radius), radius).astype(np.float32)
    around = np.repeat(np.repeat(around, _COARSE, axis=0), _COARSE, axis=1)[:height, :width]
    deeper = (depth - around.ravel()) / (3.0 * _COARSE * radius)
    return np.asarray(1.0 - 0.24 * np.clip(deeper, 0.0, 1.0), dtype=np.float32)


def _blur(image: AnyArray, radius: int) -> AnyArray:
    """A box filter of (2 radius + 1) squared pixels."""
    for axis in (0, 1):
        padding = [(0, 0), (0, 0)]
        padding[axis] = (radius + 1, radius)
        total = np.cumsum(np.pad(image, padding, mode="edge"), axis=axis, dtype=np.float64)
        ahead = np.take(total, range(2 * radius + 1, total.shape[axis]), axis=axis)
        image = (ahead - np.take(total, range(image.shape[axis]), axis=axis)) / (2 * radius + 1)
    return image


def _quads(line: Lines, view: Camera) -> Floats:
    """Segments as pairs of thin triangles in screen space, lifted toward the eye."""
    ends = view.project(line.segments)
    along = ends[:, 1, :2] - ends[:, 0, :2]
    length = np.linalg.norm(along, axis=1, keepdims=True)
    along = along / np.where(length > 0.0, length, 1.0) * (line.width * _SAMPLES / 2.0)
    across = np.stack([-along[:, 1], along[:, 0], np.zeros(len(along))], axis=1)
    # longer by a part of the width, so that joints have no notches
    reach = np.concatenate([along * 0.5, np.full((len(along), 1), _LIFT * _SAMPLES)], axis=1)
    start, end = ends[:, 0] - reach, ends[:, 1] + reach * (1.0, 1.0, -1.0)
    a, b, c, d = start + across, start - across, end - across, end + across
    return np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])


def _add_ghosts(
    image: AnyArray,
    depth: AnyArray,
    marked: AnyArray,
    drawn: list[_Drawn],
    lines: list[Lines],
    view: Camera,
) -> None:
    """Veil the image by all ghost triangles before it; their order does not matter."""
    quads = [_quads(line, view) for line in lines]
    screen = _join([*[d.screen for d in drawn], *quads], (0, 3, 3))
    # seen edge on, a thin skin is denser
    dense = [d.opacity * (1.0 + 2.5 * (1.0 - d.facing.mean(axis=1)) ** 2) for d in drawn]
    veil = [np.full(len(q), line.opacity) for line, q in zip(lines, quads, strict=True)]
    opacity = np.clip(_join([*dense, *veil], (0,)), 0.0, 0.95)
    ink = [np.full(len(q), np.mean(line.colour)) for line, q in zip(lines, quads, strict=True)]
    light = _join([*[d.light.mean(axis=1) for d in drawn], *ink], (0,))
    fog, lit, weight = (np.zeros(len(depth)) for _ in range(3))
    for triangle, pixel, z in fragments(screen, view.size):
        before = z < depth[pixel]
        owner, at = triangle[before], pixel[before]
        fog += np.bincount(at, weights=np.log1p(-opacity)[owner], minlength=len(fog))
        lit += np.bincount(at, weights=(opacity * light)[owner], minlength=len(fog))
        weight += np.bincount(at, weights=opacity[owner], minlength=len(fog))
    fog[marked] *= 0.35
    clear = np.exp(fog).astype(np.float32)
    tint = np.mean([d.colours.mean(axis=0) for d in drawn if len(d.colours)], axis=0)
    shade = (lit / np.maximum(weight, 1e-9) * (1.0 - clear)).astype(np.float32)
    flat = image.reshape(-1, 3)
    flat *= clear[:, None]
    flat += shade[:, None] * tint.astype(np.float32)


def _add_through(image: AnyArray, depth: AnyArray, line: Lines, view: Camera) -> None:
    """Lines over everything; what lies behind a solid surface is only a hint."""
    index, z = nearest(_quads(line, view), view.size)
    seen = np.flatnonzero(index >= 0)
    strength = np.where(z[seen] < depth[seen], 1.0, 0.3).astype(np.float32)[:, None]
    flat = image.reshape(-1, 3)
    flat[seen] += (np.asarray(line.colour, dtype=np.float32) - flat[seen]) * strength
