"""Bodies in motion: frames are recorded, then drawn by one camera that sees them all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from impinge.report.camera import Camera
from impinge.report.palette import BODIES
from impinge.report.render import render
from impinge.report.surface import Shape, Surface, shape_of

if TYPE_CHECKING:
    from impinge._types import Bytes, Floats, Ints
    from impinge.body import Body


class Seen(NamedTuple):
    """A body in one frame."""

    vertices: Floats
    faces: Ints
    colour: Floats
    """(3,), or (m, 3) for its faces."""


Frame = Sequence[Seen]


def recorded(bodies: Iterable[Body], colours: Sequence[Floats] | None = None) -> Frame:
    """Where the vertices of the bodies are now."""
    chosen = list(bodies)
    if colours is None:
        colours = [np.array(BODIES[k % len(BODIES)]) for k in range(len(chosen))]
    return [
        Seen(body.world_vertices, body.faces, colour)
        for body, colour in zip(chosen, colours, strict=True)
    ]


def pictures(
    frames: Sequence[Frame],
    *,
    size: tuple[int, int] = (480, 360),
    azimuth: float = 25.0,
    elevation: float = 20.0,
    progress: Callable[[float], object] = lambda _: None,
) -> list[Bytes]:
    """One picture (height, width, 3) uint8 of each frame; z is up."""
    # a few frames tell how far the bodies go, and all their vertices would be many
    some = [*frames[:: max(len(frames) // 16, 1)], frames[-1]]
    points = np.concatenate([seen.vertices for frame in some for seen in frame])
    camera = Camera.fit(points, size=size, azimuth=azimuth, elevation=elevation, up="z")
    shapes: dict[int, Shape] = {}
    result = []
    for number, frame in enumerate(frames):
        progress(number / len(frames))
        # bodies that did not move have the same array as before
        shapes = {
            id(seen.vertices): shapes.get(id(seen.vertices)) or shape_of(seen.vertices, seen.faces)
            for seen in frame
        }
        surfaces = [_surface(shapes[id(seen.vertices)], seen) for seen in frame]
        result.append(render(surfaces, [], camera))
    return result


def _surface(shape: Shape, seen: Seen) -> Surface:
    colours = np.broadcast_to(seen.colour, (len(seen.faces), 3))
    return Surface(shape.corners, shape.normals, colours, closed=shape.closed)
