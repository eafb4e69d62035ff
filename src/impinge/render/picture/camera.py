"""Parallel projections fitted to a box of points."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from impinge.errors import InputError

if TYPE_CHECKING:
    from impinge._types import Floats

# formats in which y is up; in all others z is
_Y_UP = (".glb", ".gltf")
UP_AXES = {"y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
# where azimuth 0 looks from: the front of a model with that axis up
_FRONT = {"y": (0.0, 0.0, 1.0), "z": (0.0, -1.0, 0.0)}


def up_of(files: Iterable[str]) -> str:
    """The axis that is up in these files."""
    return "y" if any(Path(file).suffix.lower() in _Y_UP for file in files) else "z"


def check_up(up: str) -> None:
    """Raise unless this is an axis that can point up."""
    if up not in UP_AXES:
        raise InputError(f"up must be 'y' or 'z', got {up!r}")


@dataclass(frozen=True)
class Camera:
    """An orthographic camera: rows of `axes` are right, up and toward the eye, unit length.

    A point p is drawn at `scale * (axes @ (p - centre))` pixels from the middle of the picture;
    depths are in pixels too and grow away from the eye.
    """

    axes: Floats
    centre: Floats
    scale: float
    size: tuple[int, int]

    @staticmethod
    def fit(
        points: Floats,
        *,
        size: tuple[int, int],
        azimuth: float = 35.0,
        elevation: float = 25.0,
        up: str = "y",
        margin: float = 0.06,
    ) -> Camera:
        """A camera that sees all `points` (n, 3); angles in degrees, size as (width, height)."""
        axes = view_axes(azimuth=azimuth, elevation=elevation, up=up)
        local = np.asarray(points, dtype=np.float64) @ axes.T
        low, high = (local.min(axis=0), local.max(axis=0)) if len(local) else (np.zeros(3),) * 2
        # a single point has no extent: any scale shows it
        extent = np.maximum(high - low, np.max(np.abs([low, high])) * 1e-9 + 1e-300)
        scale = float(min((1.0 - 2.0 * margin) * np.asarray(size) / extent[:2]))
        return Camera(axes, axes.T @ ((low + high) / 2.0), scale, size)

    def project(self, points: Floats) -> Floats:
        """(..., 3) world points as x (right), y (down) [pixels] and depth [pixels]."""
        local = (np.asarray(points, dtype=np.float64) - self.centre) @ self.axes.T * self.scale
        width, height = self.size
        x, y, z = np.moveaxis(local, -1, 0)
        return np.stack([width / 2.0 + x, height / 2.0 - y, -z], axis=-1)

    def enlarged(self, factor: int) -> Camera:
        """The same view with `factor` times as many pixels in each direction."""
        width, height = self.size
        return Camera(
            self.axes, self.centre, self.scale * factor, (width * factor, height * factor)
        )


def view_axes(*, azimuth: float, elevation: float, up: str) -> Floats:
    """(3, 3) rows right, up, toward the eye; azimuth turns the eye to the right [degrees]."""
    vertical, front = np.asarray(UP_AXES[up]), np.asarray(_FRONT[up])
    side = np.cross(vertical, front)
    turn, tilt = np.radians([azimuth, elevation])
    level = np.cos(turn) * front + np.sin(turn) * side
    toward = np.cos(tilt) * level + np.sin(tilt) * vertical
    right = np.cross(vertical, level)
    return np.stack([right, np.cross(toward, right), toward])
