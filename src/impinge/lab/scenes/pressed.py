"""Two soft bodies that are pressed together while both of them wobble."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from impinge.mesh import Mesh
from impinge.queries.collides import collides
from impinge.scene import Scene

if TYPE_CHECKING:
    from impinge._types import Floats, Ints

Arrays = tuple["Floats", "Ints"]


def pressed(
    first: Arrays, second: Arrays, *, depth: float, seed: int
) -> tuple[Scene, Callable[[float], None]]:
    """Bodies of radius 1, the second right of the first: apart at t = 0 and 1, deepest between."""
    wobbles = _wobble(seed), _wobble(seed + 1)
    scene = Scene()
    left, right = scene.add(*first, name="left"), scene.add(*second, name="right")

    def move(t: float) -> None:
        a, b = wobbles[0](first[0], t), wobbles[1](second[0], t)
        press = depth * (1.1 * np.sin(np.pi * t) ** 2 - 0.1)
        gap = _first_contact(Mesh(a, first[1]), Mesh(b, second[1])) - press
        left.vertices = a
        right.vertices = b + np.array([gap, 0.0, 0.0])

    move(0.0)
    return scene, move


def _wobble(seed: int) -> Callable[[Floats, float], Floats]:
    """A smooth warp of the space around the origin that changes with time."""
    random = np.random.default_rng(seed)
    waves = random.normal(size=(4, 3)) * 1.5
    pushes = random.normal(size=(4, 3)) * 0.04
    phases = random.uniform(0, 2 * np.pi, 4)

    def warped(points: Floats, t: float) -> Floats:
        return np.asarray(points + np.sin(points @ waves.T + phases + 2 * np.pi * t) @ pushes)

    return warped


def _first_contact(a: Mesh, b: Mesh) -> float:
    """How far right b must be so that it just touches a."""
    low, high = 0.0, float(a.bounds[1, 0] - b.bounds[0, 0])
    pose = np.eye(4)
    for _ in range(24):
        middle = (low + high) / 2
        pose[0, 3] = middle
        low, high = (middle, high) if collides(a, b, poses=pose[None]).any() else (low, middle)
    return low
