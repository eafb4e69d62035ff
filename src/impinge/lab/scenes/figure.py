"""The body of the demos: the Stanford bunny where there is one, else a made figure of its size."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np

from impinge import _surfaces as surfaces
from impinge.lab.scenes import models

if TYPE_CHECKING:
    from impinge._types import Floats, Ints

# twice the 8,146 vertices of the paper, and rather a finer bunny than a coarser one
_FACES = 20_000
_FREQUENCY = 29


def body(data: str | os.PathLike[str] | None = None) -> tuple[Floats, Ints, str]:
    """A closed body that stands up in z, about as large as the unit sphere, and what it is.

    `data` is a folder in which a bunny is looked for.
    """
    found = models.find(data, "bunny", _FACES)
    if found is None:
        vertices, faces = figure(_FREQUENCY)
        title = f"made figure, {len(vertices):,} vertices"
    else:
        # the bunny's file has y up
        vertices, faces, title = found
        vertices = vertices[:, [0, 2, 1]] * (1.0, -1.0, 1.0)
        title = f"{title}, {len(vertices):,} vertices"
    return vertices, faces, title


def figure(frequency: int) -> tuple[Floats, Ints]:
    """A sitting animal with a head and two ears: 10 frequency^2 + 2 vertices."""
    points, faces = surfaces.sphere(frequency)
    size = 0.92 + _bump(points, (0.62, 0.0, 0.78), 0.55, 7.0)
    for side in (-1.0, 1.0):
        size += _bump(points, (0.34, 0.22 * side, 0.92), 0.75, 90.0)
        size += _bump(points, (0.75, 0.45 * side, -0.55), 0.3, 14.0)
    size += _bump(points, (-0.95, 0.0, -0.3), 0.22, 40.0)
    vertices = points * size[:, None]
    # it sits on a flat bottom
    vertices[:, 2] = np.maximum(vertices[:, 2], -0.72 + 0.02 * vertices[:, 2])
    return vertices, faces


def _bump(
    points: Floats, direction: tuple[float, float, float], height: float, sharp: float
) -> Floats:
    toward = np.array(direction) / np.linalg.norm(direction)
    return np.asarray(height * np.exp(sharp * (points @ toward - 1.0)))


def without_bottom(vertices: Floats, faces: Ints) -> Ints:
    """(k, 3) faces of a body with a hole: most of those that look down at the bottom are gone."""
    corners = vertices[faces]
    down = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[:, 2] < 0.0
    middle = corners.mean(axis=1)
    low, high = vertices[:, 2].min(), vertices[:, 2].max()
    bottom = down & (middle[:, 2] < low + 0.08 * (high - low))
    centre = middle[bottom, :2].mean(axis=0)
    away = np.linalg.norm(middle[:, :2] - centre, axis=1)
    return np.ascontiguousarray(faces[~(bottom & (away < 0.75 * away[bottom].max()))])
