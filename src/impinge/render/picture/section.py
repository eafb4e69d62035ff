"""Cuts through two closed bodies: material hatched, the overlap red."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from impinge.render import palette
from impinge.render.picture.camera import Camera
from impinge.render.picture.raster import nearest
from impinge.render.picture.renderer import add_line
from impinge.render.picture.shading import SAMPLES, averaged, background, interpolate, shade

if TYPE_CHECKING:
    from impinge._types import AnyArray, Bytes, Floats
    from impinge.render.picture.surface import DrawnMesh, Lines

# (azimuth, elevation): looking along each axis of the model
_DIRECTIONS = ((0.0, 0.0), (90.0, 0.0), (0.0, 90.0))
# where to cut, as a share of the depth of the clash; the middle first
_PLACES = (0.5, 0.3, 0.7, 0.15, 0.85)
_HATCH = 14


@dataclass(frozen=True)
class Section:
    """A picture of a cut, the axis it is perpendicular to and where on that axis it is."""

    image: Bytes
    axis: str
    position: float


def best_section(
    shapes: tuple[DrawnMesh, DrawnMesh],
    colours: tuple[palette.Colour, palette.Colour],
    box: Floats,
    curve: Floats,
    *,
    size: tuple[int, int],
    up: str,
) -> Section | None:
    """The cut that shows the overlap near `curve` best; None when no cut meets an overlap."""
    width, height = size
    extent = max(float(np.ptp(curve, axis=0).max()), 1e-300)
    best, found = 0.0, None
    for azimuth, elevation in _DIRECTIONS:
        angles = {"azimuth": azimuth, "elevation": elevation}
        camera = Camera.fit(box, size=(width // 5, height // 5), up=up, margin=0.0, **angles)
        depth = camera.project(curve)[:, 2] / camera.scale
        places = depth.min() + np.asarray(_PLACES) * np.ptp(depth)
        shares = np.array([_overlap(shapes, camera, cut) for cut in places])
        # along the axis on which the overlap is long and stays alike, as of gears or bolts
        alike = shares.mean() / max(shares.max(), 1e-300)
        score = shares.max() * alike**2 * (np.ptp(depth) / extent + 0.02)
        if score > best:
            # the middle, unless another place shows clearly more
            place = 0 if shares[0] > 0.8 * shares.max() else int(np.argmax(shares))
            best, found = score, (angles, float(places[place]))
    if found is None:
        return None
    angles, cut = found
    camera = Camera.fit(box, size=size, up=up, margin=0.0, **angles)
    toward = camera.axes[2]
    axis = int(np.argmax(np.abs(toward)))
    position = float(camera.centre[axis] - cut * toward[axis])
    image = averaged(_draw(shapes, colours, camera.enlarged(SAMPLES), cut))
    return Section(image, "xyz"[axis], position)


def gap_section(
    shapes: tuple[DrawnMesh, DrawnMesh],
    colours: tuple[palette.Colour, palette.Colour],
    camera: Camera,
    line: Lines,
) -> Bytes:
    """The picture of a cut in the plane of the picture's middle, with a line on it."""
    view = camera.enlarged(SAMPLES)
    image = _draw(shapes, colours, view, 0.0)
    height, width, _ = image.shape
    add_line(image, np.full(height * width, np.inf), line, view)
    return averaged(image)


def _overlap(shapes: tuple[DrawnMesh, DrawnMesh], view: Camera, cut: float) -> float:
    """The share of the picture in which a cut runs through both bodies."""
    first, second = (_Cut(shape, view, cut) for shape in shapes)
    return float((first.inside & second.inside).mean())


class _Cut:
    """One body beyond the cut: visible triangle, depth and whether the cut runs through it."""

    def __init__(self, shape: DrawnMesh, view: Camera, cut: float) -> None:
        self.screen = view.project(shape.corners)
        a, b = self.screen[:, 1] - self.screen[:, 0], self.screen[:, 2] - self.screen[:, 0]
        away = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0] > 0.0
        self.index, self.depth = nearest(self.screen, view.size, beyond=cut * view.scale)
        # the first surface behind the cut is seen from within: the cut goes through material
        self.inside = (self.index >= 0) & away[self.index]


def _draw(
    shapes: tuple[DrawnMesh, DrawnMesh],
    colours: tuple[palette.Colour, palette.Colour],
    view: Camera,
    cut: float,
) -> AnyArray:
    width, height = view.size
    image = background(width, height).reshape(-1, 3)
    cuts = [_Cut(shape, view, cut) for shape in shapes]
    for mine, other, shape, colour in zip(cuts, cuts[::-1], shapes, colours, strict=True):
        seen = np.flatnonzero((mine.index >= 0) & (mine.depth <= other.depth))
        x, y = (seen % width + 0.5).astype(np.float32), (seen // width + 0.5).astype(np.float32)
        light, _ = shade(shape.normals @ view.axes.T)
        lit = interpolate(mine.screen, light, mine.index[seen], x, y)[:, None]
        # what lies behind the cut is paler than the cut itself
        image[seen] = 0.45 * image[seen] + 0.55 * lit * np.asarray(colour, dtype=np.float32)
    kind = cuts[0].inside.astype(np.int8) + 2 * cuts[1].inside.astype(np.int8)
    across = np.arange(width)[None, :] + np.arange(height)[:, None]
    along = np.arange(width)[None, :] - np.arange(height)[:, None]
    for which, colour, lines in ((1, colours[0], across), (2, colours[1], along)):
        material = np.flatnonzero(kind == which)
        hatch = np.where(lines.ravel()[material] % _HATCH < 2, 0.72, 1.0)[:, None]
        image[material] = np.asarray(colour) * hatch
    image[kind == 3] = palette.CLASH
    regions = kind.astype(np.int16) + 4 * (cuts[0].index >= 0) + 8 * (cuts[1].index >= 0)
    image[_borders(regions.reshape(height, width)).ravel()] = 0.18
    return image.reshape(height, width, 3)


def _borders(regions: AnyArray) -> AnyArray:
    """Pixels next to another region."""
    border = np.zeros(regions.shape, dtype=bool)
    across, down = regions[:, 1:] != regions[:, :-1], regions[1:] != regions[:-1]
    border[:, 1:] |= across
    border[:, :-1] |= across
    border[1:] |= down
    border[:-1] |= down
    return border
