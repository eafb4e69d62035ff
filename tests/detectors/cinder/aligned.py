"""Aligned and symmetric scenes, whose edges hide each other, and which of their bodies overlap."""

from __future__ import annotations

from itertools import combinations

import numpy as np

import impinge
from support.meshes import Arrays, box

FAMILIES = ("bars", "plan", "gears", "grid", "nested")


def aligned(family: str, seed: int) -> list[Arrays]:
    return globals()[f"_{family}"](np.random.default_rng(seed))


def wider_than(bodies: list[Arrays], width: float) -> set[tuple[int, int]]:
    """Pairs whose common interior is wider than that along all axes; by `penetration`, which knows
    of no image, and by the boxes of boxes."""
    found = set()
    low = np.array([vertices.min(axis=0) for vertices, _ in bodies])
    high = np.array([vertices.max(axis=0) for vertices, _ in bodies])
    meshes = [impinge.Mesh(*body) for body in bodies]
    for a, b in combinations(range(len(bodies)), 2):
        common = np.minimum(high[a], high[b]) - np.maximum(low[a], low[b])
        if common.min() <= width:
            continue
        if len(bodies[a][1]) > 12 or len(bodies[b][1]) > 12:
            bounds = impinge.penetration(meshes[a], meshes[b]).bounds
            if bounds is None or np.ptp(bounds, axis=0).min() <= width:
                continue
        found.add((a, b))
    return found


def pixel_of(bodies: list[Arrays], resolution: int) -> float:
    """The largest that a pixel can be, from any side."""
    points = np.concatenate([vertices for vertices, _ in bodies])
    return float(np.linalg.norm(np.ptp(points, axis=0))) / (resolution - 3)


def gear(teeth: int, radius: float, height: float, turn: float = 0.0) -> Arrays:
    """A prism over a star."""
    angles = turn + np.arange(4 * teeth) * (np.pi / (2 * teeth))
    reach = radius * np.where(np.arange(4 * teeth) % 4 < 2, 1.0, 0.8)
    rim = np.stack([reach * np.cos(angles), reach * np.sin(angles)], axis=1)
    flat = np.concatenate([rim, np.zeros((1, 2))])
    n = len(flat)
    vertices = np.concatenate(
        [np.column_stack([flat, np.full(n, z)]) for z in (-height / 2, height / 2)]
    )
    here = np.arange(n - 1)
    there = np.roll(here, -1)
    middle = np.full(n - 1, n - 1)
    faces = [(middle, there, here), (middle + n, here + n, there + n)]
    faces += [(here, there, there + n), (here, there + n, here + n)]
    return vertices, np.concatenate([np.stack(part, axis=1) for part in faces])


def _bars(rng: np.random.Generator) -> list[Arrays]:
    """Through each other, along all axes, at the same height."""
    made = []
    for axis in rng.integers(0, 3, rng.integers(2, 12)):
        half = np.full(3, 0.5)
        half[axis] = 4.0
        middle = rng.integers(-2, 3, 3).astype(float)
        middle[axis] = 0.0
        made.append(box(tuple(middle - half), tuple(middle + half)))
    return made


def _plan(rng: np.random.Generator) -> list[Arrays]:
    """Walls and slabs of one height."""
    corners, sizes = rng.uniform(0, 10, (25, 2)), rng.uniform(0.5, 2, (25, 2))
    return [
        box((*corner, 0), (*(corner + size), 1))
        for corner, size in zip(corners, sizes, strict=True)
    ]


def _gears(rng: np.random.Generator) -> list[Arrays]:
    """In a row, the teeth in those of the next, all of one height."""
    made, at = [], 0.0
    for _ in range(rng.integers(2, 6)):
        radius = float(rng.choice([1.0, 1.5, 2.0]))
        vertices, faces = gear(int(8 * radius), radius, 0.5)
        made.append((vertices + np.array([at, 0, 0]), faces))
        at += 1.7 * radius
    return made


def _grid(rng: np.random.Generator) -> list[Arrays]:
    """Equal boxes on whole places, wider than these are apart: edges coincide."""
    size = float(rng.choice([1.25, 1.5, 1.75]))
    shape = rng.integers(2, 5, 3)
    places = np.argwhere(np.ones(shape)).astype(float)
    return [box(tuple(place), tuple(place + size)) for place in places]


def _nested(rng: np.random.Generator) -> list[Arrays]:
    """Boxes within each other, with a common middle, and some twice."""
    halves = np.sort(rng.choice(np.arange(1, 9), rng.integers(2, 5), replace=False))
    made = [box((-h, -h, -h), (h, h, h)) for h in halves.astype(float)]
    return made + [made[k] for k in rng.integers(0, len(made), 1)]
