"""One picture of how `peel` works on a scene: layers, rays, the pyramid of boxes, candidates."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from impinge.detectors.image.view import SUBPIXELS
from impinge.lab.pictures.panels import EMPTY, GAP, PAPER, filled, grown, legend, sheet, side_of
from impinge.render import palette
from impinge.render.picture.raster import nearest

if TYPE_CHECKING:
    from impinge._types import AnyArray, Bools, Bytes, Floats
    from impinge.lab.pictures.layers import Layers
    from impinge.render.palette import Colour

FRONT, BACK = palette.BODIES[:2]
RAY = palette.CLASH
GONE: Colour = (0.97, 0.86, 0.86)
SHADE: Colour = (0.82, 0.85, 0.88)
LINES: Colour = (0.88, 0.89, 0.91)
WHOLE: Colour = (0.20, 0.60, 0.30)
CLIPPED: Colour = (0.93, 0.66, 0.05)
CANDIDATE: Colour = (0.36, 0.53, 0.70)

_COLUMNS = 4
_CLOSE = 16


def picture(layers: Layers, *, title: str, facts: Iterable[str] = ()) -> Bytes:
    """(height, width, 3) uint8: a row or two of layers, then what becomes of the rays.

    `facts` are lines of text for the legend.
    """
    panels: list[tuple[str, AnyArray]] = [
        (f"layer {k + 1} of {layers.depth}", layer_panel(layers, k))
        for k in range(len(layers.nearest))
    ]
    panels += [("", _blank(layers))] * (-len(panels) % _COLUMNS)
    panels.append((f"{np.count_nonzero(layers.mask):,} rays are on", rays_panel(layers)))
    panels += [
        (f"boxes, {1 << level} x {1 << level} rays", boxes_panel(layers, level))
        for level in _levels(layers)
    ]
    panels.append((f"{len(layers.ids):,} candidates", candidates_panel(layers)))
    panels.append((f"{_CLOSE} x {_CLOSE} rays, near", close_panel(layers)))
    panels.append(("", legend_panel(layers, facts)))
    return sheet(panels, title, _side(layers))


def layer_panel(layers: Layers, index: int) -> AnyArray:
    """Fronts and backs of one layer, red where a ray is found to be on, pale red where it was."""
    triangles = layers.nearest[index]
    seen = triangles >= 0
    image = filled(triangles.shape, EMPTY)
    chosen = triangles[seen]
    depth = layers.corners[:, :, 2].mean(axis=1)
    low, high = depth.min(), depth.max()
    near = 1 - (depth[chosen] - low) / max(high - low, 1.0)
    strength = (0.45 + 0.65 * layers.light[chosen]) * (0.75 + 0.3 * near)
    colours = np.where(layers.back[chosen][:, None], np.array(BACK), np.array(FRONT))
    image[seen] = np.clip(colours * strength[:, None], 0.0, 1.0)
    before = layers.found[index - 1] if index else np.zeros_like(layers.mask)
    image[before] = GONE
    image[layers.found[index] & ~before] = RAY
    return grown(image)


def rays_panel(layers: Layers) -> AnyArray:
    """All rays that are on, over the shadow of the scene."""
    image = _shadow(layers)
    image[layers.mask] = RAY
    return grown(image)


def boxes_panel(layers: Layers, level: int) -> AnyArray:
    """The boxes of one level of the pyramid, within the squares they stand for."""
    image = _shadow(layers)
    image[layers.mask] = (0.95, 0.68, 0.68)
    image = grown(image)
    scale = len(image) // layers.resolution
    image[:: scale << level] = LINES
    image[:, :: scale << level] = LINES
    boxes = layers.levels[level].reshape(-1, 4)
    for box in boxes[boxes[:, 2] > boxes[:, 0]]:
        _outline(image, box * (scale / SUBPIXELS), RAY, width=1 if level < 4 else 2)
    return image


def candidates_panel(layers: Layers) -> AnyArray:
    """The triangles that are left, and the rays."""
    size = layers.resolution
    image = _shadow(layers)
    index, _ = nearest(layers.corners[layers.ids], (size, size))
    image[index.reshape(size, size) >= 0] = CANDIDATE
    image[layers.mask] = RAY
    return grown(image)


def close_panel(layers: Layers) -> AnyArray:
    """A few candidates where there are many rays: triangle, its box, and the part that is kept."""
    left, top = _crowded(layers.mask)
    scale = _side(layers) // _CLOSE
    size = scale * _CLOSE
    part = layers.mask[top : top + _CLOSE, left : left + _CLOSE]
    image = np.where(part[..., None], np.array((0.97, 0.72, 0.72)), np.array(PAPER))
    image = image.repeat(scale, axis=0).repeat(scale, axis=1)
    low, high = _boxes(layers.corners[layers.ids])
    middle = (low + high) / 2 - (left, top)
    inside = ((middle > 2) & (middle < _CLOSE - 2)).all(axis=1)
    # the most is to be seen where much of a box is cut away
    sizes = (high - low).prod(axis=1)
    kept = (layers.boxes[:, 2:] - layers.boxes[:, :2]).prod(axis=1) / SUBPIXELS**2
    worth = np.where(inside, sizes + 4 * np.maximum(sizes - kept, 0.0), 0.0)
    chosen = _apart(np.argsort(-worth, kind="stable")[:200], low, high, worth)
    shift = np.array([left, top, 0.0])
    corners = (layers.corners[layers.ids[chosen]] - shift) * (scale, scale, 1.0)
    index, _ = nearest(corners, (size, size))
    covered = index.reshape(size, size) >= 0
    image[covered] = 0.5 * image[covered] + 0.5 * np.array(CANDIDATE)
    image[::scale] = LINES
    image[:, ::scale] = LINES
    offset = np.array([left, top, left, top])
    for k in chosen:
        whole = np.concatenate([low[k], high[k]]) - offset
        _outline(image, whole * scale, WHOLE, width=2)
        _outline(image, (layers.boxes[k] / SUBPIXELS - offset) * scale, CLIPPED, width=3)
    return _padded(image, _side(layers))


def legend_panel(layers: Layers, facts: Iterable[str]) -> AnyArray:
    """What the colours mean, and some numbers; as wide as two panels."""
    side = _side(layers)
    entries: list[tuple[Colour, str]] = [
        (FRONT, "front of a triangle"),
        (BACK, "back of a triangle"),
        (RAY, "ray found to be on in this layer"),
        (GONE, "ray on before: not peeled further"),
        (CANDIDATE, "candidate"),
        (WHOLE, "box of a triangle"),
        (CLIPPED, "the part of it that holds rays"),
    ]
    return legend((side, 2 * side + GAP), entries, facts)


def _levels(layers: Layers) -> list[int]:
    """Three levels: fine, coarser, coarse."""
    top = len(layers.levels) - 1
    return [max(top - 5, 1), max(top - 3, 1), max(top - 1, 1)]


def _side(layers: Layers) -> int:
    return side_of(layers.resolution)


def _padded(image: AnyArray, side: int) -> AnyArray:
    result = filled((side, side), PAPER)
    result[: len(image), : len(image)] = image
    return result


def _blank(layers: Layers) -> AnyArray:
    return filled((_side(layers),) * 2, PAPER)


def _shadow(layers: Layers) -> AnyArray:
    image = filled(layers.mask.shape, EMPTY)
    if layers.nearest:
        image[layers.nearest[0] >= 0] = SHADE
    return image


def _outline(image: AnyArray, box: AnyArray, colour: Colour, *, width: int) -> None:
    """A frame within the box (left, top, right, bottom)."""
    left, top, right, bottom = np.round(box).astype(int)
    left, top = max(left, 0), max(top, 0)
    right, bottom = min(right, image.shape[1]), min(bottom, image.shape[0])
    image[top : top + width, left:right] = colour
    image[max(bottom - width, 0) : bottom, left:right] = colour
    image[top:bottom, left : left + width] = colour
    image[top:bottom, max(right - width, 0) : right] = colour


def _boxes(corners: Floats) -> tuple[Floats, Floats]:
    return corners[:, :, :2].min(axis=1), corners[:, :, :2].max(axis=1)


def _crowded(mask: Bools) -> tuple[int, int]:
    """Left and top of a window with rays and without, as equal in number as can be."""
    step = _CLOSE // 2
    total = np.pad(np.cumsum(np.cumsum(mask.astype(np.int64), axis=0), axis=1), ((1, 0), (1, 0)))
    corner = np.arange(0, len(mask) - _CLOSE + 1, step)
    y, x = np.meshgrid(corner, corner, indexing="ij")
    count = (
        total[y + _CLOSE, x + _CLOSE] - total[y, x + _CLOSE] - total[y + _CLOSE, x] + total[y, x]
    )
    best = int(np.argmin(np.abs(count - _CLOSE**2 // 2)))
    return int(x.flat[best]), int(y.flat[best])


def _apart(order: AnyArray, low: Floats, high: Floats, worth: Floats) -> list[int]:
    """The first three whose boxes do not overlap."""
    chosen: list[int] = []
    for k in order.tolist():
        free = all((low[k] > high[j]).any() or (high[k] < low[j]).any() for j in chosen)
        if worth[k] > 0 and free:
            chosen.append(k)
    return chosen[:3]
