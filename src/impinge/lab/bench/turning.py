"""Objects like those of the paper on DOP trees, and two copies of one as it turns.

The paper's car parts are not published. These have the same number of faces and the same nature:
many thin plates, a shell of two layers, many small parts, an open sheet, a lumpy figure.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

import impinge
from impinge._surfaces import sphere
from impinge.lab.bench import shapes

if TYPE_CHECKING:
    from impinge._types import Bools, Floats, Ints


def plates(size: int) -> tuple[Floats, Ints]:
    """A finned block: 32 thin plates side by side."""
    count = 32
    cells = max(1, round((size / count / 4) ** 0.5))
    parts = []
    for x in np.linspace(-0.5, 0.5, count):
        for side in (-0.003, 0.003):
            points, faces = _sheet(cells, cells)
            flat = np.stack([np.full(len(points), x + side), *(points - 0.5).T], axis=1)
            parts.append((flat, faces if side > 0 else faces[:, ::-1]))
    return _joined(parts)


def lens(size: int) -> tuple[Floats, Ints]:
    """Two layers of a shallow dome."""
    cells = max(1, round((size / 4) ** 0.5))
    parts = []
    for radius in (1.0, 0.97):
        points, faces = _sheet(cells, cells)
        polar, around = 1.2 * points[:, 0] + 1e-3, 2 * np.pi * points[:, 1]
        dome = np.stack(
            [np.sin(polar) * np.cos(around), np.sin(polar) * np.sin(around), 0.5 * np.cos(polar)], 1
        )
        parts.append((radius * dome, faces))
    return _joined(parts)


def parts(size: int) -> tuple[Floats, Ints]:
    """A box full of small parts."""
    random = np.random.default_rng(1)
    body, faces = sphere(4)
    count = max(1, round(size / len(faces)))
    centres = random.uniform(-0.5, 0.5, size=(count, 1, 3))
    sizes = random.uniform(0.01, 0.06, size=(count, 1, 3))
    return _joined([(points, faces) for points in body * sizes + centres])


def sheet(size: int) -> tuple[Floats, Ints]:
    """A curved open sheet."""
    cells = max(1, round((size / 4) ** 0.5))
    points, faces = _sheet(2 * cells, cells)
    x, y = points[:, 0], points[:, 1]
    height = 0.35 * np.sin(np.pi * x) * np.sin(np.pi * y) + 0.02 * np.sin(25 * x) * np.cos(19 * y)
    return np.stack([2 * x - 1, y - 0.5, height], axis=1), faces


def figure(size: int) -> tuple[Floats, Ints]:
    """A lumpy closed figure."""
    points, faces = shapes.bumpy(max(1, round((size / 20) ** 0.5)), seed=4, height=0.2)
    return points * np.array([0.5, 0.4, 1.0]), faces


Make = Callable[[int], tuple["Floats", "Ints"]]

OBJECTS: dict[str, tuple[Make, int]] = {
    "plates": (plates, 19_326),
    "lens": (lens, 30_075),
    "parts": (parts, 62_023),
    "sheet": (sheet, 60_755),
    "figure": (figure, 125_000),
}
"""By name: how it is made, and how many faces the paper's object of that nature has."""


def full_turn(mesh: impinge.Mesh, steps: int, *, depth: float = 0.005) -> Floats:
    """(steps, 4, 4): a copy beside the mesh that turns once about z and always just reaches it.

    At each step it comes from afar along x until it touches, and by this part of the width of the
    mesh farther.
    """
    angles = np.arange(steps) * (2 * np.pi / steps)
    poses = np.tile(np.eye(4), (steps, 1, 1))
    poses[:, 0, 0] = poses[:, 1, 1] = np.cos(angles)
    poses[:, 1, 0] = np.sin(angles)
    poses[:, 0, 1] = -np.sin(angles)
    width = np.ptp(mesh.vertices[:, 0])
    nearest = (mesh.vertices @ poses[:, 0, :3].T).min(axis=0)

    def touch_at(x: Floats) -> Bools:
        poses[:, 0, 3] = x
        return impinge.collides(mesh, mesh, poses=poses)

    apart = mesh.vertices[:, 0].max() - nearest + 0.01 * width
    step = 0.02 * width
    # inwards until it touches, then half of what is left again and again
    for _ in range(100):
        inside = touch_at(apart - step)
        if inside.all():
            break
        apart = np.where(inside, apart, apart - step)
    for _ in range(12):
        step = step / 2
        apart = np.where(touch_at(apart - step), apart, apart - step)
    poses[:, 0, 3] = apart - depth * width
    return poses


def _sheet(nx: int, ny: int) -> tuple[Floats, Ints]:
    """The unit square (n, 2) in 2 nx ny faces."""
    x, y = np.meshgrid(np.linspace(0, 1, nx + 1), np.linspace(0, 1, ny + 1), indexing="ij")
    a = (np.arange(nx)[:, None] * (ny + 1) + np.arange(ny)).ravel()
    b, c, d = a + ny + 1, a + ny + 2, a + 1
    faces = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
    return np.stack([x.ravel(), y.ravel()], axis=1), faces.astype(np.int32)


def _joined(meshes: list[tuple[Floats, Ints]]) -> tuple[Floats, Ints]:
    starts = np.cumsum([0, *(len(vertices) for vertices, _ in meshes)])
    faces = [faces + start for (_, faces), start in zip(meshes, starts[:-1], strict=True)]
    return np.concatenate([vertices for vertices, _ in meshes]), np.concatenate(faces)
