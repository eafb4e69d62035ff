"""Meshes and motions of the workloads, made from a seed: the same on every machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from impinge._types import Floats, Ints

_GOLDEN = (1 + 5**0.5) / 2
_CORNERS = np.array(
    [
        [-1, _GOLDEN, 0], [1, _GOLDEN, 0], [-1, -_GOLDEN, 0], [1, -_GOLDEN, 0],
        [0, -1, _GOLDEN], [0, 1, _GOLDEN], [0, -1, -_GOLDEN], [0, 1, -_GOLDEN],
        [_GOLDEN, 0, -1], [_GOLDEN, 0, 1], [-_GOLDEN, 0, -1], [-_GOLDEN, 0, 1],
    ]
)  # fmt: skip
_SIDES = np.array(
    [
        [0, 11, 5], [0, 5, 1], [0, 1, 7], [0, 7, 10], [0, 10, 11], [1, 5, 9], [5, 11, 4],
        [11, 10, 2], [10, 7, 6], [7, 1, 8], [3, 9, 4], [3, 4, 2], [3, 2, 6], [3, 6, 8],
        [3, 8, 9], [4, 9, 5], [2, 4, 11], [6, 2, 10], [8, 6, 7], [9, 8, 1],
    ]
)  # fmt: skip


def sphere(frequency: int) -> tuple[Floats, Ints]:
    """Unit sphere of 20 frequency^2 triangles: an icosahedron, each side split."""
    i, j = np.divmod(np.arange((frequency + 1) ** 2), frequency + 1)
    inside = i + j <= frequency
    i, j = i[inside], j[inside]
    weights = np.stack([frequency - i - j, i, j], axis=1)
    number = np.full((frequency + 1, frequency + 1), -1)
    number[i, j] = np.arange(len(i))

    # a corner with its weight names a point in the same way from every side it lies on
    names = np.where(weights[None] > 0, _SIDES[:, None, :], len(_CORNERS))
    names = np.sort(names * (frequency + 1) + weights[None], axis=2).reshape(-1, 3)
    scale = (len(_CORNERS) + 1) * (frequency + 1)
    keys = (names[:, 0] * scale + names[:, 1]) * scale + names[:, 2]
    _, first, point = np.unique(keys, return_index=True, return_inverse=True)
    side, grid = np.divmod(first, len(i))
    points = np.einsum("nk,nkd->nd", weights[grid].astype(float), _CORNERS[_SIDES[side]])
    points /= np.linalg.norm(points, axis=1)[:, None]

    up = i + j < frequency
    down = i + j < frequency - 1
    corners = np.concatenate(
        [
            np.stack([number[i, j][up], number[i[up] + 1, j[up]], number[i[up], j[up] + 1]], 1),
            np.stack(
                [
                    number[i[down] + 1, j[down]],
                    number[i[down] + 1, j[down] + 1],
                    number[i[down], j[down] + 1],
                ],
                1,
            ),
        ]
    )
    faces = point.reshape(len(_SIDES), -1)[:, corners].reshape(-1, 3)
    return points, faces.astype(np.int32)


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


def rotations(random: np.random.Generator, count: int) -> Floats:
    """(count, 3, 3) rotations, all orientations equally likely."""
    q = random.normal(size=(count, 4))
    w, x, y, z = (q / np.linalg.norm(q, axis=1)[:, None]).T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), 2, 0)


def poses_around(count: int, distance: float, *, seed: int) -> Floats:
    """(count, 4, 4) random rotations, moved by `distance` in random directions."""
    random = np.random.default_rng(seed)
    directions = random.normal(size=(count, 3))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    return _poses(rotations(random, count), directions * distance)


def drifting(bodies: int, frames: int, side: float, *, seed: int = 5) -> Floats:
    """(frames, bodies, 4, 4): bodies that turn and drift in a box of this side."""
    random = np.random.default_rng(seed)
    centers = random.uniform(0, side, size=(bodies, 3))
    velocities = random.normal(size=(bodies, 3)) * 0.02
    start = rotations(random, bodies)
    axes = random.normal(size=(bodies, 3))
    axes /= np.linalg.norm(axes, axis=1)[:, None]
    cross = np.zeros((bodies, 3, 3))
    cross[:, [2, 0, 1], [1, 2, 0]] = axes
    cross[:, [1, 2, 0], [2, 0, 1]] = -axes
    result = []
    for frame in range(frames):
        angle = 0.03 * frame
        turn = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
        result.append(_poses(turn @ start, centers + velocities * frame))
    return np.array(result)


def inward_normals(vertices: Floats, faces: Ints) -> Floats:
    """(n, 3) unit normals of the vertices, weighted by area, pointing into a closed mesh."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    normals = np.zeros_like(vertices)
    for k in range(3):
        np.add.at(normals, faces[:, k], np.cross(c - a, b - a))
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    return normals


def _poses(turns: Floats, offsets: Floats) -> Floats:
    poses = np.tile(np.eye(4), (len(turns), 1, 1))
    poses[:, :3, :3] = turns
    poses[:, :3, 3] = offsets
    return poses
