"""A cloth that falls on a sphere, drapes over it and folds."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from impinge import _surfaces as surfaces
from impinge.scene import Scene

if TYPE_CHECKING:
    from impinge._types import Floats

_RADIUS = 0.45
# the cloth at the top: a little in the sphere when it lands, above it when it is draped, but with
# ripples, so that it meets the sphere in places
_LANDED, _DRAPED = -0.004, 0.0105
# where the cloth leaves the sphere, as an angle from the top
_LEAVES = 1.35
_FOLDS = 7


def drape(cells: int, frequency: int) -> tuple[Scene, Callable[[float], None]]:
    """A square of side 2 over a sphere: it falls until t = 0.25, then bends down and folds."""
    rest, faces = surfaces.sheet(cells)
    reach = np.hypot(rest[:, 0], rest[:, 1])
    bearing = np.arctan2(rest[:, 1], rest[:, 0])
    ball, ball_faces = surfaces.sphere(frequency)
    scene = Scene()
    cloth = scene.add(rest, faces, name="cloth")
    scene.add(_RADIUS * ball, ball_faces, name="sphere")

    def move(t: float) -> None:
        cloth.vertices = _draped(reach, bearing, t)

    move(0.0)
    return scene, move


def _draped(reach: Floats, bearing: Floats, t: float) -> Floats:
    fallen = min(t / 0.25, 1.0)
    bent = float(np.clip((t - 0.25) / 0.75, 0.0, 1.0))
    # the cloth lies on a ball that shrinks from an almost flat one to the sphere
    lift = _LANDED + bent**4 * (_DRAPED - _LANDED)
    radius = (_RADIUS + lift) / max(bent, 0.02)
    angle = np.minimum(reach / radius, _LEAVES)
    loose = np.maximum(reach - radius * _LEAVES, 0.0)
    out = radius * np.sin(angle) + loose * np.cos(_LEAVES)
    down = radius * (1 - np.cos(angle)) + loose * np.sin(_LEAVES)
    # what hangs freely gathers in folds that lean over, so that they meet
    slack = bent**2 * np.clip((reach - 0.5) / 0.6, 0.0, 1.0)
    wave = _FOLDS * bearing + 6 * reach
    out = out * (1 + 0.16 * slack * np.cos(wave))
    across = bearing + 0.21 * slack * np.sin(wave)
    ripples = 0.005 * bent * np.sin(9 * bearing) * np.sin(14 * reach)
    height = _RADIUS + lift + 0.6 * (1 - fallen**2) - down + ripples
    return np.stack([out * np.cos(across), out * np.sin(across), height], axis=-1)
