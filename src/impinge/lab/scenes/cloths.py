"""Frames of a cloth that drapes over a turning ball, and of one that is pushed through a funnel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from impinge import _surfaces as surfaces
from impinge.lab.scenes.drape import drape

if TYPE_CHECKING:
    from impinge._types import Floats, Ints

# the wall of the funnel: radius at a height from 0 (the neck) to 1 (the rim)
_NECK, _RIM = 0.32, 1.15
_FOLDS = 9


def cloth_on_ball(times: Floats, *, cells: int, frequency: int) -> tuple[Floats, Ints]:
    """Vertices (k, n, 3) at each time in [0, 1], and faces, of a sheet and a ball in one mesh."""
    scene, move = drape(cells, frequency)
    cloth, ball = scene.bodies
    frames = []
    for t in times:
        move(float(t))
        turned = np.array(ball.vertices) @ _about_z(2 * np.pi * t).T
        frames.append(np.concatenate([cloth.vertices, turned]))
    faces = np.concatenate([cloth.faces, ball.faces + len(cloth.vertices)])
    return np.array(frames), faces.astype(np.int32)


def cloth_in_funnel(
    times: Floats, *, cells: int, around: int, along: int, bands: int
) -> tuple[Floats, Ints]:
    """The same of a sheet, a funnel of 2 around along faces and a ball that grows and sinks."""
    rest, cloth = surfaces.sheet(cells)
    wall, funnel = _funnel(around, along)
    globe, ball = surfaces.globe(bands, bands)
    frames = []
    for t in times:
        radius = 0.12 + 0.16 * t
        bottom = 0.95 - 0.9 * t
        sheet = _pushed(rest, radius, bottom, float(t))
        frames.append(np.concatenate([sheet, wall, radius * globe + [0, 0, bottom + radius]]))
    first, second = len(rest), len(rest) + len(wall)
    faces = np.concatenate([cloth, funnel + first, ball + second])
    return np.array(frames), faces.astype(np.int32)


def _about_z(angle: float) -> Floats:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def _funnel(around: int, along: int) -> tuple[Floats, Ints]:
    """An open cone."""
    height, angle = np.meshgrid(
        np.linspace(0, 1, along + 1), np.arange(around) * (2 * np.pi / around), indexing="ij"
    )
    radius = _NECK + (_RIM - _NECK) * height
    points = np.stack([radius * np.cos(angle), radius * np.sin(angle), height], axis=-1)
    index = np.arange(points.size // 3).reshape(along + 1, around)
    right = np.roll(index, -1, axis=1)
    faces = surfaces.split(index[:-1], right[:-1], right[1:], index[1:])
    return points.reshape(-1, 3), faces.astype(np.int32)


def _pushed(rest: Floats, radius: float, bottom: float, t: float) -> Floats:
    """The sheet lies around the lower half of the ball and along the wall, where it folds."""
    reach, bearing = np.hypot(rest[:, 0], rest[:, 1]), np.arctan2(rest[:, 1], rest[:, 0])
    angle = np.minimum(reach / radius, 0.5 * np.pi * min(1.0, 0.3 + t))
    loose = np.maximum(reach - radius * angle, 0.0)
    height = bottom + radius * (1 - np.cos(angle)) + loose * np.sin(0.9 * angle)
    free = radius * np.sin(angle) + loose * np.cos(0.9 * angle)
    room = 0.985 * (_NECK + (_RIM - _NECK) * np.clip(height, 0.0, 1.0))
    out = np.minimum(free, room)
    # a ring of the sheet that is longer than the ring it lies on folds over
    spare = np.clip(reach / np.maximum(out, 1e-9) - 1.0, 0.0, 1.5) * (reach > radius)
    wave = _FOLDS * bearing + 4 * reach
    out = out * (1 - 0.18 * spare * (1 + np.cos(wave)))
    across = bearing + 0.3 * spare * np.sin(wave)
    height = height + 0.01 * spare * np.sin(23 * bearing)
    return np.stack([out * np.cos(across), out * np.sin(across), height], axis=-1)
