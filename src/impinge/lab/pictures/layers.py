"""What `peel` saw of a scene, kept for a picture: layers, rays, boxes, candidates."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from impinge.detectors.image.pack import pack
from impinge.detectors.image.view import SUBPIXELS
from impinge.detectors.peel.geometry import geometry_of, view_of
from impinge.detectors.peel.merge import merge
from impinge.detectors.peel.options import PeelOptions
from impinge.detectors.peel.sample import sample
from impinge.detectors.peel.separate import separate
from impinge.detectors.protocol import SceneQuery
from impinge.render.picture.raster import fragments

if TYPE_CHECKING:
    from impinge._types import AnyArray, Bools, Floats, Ints
    from impinge.scene import Scene

MOST_LAYERS = 8
# of all rays: a layer with fewer has nothing to show
_LEAST_SHARE = 4e-3


@dataclass(frozen=True, eq=False)
class Layers:
    """A scene as it was sampled, without dilation, at (W, W) pixels."""

    corners: Floats
    """(m, 3, 3) triangles in pixels, with their depth."""
    back: Bools
    """(m,) the triangle shows its back."""
    light: Floats
    """(m,) 1 where it faces the viewer, 0 where it is seen from the side."""
    nearest: list[AnyArray]
    """Of each layer, (W, W): the triangle, or -1."""
    found: list[Bools]
    """Of each layer, (W, W): rays that are on when so many layers are known."""
    mask: Bools
    """(W, W) rays that are on."""
    depth: int
    """Layers there are, also beyond those that are kept."""
    levels: list[Ints]
    ids: Ints
    """Triangles that are candidates."""
    boxes: Ints
    """(k, 4) the parts of their boxes that hold rays, in subpixels."""

    @property
    def resolution(self) -> int:
        return len(self.mask)


def look(scene: Scene, *, resolution: int) -> Layers:
    """Sample a scene as it is now, along the shortest side of its box."""
    options = PeelOptions(device="cpu", resolution=resolution, conservative=False, dilate=0)
    query = SceneQuery(
        tuple(body._current() for body in scene),
        self_bodies=np.arange(len(scene), dtype=np.int32),
    )
    # not askew, as rays look by default: shapes are told best along an axis
    view = view_of(query, PeelOptions(device="cpu", resolution=resolution))
    geometry = geometry_of(query, view, options)
    corners = geometry.snapped[geometry.faces].astype(np.float64)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    back = normals[:, 2] > 0
    # the image stretches depth, and so turns normals to the side
    normals[:, 2] *= view.depth_scale / view.scale
    size = np.maximum(np.linalg.norm(normals, axis=1), 1e-300)
    light = np.abs(normals[:, 2]) / size
    corners[:, :, :2] /= SUBPIXELS
    nearest, depth = _layers(corners, back, resolution)
    sampled = sample(geometry, view, options)
    levels = merge(sampled.mask)
    candidates = pack(separate(geometry, levels))
    return Layers(
        corners=corners,
        back=back,
        light=light,
        nearest=nearest,
        found=[
            sample(geometry, view, replace(options, layers=count + 1)).mask != 0
            for count in range(len(nearest))
        ],
        mask=sampled.mask != 0,
        depth=depth,
        levels=[levels[level] for level in range(len(levels))],
        ids=candidates.ids,
        boxes=candidates.boxes,
    )


def _layers(corners: Floats, back: Bools, resolution: int) -> tuple[list[AnyArray], int]:
    """The triangles of the first layers at each pixel, and how many layers there are."""
    parts = list(fragments(corners, (resolution, resolution)))
    if not parts:
        return [], 0
    triangle, pixel, depth = (np.concatenate(column) for column in zip(*parts, strict=True))
    # at the same depth front comes before back
    order = np.lexsort((back[triangle], depth, pixel))
    triangle, pixel = triangle[order], pixel[order]
    places = np.arange(len(pixel))
    begins = np.diff(pixel, prepend=-1) != 0
    rank = places - np.maximum.accumulate(np.where(begins, places, 0))
    counts = np.bincount(rank)
    shown = int(np.count_nonzero(counts >= _LEAST_SHARE * resolution**2))
    images = []
    for layer in range(min(shown, MOST_LAYERS)):
        image = np.full(resolution * resolution, -1, dtype=np.int32)
        here = rank == layer
        image[pixel[here]] = triangle[here]
        images.append(image.reshape(resolution, resolution))
    return images, len(counts)
