"""A small software renderer: shaded solids, see-through ghosts, lines. NumPy only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from impinge.render.picture.raster import fragments, nearest
from impinge.render.picture.shading import (
    SAMPLES,
    averaged,
    background,
    interpolate,
    occlusion,
    shade,
)
from impinge.render.picture.surface import Lines, Surface

if TYPE_CHECKING:
    from impinge._types import AnyArray, Bytes, Floats
    from impinge.render.picture.camera import Camera

# how far a line stands before the surface that it lies on [pixels]
_LIFT = 3.0
# what is left of a marked surface behind a solid one
_HIDDEN = 0.4


def render(surfaces: Sequence[Surface], lines: Sequence[Lines], camera: Camera) -> Bytes:
    """The picture, (height, width, 3) uint8."""
    view = camera.enlarged(SAMPLES)
    over = [_Drawn(surface, view) for surface in surfaces if surface.through]
    plain = [surface for surface in surfaces if not surface.through]
    solid = [_Drawn(surface, view) for surface in plain if surface.opacity >= 1.0]
    ghost = [_Drawn(surface, view) for surface in plain if surface.opacity < 1.0]
    image, front = _draw_solids(solid, [x for x in lines if x.opacity >= 1.0], view)
    veils = [x for x in lines if x.opacity < 1.0]
    _add_ghosts(image, front, [d for d in ghost if not d.marked], veils, view)
    _add_ghosts(image, front, [d for d in ghost if d.marked], [], view)
    _add_marks(image, front, over, view)
    for line in lines:
        if line.through:
            add_line(image, front.depth, line, view)
    return averaged(image)


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
        self.light, self.gloss = shade(normals)
        self.opacity, self.marked = surface.opacity, surface.marked


class _Solid(NamedTuple):
    """Depth of the nearest solid surface and whether it is marked, (pixels,)."""

    depth: AnyArray
    marked: AnyArray


def _draw_solids(drawn: list[_Drawn], lines: list[Lines], view: Camera) -> tuple[AnyArray, _Solid]:
    """The image (height, width, 3) of the solids before the background."""
    width, height = view.size
    plain = [line for line in lines if not line.through]
    quads = [_quads(line, view) for line in plain]
    ink = [np.tile(line.colour, (len(q), 1)) for line, q in zip(plain, quads, strict=True)]
    screen = _join([*[d.screen for d in drawn], *quads], (0, 3, 3))
    colours = _join([*[d.colours for d in drawn], *ink], (0, 3)).astype(np.float32)
    light, gloss = np.ones((len(screen), 3)), np.zeros((len(screen), 3))
    count = sum(len(d.screen) for d in drawn)
    light[:count] = _join([d.light for d in drawn], (0, 3))
    gloss[:count] = _join([d.gloss for d in drawn], (0, 3))
    flags = np.zeros(len(screen), dtype=bool)
    flags[:count] = np.repeat([d.marked for d in drawn], [len(d.screen) for d in drawn])
    index, depth = nearest(screen, view.size)
    image = background(width, height).reshape(-1, 3)
    seen = np.flatnonzero(index >= 0)
    owner = index[seen]
    x, y = (seen % width + 0.5).astype(np.float32), (seen // width + 0.5).astype(np.float32)
    shade = interpolate(screen, light, owner, x, y) * occlusion(depth, width, height)[seen]
    image[seen] = colours[owner] * shade[:, None]
    image[seen] += interpolate(screen, gloss, owner, x, y)[:, None]
    marked = np.zeros(len(index), dtype=bool)
    marked[seen] = flags[owner]
    return image.reshape(height, width, 3), _Solid(depth, marked)


def _join(arrays: list[AnyArray], empty: tuple[int, ...]) -> AnyArray:
    return np.concatenate([np.zeros(empty), *arrays])


def _quads(line: Lines, view: Camera) -> Floats:
    """Segments as pairs of thin triangles in screen space, lifted toward the eye."""
    ends = view.project(line.segments)
    along = ends[:, 1, :2] - ends[:, 0, :2]
    length = np.linalg.norm(along, axis=1, keepdims=True)
    along = along / np.where(length > 0.0, length, 1.0) * (line.width * SAMPLES / 2.0)
    across = np.stack([-along[:, 1], along[:, 0], np.zeros(len(along))], axis=1)
    # longer by a part of the width, so that joints have no notches
    reach = np.concatenate([along * 0.5, np.full((len(along), 1), _LIFT * SAMPLES)], axis=1)
    start, end = ends[:, 0] - reach, ends[:, 1] + reach * (1.0, 1.0, -1.0)
    a, b, c, d = start + across, start - across, end - across, end + across
    return np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])


def _add_ghosts(
    image: AnyArray, solid: _Solid, drawn: list[_Drawn], lines: list[Lines], view: Camera
) -> None:
    """Veil the image by all ghost triangles before the solids; their order does not matter."""
    quads = [_quads(line, view) for line in lines]
    screen = _join([*[d.screen for d in drawn], *quads], (0, 3, 3))
    if len(screen) == 0:
        return
    # seen edge on, a thin skin is denser
    dense = [d.opacity * (1.0 + 2.5 * (1.0 - d.facing.mean(axis=1)) ** 2) for d in drawn]
    veil = [np.full(len(q), line.opacity) for line, q in zip(lines, quads, strict=True)]
    # densities add up where opacities multiply
    density = -np.log1p(-np.clip(_join([*dense, *veil], (0,)), 0.0, 0.95)).astype(np.float32)
    ink = [np.full(len(q), np.mean(line.colour)) for line, q in zip(lines, quads, strict=True)]
    light = _join([*[d.light.mean(axis=1) for d in drawn], *ink], (0,))
    glow = (density * light).astype(np.float32)
    fog, lit = np.zeros_like(solid.depth), np.zeros_like(solid.depth)
    for triangle, pixel, z in fragments(screen, view.size):
        before = z < solid.depth[pixel]
        owner, at = triangle[before], pixel[before]
        np.add.at(fog, at, density[owner])
        np.add.at(lit, at, glow[owner])
    shade = lit / np.maximum(fog, 1e-9)
    fog[solid.marked] *= 0.35
    clear = np.exp(-fog)
    tints = _join([d.colours[:1] for d in drawn], (0, 3))
    tint = tints.mean(axis=0) if len(tints) else np.ones(3)
    flat = image.reshape(-1, 3)
    flat *= clear[:, None]
    flat += (shade * (1.0 - clear))[:, None] * tint.astype(np.float32)


def _add_marks(image: AnyArray, solid: _Solid, drawn: list[_Drawn], view: Camera) -> None:
    """Surfaces over everything; where a solid is before them they shine through it."""
    screen = _join([d.screen for d in drawn], (0, 3, 3))
    index, z = nearest(screen, view.size)
    seen = np.flatnonzero(index >= 0)
    if not len(seen):
        return
    owner, width = index[seen], view.size[0]
    x, y = (seen % width + 0.5).astype(np.float32), (seen // width + 0.5).astype(np.float32)
    light = interpolate(screen, _join([d.light for d in drawn], (0, 3)), owner, x, y)
    colours = _join([d.colours for d in drawn], (0, 3)).astype(np.float32)[owner] * light[:, None]
    # they lie on the surfaces of solids, and win there
    before = z[seen] - _LIFT * SAMPLES < solid.depth[seen]
    strength = np.where(before, 1.0, _HIDDEN).astype(np.float32)[:, None]
    flat = image.reshape(-1, 3)
    flat[seen] += (colours - flat[seen]) * strength


def add_line(image: AnyArray, depth: AnyArray, line: Lines, view: Camera) -> None:
    """Lines over everything; what lies behind a solid surface is only a hint."""
    index, z = nearest(_quads(line, view), view.size)
    seen = np.flatnonzero(index >= 0)
    strength = np.where(z[seen] < depth[seen], 1.0, 0.3).astype(np.float32)[:, None]
    flat = image.reshape(-1, 3)
    flat[seen] += (np.asarray(line.colour, dtype=np.float32) - flat[seen]) * strength
