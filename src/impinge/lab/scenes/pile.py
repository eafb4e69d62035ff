"""Rigid bodies that fall into a box and come to rest in a pile."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from impinge.lab.scenes.motion import poses, rotations, spinning
from impinge.mesh import Mesh
from impinge.scene import Scene

if TYPE_CHECKING:
    from impinge._types import Floats

_STEP = 1 / 60
_GRAVITY = 9.81


def pile(
    meshes: Sequence[Mesh], *, count: int, columns: int, steps: int, seed: int
) -> tuple[Scene, Callable[[float], None]]:
    """`count` bodies, each of the next mesh in turn, that fall as if they were balls."""
    random = np.random.default_rng(seed)
    # what sticks out of its ball may meet a neighbour: a few real penetrations
    spokes = [np.linalg.norm(mesh.vertices, axis=1) for mesh in meshes]
    radius = float(np.quantile(np.concatenate(spokes), 0.8))
    paths = falling(count, radius=radius, columns=columns, steps=steps, random=random)
    turns = rotations(random, count)
    axes = random.normal(size=(count, 3))
    axes /= np.linalg.norm(axes, axis=1)[:, None]
    # a body turns as far as it rolls or falls
    rolled = np.cumsum(np.linalg.norm(np.diff(paths, axis=0, prepend=paths[:1]), axis=2), axis=0)
    scene = Scene()
    bodies = [scene.add(meshes[k % len(meshes)], name=f"bunny-{k + 1}") for k in range(count)]

    def move(t: float) -> None:
        place = np.clip(t, 0.0, 1.0) * (steps - 1)
        before = min(int(place), steps - 2)
        share = place - before
        centers = (1 - share) * paths[before] + share * paths[before + 1]
        angles = 0.3 * ((1 - share) * rolled[before] + share * rolled[before + 1])
        for body, pose in zip(bodies, poses(spinning(axes, angles) @ turns, centers), strict=True):
            body.pose = pose

    move(0.0)
    return scene, move


def falling(
    count: int, *, radius: float, columns: int, steps: int, random: np.random.Generator
) -> Floats:
    """(steps, count, 3) paths of balls that fall into a square box, `columns` of them wide."""
    side = 2.1 * radius * columns
    layer, cell = np.divmod(np.arange(count), columns**2)
    row, column = np.divmod(cell, columns)
    places = 2.1 * radius * np.stack([column + 0.5, row + 0.5, 0.9 + 1.1 * layer], axis=-1)
    places[:, :2] += random.uniform(-0.1, 0.1, size=(count, 2)) * radius
    velocities = np.zeros_like(places)
    low, high = np.array([radius] * 3), np.array([side - radius, side - radius, np.inf])
    paths = np.empty((steps, count, 3))
    for step in range(steps):
        paths[step] = places
        before = places
        places = places + _STEP * velocities
        places[:, 2] -= _GRAVITY * _STEP**2
        for _ in range(8):
            places = np.clip(_apart(places, radius), low, high)
        velocities = 0.98 * (places - before) / _STEP
    return paths


def _apart(places: Floats, radius: float) -> Floats:
    """Balls that overlap are moved half of the overlap apart."""
    between = places[:, None] - places[None]
    distance = np.linalg.norm(between, axis=2)
    np.fill_diagonal(distance, np.inf)
    overlap = np.maximum(2 * radius - distance, 0.0) / np.maximum(distance, 1e-9)
    # several pushes at once would overshoot
    pushes = np.maximum((overlap > 0).sum(axis=1), 1)[:, None]
    return np.asarray(places + (0.5 * overlap[..., None] * between).sum(axis=1) / pushes**0.5)
