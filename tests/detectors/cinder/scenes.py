"""Bodies for the tests of `cinder`, and what the passes see of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from detectors.cinder.reference import Scene, scene_of
from impinge.detectors.cinder.colours import colours_of
from impinge.detectors.cinder.geometry import Geometry, geometry_of, projection_of
from impinge.detectors.cinder.options import CinderOptions
from impinge.detectors.cinder.view import Projection
from impinge.mesh import Mesh
from support.meshes import Arrays, box, pose, posed, sphere


def three_boxes(*, reverse: bool = False) -> list[Arrays]:
    """The walk-through: equal boxes at different depths, the first and the last in the middle one.

    Looked at along the third axis.
    """
    turn = _turned(0.35)
    places = ((-0.62, 0.35, -0.45), (0.0, 0.0, 0.0), (0.6, -0.4, 0.5))
    made = []
    for index, place in enumerate(places):
        vertices, faces = box((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5))
        turned = vertices @ np.linalg.matrix_power(turn, index + 1).T
        made.append((turned + np.array(place), faces))
    return made[::-1] if reverse else made


def stacked_boxes() -> list[Arrays]:
    """Boxes along the axes, one flush with the other: seen along z, edges lie in back faces."""
    return [box((0, 0, 0), (3, 3, 1)), box((0.5, 1, 1), (2, 2.5, 2)), box((1, 0.5, 0), (2, 1, 1))]


def many(count: int, seed: int, *, spread: float = 2.5, size: int = 8) -> list[Arrays]:
    """Spheres and boxes at random places."""
    rng = np.random.default_rng(seed)
    shapes = [sphere(size), box((-0.7, -0.7, -0.7), (0.7, 0.7, 0.7))]
    return [posed(shapes[index % 2], pose(rng, spread=spread)) for index in range(count)]


def seen(bodies: list[Arrays], **options: Any) -> tuple[Geometry, Projection, CinderOptions]:
    made = CinderOptions(**options)
    shapes = [Mesh(*body)._shape for body in bodies]
    view = projection_of(shapes, made.all_views[0], made.resolution)
    return geometry_of(shapes, view, made), view, made


def as_reference(geometry: Geometry, view: Projection, options: CinderOptions) -> Scene:
    return scene_of(geometry, colours_of(geometry, options), view.resolution)


def _turned(angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    about_x = np.array([(1, 0, 0), (0, c, -s), (0, s, c)])
    return about_x @ np.array([(c, 0, s), (0, 1, 0), (-s, 0, c)])
