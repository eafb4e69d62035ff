"""A scene in motion: frames are recorded, then drawn by one camera that sees them all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from impinge.render.palette import BODIES, CLASH, CURVE, TOUCH
from impinge.render.picture.camera import Camera
from impinge.render.picture.renderer import render
from impinge.render.picture.surface import DrawnMesh, Lines, Paint, Surface, drawn_mesh
from impinge.results.collisions import Collisions, Kind

if TYPE_CHECKING:
    from impinge._types import Bools, Bytes, Floats, Ints
    from impinge.body import Body
    from impinge.results.contact_points import ContactPoints


class Frame(NamedTuple):
    """Where the vertices of all bodies were, which of their faces crossed others, and where."""

    vertices: tuple[Floats, ...]
    faces: tuple[Ints, ...]
    colours: tuple[Paint, ...]
    crossing: tuple[Bools, ...]
    curve: Floats
    """(k, 2, 3)"""
    points: Floats
    """(k, 3) of contacts."""


class Viewpoint(NamedTuple):
    """From where a motion is looked at [degrees], and the box (2, 3) it is in; None: its bodies."""

    azimuth: float = 25.0
    elevation: float = 20.0
    up: str = "z"
    box: Floats | None = None


def recorded(
    bodies: Sequence[Body],
    found: Collisions | ContactPoints | None = None,
    *,
    colours: Sequence[Paint] | None = None,
) -> Frame:
    """Where all is now, and what was found there."""
    crossing = tuple(np.zeros(len(body.faces), dtype=bool) for body in bodies)
    if colours is None:
        colours = [BODIES[k % len(BODIES)] for k in range(len(bodies))]
    curve, points = np.zeros((0, 2, 3)), np.zeros((0, 3))
    if isinstance(found, Collisions):
        rows = found.kinds == Kind.CROSSING
        curve = found.segments[rows]
        crossing = found._crossing_faces()
    elif found is not None:
        points = found.points[:, 0]
    vertices, faces = (body.world_vertices for body in bodies), (body.faces for body in bodies)
    return Frame(tuple(vertices), tuple(faces), tuple(colours), crossing, curve, points)


def pictures(
    frames: Sequence[Frame],
    *,
    size: tuple[int, int] = (480, 360),
    view: Viewpoint | None = None,
    progress: Callable[[float], object] = lambda _: None,
) -> list[Bytes]:
    """One picture (height, width, 3) uint8 of each frame."""
    azimuth, elevation, up, box = view or Viewpoint()
    if box is None:
        # a few frames tell how far the bodies go, and all their vertices would be many
        seen = [*frames[:: max(len(frames) // 16, 1)], frames[-1]]
        points = np.concatenate([vertices for frame in seen for vertices in frame.vertices])
    else:
        points = np.stack(np.meshgrid(*np.asarray(box).T, indexing="ij"), axis=-1).reshape(-1, 3)
    camera = Camera.fit(points, size=size, azimuth=azimuth, elevation=elevation, up=up)
    result = []
    shapes: dict[int, DrawnMesh] = {}
    for number, frame in enumerate(frames):
        progress(number / len(frames))
        # bodies that did not move have the same array as before
        shapes = {
            id(vertices): shapes.get(id(vertices)) or drawn_mesh(vertices, faces)
            for vertices, faces in zip(frame.vertices, frame.faces, strict=True)
        }
        surfaces: list[Surface] = []
        for vertices, colour, marked in zip(
            frame.vertices, frame.colours, frame.crossing, strict=True
        ):
            shape = shapes[id(vertices)]
            surfaces.append(shape.surface(colour, only=~marked))
            surfaces.append(shape.surface(CLASH, only=marked, marked=True))
        lines = [
            Lines(frame.curve, CURVE, width=1.6, through=True),
            Lines(_dots(frame.points, camera), TOUCH, width=3.0, through=True),
        ]
        result.append(render(surfaces, lines, camera))
    return result


def _dots(points: Floats, camera: Camera) -> Floats:
    """(k, 2, 3) short lines that look like dots."""
    reach = camera.axes[0] * (1.5 / camera.scale)
    return np.stack([points - reach, points + reach], axis=1)
