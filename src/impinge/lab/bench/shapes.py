"""Meshes and motions of the workloads, made from a seed: the same on every machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from impinge._surfaces import sphere
from impinge.lab.scenes.motion import poses, rotations, spinning

if TYPE_CHECKING:
    from impinge._types import Floats, Ints


def bumpy(frequency: int, *, seed: int, height: float = 0.04) -> tuple[Floats, Ints]:
    """A sphere with waves, of 20 frequency^2 triangles."""
    points, faces = sphere(frequency)
    random = np.random.default_rng(seed)
    waves = random.normal(size=(6, 3)) * 9
    phases = random.uniform(0, 2 * np.pi, 6)
    radius = 1 + height / 3 * np.sin(points @ waves.T + phases).sum(axis=1)
    return points * radius[:, None], faces


def cloth(
    cells: int, frames: int, *, height: float, folds: float, seed: int = 3
) -> tuple[Floats, Ints]:
    """A waving, folded square: vertices (frames, n, 3) of 2 cells^2 triangles."""
    random = np.random.default_rng(seed)
    steps = np.linspace(0, 1, cells + 1)
    u, v = np.meshgrid(steps, steps, indexing="ij")
    count = 14
    frequency = random.normal(size=(count, 2)) * folds
    phase = random.uniform(0, 2 * np.pi, count)
    direction = random.normal(size=(count, 3))
    direction /= np.linalg.norm(direction, axis=1)[:, None]
    size = height / (0.6 + np.linalg.norm(frequency, axis=1))
    speed = random.normal(size=count) * 3
    flat = np.stack([0.7 * u, 0.7 * v, 0 * u], axis=-1)
    result = np.empty((frames, (cells + 1) ** 2, 3))
    for frame in range(frames):
        points = flat.copy()
        for k in range(count):
            angle = 2 * np.pi * (frequency[k, 0] * u + frequency[k, 1] * v)
            wave = np.sin(angle + phase[k] + speed[k] * frame / 60)
            points += size[k] * direction[k] * wave[..., None]
        result[frame] = points.reshape(-1, 3)
    corner = np.arange(cells)[:, None] * (cells + 1) + np.arange(cells)[None]
    a, b, c, d = corner, corner + 1, corner + cells + 1, corner + cells + 2
    faces = np.stack([np.stack([a, c, b], -1), np.stack([b, c, d], -1)], axis=2)
    return result, faces.reshape(-1, 3).astype(np.int32)


def poses_around(count: int, distance: float, *, seed: int) -> Floats:
    """(count, 4, 4) random rotations, moved by `distance` in random directions."""
    random = np.random.default_rng(seed)
    directions = random.normal(size=(count, 3))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    return poses(rotations(random, count), directions * distance)


def drifting(bodies: int, frames: int, side: float, *, seed: int = 5) -> Floats:
    """(frames, bodies, 4, 4): bodies that turn and drift in a box of this side."""
    random = np.random.default_rng(seed)
    centers = random.uniform(0, side, size=(bodies, 3))
    velocities = random.normal(size=(bodies, 3)) * 0.02
    start = rotations(random, bodies)
    axes = random.normal(size=(bodies, 3))
    axes /= np.linalg.norm(axes, axis=1)[:, None]
    result = []
    for frame in range(frames):
        turn = spinning(axes, np.full(bodies, 0.03 * frame))
        result.append(poses(turn @ start, centers + velocities * frame))
    return np.array(result)


def inward_normals(vertices: Floats, faces: Ints) -> Floats:
    """(n, 3) unit normals of the vertices, weighted by area, pointing into a closed mesh."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    normals = np.zeros_like(vertices)
    for k in range(3):
        np.add.at(normals, faces[:, k], np.cross(c - a, b - a))
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    return normals
