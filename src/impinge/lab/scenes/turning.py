"""Two copies of a finned block side by side, one of which turns."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from impinge import _surfaces as surfaces
from impinge.lab.scenes.motion import poses, spinning
from impinge.mesh import Mesh
from impinge.scene import Scene

# so near that only the turned one reaches the other
_APART = 1.25


def turning(plates: int, cells: int) -> tuple[Scene, Callable[[float], None]]:
    """The scene, and what moves it to a time in [0, 1]: once around."""
    sheet, triangles = surfaces.sheet(cells)
    flat = 0.5 * sheet / np.abs(sheet).max()
    parts, faces = [], []
    for number, x in enumerate(np.linspace(-0.5, 0.5, plates)):
        parts.append(np.stack([np.full(len(flat), x), flat[:, 0], flat[:, 1]], axis=1))
        faces.append(triangles + number * len(flat))
    mesh = Mesh(np.concatenate(parts), np.concatenate(faces))
    scene = Scene()
    scene.add(mesh, name="block")
    other = scene.add(mesh, name="turning")
    axis, place = np.array([[0.0, 0.6, 0.8]]), np.array([[_APART, 0.0, 0.0]])

    def move(t: float) -> None:
        other.pose = poses(spinning(axis, np.array([2 * np.pi * t])), place)[0]

    move(0.0)
    return scene, move
