"""Closed planar loops: (n, 2) float64 points, counter-clockwise, on a grid of 1/1024 mm.

On that grid every coordinate is exact in float32, and so is its sum with a translation by
multiples of 1/64 mm: parts that are meant to touch share their planes exactly.
"""

import numpy as np
from numpy.typing import NDArray

Loop = NDArray[np.float64]

GRID = 1024.0


def snap(points: NDArray[np.float64] | list[tuple[float, float]]) -> Loop:
    """The nearest grid points."""
    return np.round(np.asarray(points, dtype=np.float64) * GRID) / GRID


def circle(radius: float, *, sides: int = 32, centre: tuple[float, float] = (0.0, 0.0)) -> Loop:
    """A regular polygon; equal radius and sides give equal shapes wherever the centre is."""
    angle = np.arange(sides) * (2.0 * np.pi / sides)
    return snap(radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)) + np.asarray(centre)


def hexagon(across_flats: float, *, inset: float = 0.0) -> Loop:
    """A hexagon with two corners on the x axis; `inset` shrinks it, for a chamfer."""
    return circle(across_flats / np.sqrt(3.0) - inset, sides=6)


def rectangle(x0: float, y0: float, x1: float, y1: float) -> Loop:
    """An axis-parallel rectangle."""
    return snap([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])


def rounded(
    x0: float, y0: float, x1: float, y1: float, *, radii: tuple[float, float], segments: int = 9
) -> Loop:
    """A rectangle with rounded corners; `radii` are those of the lower and the upper corners."""
    low, high = radii
    corners = [
        (x1 - low, y0 + low, low, -90.0),
        (x1 - high, y1 - high, high, 0.0),
        (x0 + high, y1 - high, high, 90.0),
        (x0 + low, y0 + low, low, 180.0),
    ]
    arcs = []
    for cx, cy, radius, start in corners:
        angle = np.radians(start + np.linspace(0.0, 90.0, segments + 1))
        arcs.append(np.stack([cx + radius * np.cos(angle), cy + radius * np.sin(angle)], axis=1))
    return snap(np.concatenate(arcs))


def slotted(
    radius: float, *, width: float, floor: float, sides: int = 32
) -> tuple[Loop, Loop, Loop]:
    """A circle with a keyway at the top: `(full, cut, slot)` loops with common vertices.

    `full` is the circle with the two corners of the keyway among its vertices, `cut` the circle
    with the keyway down (or, for a bore, up) to y = `floor`, `slot` the region between the two.
    """
    half = width / 2.0
    ring = circle(radius, sides=sides)
    over = (np.abs(ring[:, 0]) < half) & (ring[:, 1] > 0.0)
    corner = snap([(half, float(np.sqrt(radius**2 - half**2)))])
    mirrored = corner * (-1.0, 1.0)
    arc = ring[over]
    first = int(np.flatnonzero(over)[0])
    rest = np.roll(ring[~over], -first, axis=0)
    bottom = snap([(half, floor), (-half, floor)])
    full = np.concatenate([corner, arc, mirrored, rest])
    cut = np.concatenate([corner, bottom, mirrored, rest])
    slot = np.concatenate([corner, arc, mirrored, bottom[::-1]])
    return full, cut, slot
