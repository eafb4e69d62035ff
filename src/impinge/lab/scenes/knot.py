"""One long body, tied into a knot so tight that it meets itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from impinge import _surfaces as surfaces
from impinge.scene import Scene

if TYPE_CHECKING:
    from impinge._types import Floats


def knot(along: int, around: int, *, thickness: float) -> tuple[Scene, Callable[[float], None]]:
    """A scaly body of 2 along around triangles around a trefoil; it breathes."""
    turn = np.linspace(0.0, 2 * np.pi, along, endpoint=False)
    angle = np.linspace(0.0, 2 * np.pi, around, endpoint=False)
    center = _trefoil(turn)
    normal, binormal = _frame(turn)
    spokes = (
        np.cos(angle)[None, :, None] * normal[:, None]
        + np.sin(angle)[None, :, None] * binormal[:, None]
    )
    scales = 0.03 * np.sin(90 * turn)[:, None] * np.sin(16 * angle)[None]
    faces = surfaces.wrapped(along, around)

    def vertices(t: float) -> Floats:
        breath = 0.04 * np.sin(3 * turn - 2 * np.pi * t) * np.sin(np.pi * t)
        radius = thickness * (1 + breath[:, None] + scales)
        return np.asarray((center[:, None] + radius[..., None] * spokes).reshape(-1, 3))

    scene = Scene()
    body = scene.add(vertices(0.0), faces, name="dragon")

    def move(t: float) -> None:
        body.vertices = vertices(t)

    return scene, move


def _trefoil(turn: Floats) -> Floats:
    ring = 2 + np.cos(3 * turn)
    return np.stack([ring * np.cos(2 * turn), ring * np.sin(2 * turn), np.sin(3 * turn)], axis=-1)


def _frame(turn: Floats) -> tuple[Floats, Floats]:
    """Unit vectors across the curve, the first one away from the ring it is wound around."""
    step = 1e-4
    tangent = _trefoil(turn + step) - _trefoil(turn - step)
    tangent /= np.linalg.norm(tangent, axis=1)[:, None]
    ring = 2 * np.stack([np.cos(2 * turn), np.sin(2 * turn), 0 * turn], axis=-1)
    normal = _trefoil(turn) - ring
    normal -= np.einsum("nk,nk->n", normal, tangent)[:, None] * tangent
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    return normal, np.cross(normal, tangent)
