"""What `cinder` draws of three boxes pass by pass, kept for a picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from impinge.detectors.cinder.cpu import passes
from impinge.detectors.cinder.geometry import geometry_of, projection_of
from impinge.detectors.cinder.options import CinderOptions
from impinge.detectors.cinder.view import View
from impinge.detectors.image.view import SUBPIXELS
from impinge.lab.scenes.walkthrough import DIRECTION, UP, three_boxes
from impinge.render.picture.raster import nearest

if TYPE_CHECKING:
    from impinge._types import AnyArray, Floats, Ints
    from impinge.detectors.cinder.buffers import Stage
    from impinge.scene import Scene


@dataclass(frozen=True, eq=False)
class Passes:
    """The three boxes as they are drawn, (W, W) each, by row and column."""

    names: tuple[str, ...]
    """Of the boxes, in the order they are drawn."""
    seen: Ints
    """The nearest box at each pixel, or -1: what an ordinary picture shows."""
    painted: Ints
    """The box that is drawn last there: what is left when each drawing covers those before."""
    light: Floats
    """(bodies, W, W) how bright the nearest face of each box is."""
    wires: Ints
    """The box that drew the last edge there, or -1."""
    stages: dict[str, Stage]
    pairs: tuple[tuple[str, str], ...]


def look(order: tuple[str, ...], *, resolution: int, variant: str = "corrected") -> Passes:
    """Draw the boxes in this order."""
    scene = three_boxes(order)
    view = View.orthographic(DIRECTION, up=UP)
    options = CinderOptions(device="cpu", resolution=resolution, views=view, variant=variant)
    shapes = [body._current() for body in scene]
    projection = projection_of(shapes, view, resolution)
    geometry = geometry_of(shapes, projection, options)
    stages = passes(geometry, projection, options, dump=True).stages
    corners = geometry.snapped[geometry.faces] / (SUBPIXELS, SUBPIXELS, 1.0)
    filled = [_filled(corners[geometry.body == k], resolution) for k in range(len(scene))]
    depth = np.stack([near for near, _ in filled])
    covered = np.isfinite(depth)
    alone = [
        passes(geometry_of([shape], projection, options), projection, options, dump=True)
        for shape in shapes
    ]
    drawn = np.stack([one.stages["edges"].depth != 0 for one in alone])
    return Passes(
        order,
        np.where(covered.any(axis=0), depth.argmin(axis=0), -1).astype(np.int32),
        _last(covered),
        np.stack([light for _, light in filled]),
        _last(drawn),
        stages,
        _pairs(scene, options),
    )


def _filled(corners: Floats, resolution: int) -> tuple[AnyArray, AnyArray]:
    """Depth and light of the nearest of the triangles at each pixel."""
    face, depth = nearest(corners, (resolution, resolution))
    scaled = corners * (1.0, 1.0, resolution / 2**23)
    normals = np.cross(scaled[:, 1] - scaled[:, 0], scaled[:, 2] - scaled[:, 0])
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    light = np.abs(normals @ np.array([-0.35, -0.55, -0.76]))[face]
    return depth.reshape(resolution, resolution), light.reshape(resolution, resolution)


def _last(covered: AnyArray) -> Ints:
    """The last of the layers (n, W, W) that covers a pixel, or -1."""
    behind = covered[::-1].argmax(axis=0)
    return np.where(covered.any(axis=0), len(covered) - 1 - behind, -1).astype(np.int32)


def _pairs(scene: Scene, options: CinderOptions) -> tuple[tuple[str, str], ...]:
    from impinge.detectors.registry import detector

    chosen: dict[str, Any] = {"views": options.views, "variant": options.variant}
    method = detector("cinder", device="cpu", resolution=options.resolution, **chosen)
    found = scene.overlaps(method=method)
    return tuple((found.names[i], found.names[j]) for i, j in found.pairs.tolist())
