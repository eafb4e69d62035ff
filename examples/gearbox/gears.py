"""Spur gears with involute flanks (20 degrees), as loops and as solids."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gearbox.loops import Loop, circle, snap
from gearbox.solid import Solid

PRESSURE_ANGLE = np.radians(20.0)


@dataclass(frozen=True)
class Teeth:
    """Basic rack data of one gear: module [mm], number of teeth, thinning for backlash [mm]."""

    module: float
    count: int
    thinning: float = 0.125

    @property
    def pitch_radius(self) -> float:
        return self.module * self.count / 2.0

    @property
    def tip_radius(self) -> float:
        return self.pitch_radius + self.module

    @property
    def root_radius(self) -> float:
        return self.pitch_radius - 1.25 * self.module

    def outline(self, *, phase: float = 0.0, steps: int = 4) -> Loop:
        """The closed tooth profile, the middle of one tooth at the angle `phase` [radians]."""
        base = self.pitch_radius * np.cos(PRESSURE_ANGLE)
        low = max(base, self.root_radius)
        radii = np.linspace(low, self.tip_radius, steps)
        half_at_pitch = np.pi / (2 * self.count) - self.thinning / (2 * self.pitch_radius)
        half = half_at_pitch + _involute(base, self.pitch_radius) - _involute(base, radii)
        root_half = min(half[0] + 0.3 * (np.pi / self.count - half[0]), np.pi / self.count)
        radii = np.concatenate([[self.root_radius], radii, radii[::-1], [self.root_radius]])
        half = np.concatenate([[-root_half], -half, half[::-1], [root_half]])
        angles = phase + np.arange(self.count)[:, None] * (2 * np.pi / self.count) + half
        return snap(
            np.stack([radii * np.cos(angles), radii * np.sin(angles)], axis=2).reshape(-1, 2)
        )


def _involute(base: float, radius: NDArray[np.float64] | float) -> NDArray[np.float64]:
    """The polar angle of the involute of a base circle at a radius."""
    pressure = np.arccos(np.minimum(base / np.asarray(radius), 1.0))
    return np.tan(pressure) - pressure


def plain_gear(teeth: Teeth, bore: Loop, *, width: float, phase: float) -> Solid:
    """A pinion: teeth around a bore, flat faces."""
    solid = Solid()
    outline = teeth.outline(phase=phase)
    solid.wall(outline, 0.0, width)
    solid.wall(bore, 0.0, width, hole=True)
    solid.cap(outline, 0.0, holes=(bore,), up=False)
    solid.cap(outline, width, holes=(bore,))
    return solid


def webbed_gear(
    teeth: Teeth, bore: Loop, *, width: float, phase: float, hub: float, recess: float, windows: int
) -> Solid:
    """A wheel: rim and hub at full width, a thinner web with round windows between them."""
    solid = Solid()
    outline = teeth.outline(phase=phase)
    rim = teeth.root_radius - 1.5 * teeth.module
    middle, window = (rim + hub) / 2.0, (rim - hub) / 2.0 - 1.5
    rim_loop, hub_loop = circle(rim, sides=36), circle(hub, sides=24)
    turns = (np.arange(windows) + 0.5) * (2 * np.pi / windows)
    centres = snap(middle * np.stack([np.cos(turns), np.sin(turns)], axis=1))
    holes = tuple(circle(window, sides=12, centre=(x, y)) for x, y in centres)
    solid.wall(outline, 0.0, width)
    solid.wall(bore, 0.0, width, hole=True)
    for hole in holes:
        solid.wall(hole, recess, width - recess, hole=True)
    for face, web, up in ((0.0, recess, False), (width, width - recess, True)):
        low, high = sorted((face, web))
        solid.cap(outline, face, holes=(rim_loop,), up=up)
        solid.wall(rim_loop, low, high, hole=True)
        solid.cap(rim_loop, web, holes=(hub_loop, *holes), up=up)
        solid.wall(hub_loop, low, high)
        solid.cap(hub_loop, face, holes=(bore,), up=up)
    return solid
