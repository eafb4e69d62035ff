"""A scene in motion: frames are recorded, then drawn by one camera that sees them all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from impinge.report.camera import Camera
from impinge.report.palette import BODIES
from impinge.report.render import render
from impinge.report.surface import shape_of

if TYPE_CHECKING:
    from impinge._types import Bytes, Floats
    from impinge.scene import Scene

Frame = Sequence["Floats"]


def recorded(scene: Scene) -> Frame:
    """Where the vertices of all bodies are now."""
    return [body.world_vertices for body in scene]


def pictures(
    scene: Scene,
    frames: Sequence[Frame],
    *,
    size: tuple[int, int] = (480, 360),
    azimuth: float = 25.0,
    elevation: float = 20.0,
    progress: Callable[[float], object] = lambda _: None,
) -> list[Bytes]:
    """One picture (height, width, 3) uint8 of each frame; z is up."""
    # a few frames tell how far the bodies go, and all their vertices would be many
    seen = [*frames[:: max(len(frames) // 16, 1)], frames[-1]]
    points = np.concatenate([vertices for frame in seen for vertices in frame])
    camera = Camera.fit(points, size=size, azimuth=azimuth, elevation=elevation, up="z")
    result = []
    for number, frame in enumerate(frames):
        progress(number / len(frames))
        surfaces = [
            shape_of(vertices, body.faces).surface(BODIES[k % len(BODIES)])
            for k, (body, vertices) in enumerate(zip(scene, frame, strict=True))
        ]
        result.append(render(surfaces, [], camera))
    return result
