"""Two copies of an object close together, one of which tumbles once around in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import impinge

if TYPE_CHECKING:
    from impinge._types import Floats


def full_turn(steps: int) -> Floats:
    """(steps, 4, 4): about x and about z at the same time."""
    angles = np.arange(steps) * (2 * np.pi / steps)
    about_x, about_z = np.tile(np.eye(4), (2, steps, 1, 1))
    for poses, (i, j) in ((about_x, (1, 2)), (about_z, (0, 1))):
        poses[:, i, i] = poses[:, j, j] = np.cos(angles)
        poses[:, j, i] = np.sin(angles)
        poses[:, i, j] = -np.sin(angles)
    turned: Floats = about_z @ about_x
    return turned


def close_turn(mesh: impinge.Mesh, steps: int, tumbled: int) -> Floats:
    """A full turn beside the mesh, as far away as makes so many tumbled nodes on average.

    The paper does not tell the distance of its objects, but how many nodes were visited. The mesh
    is centred at the origin.
    """
    poses = full_turn(steps)
    size = float(np.linalg.norm(np.ptp(mesh.vertices, axis=0)))

    def visited(distance: float) -> float:
        poses[:, 0, 3] = distance
        return impinge.collide(mesh, mesh, poses=poses, method="dop").stats["transforms"] / steps

    distance, step = 1.2 * size, 0.01 * size
    while visited(distance - step) < tumbled and distance > 10 * step:
        distance -= step
    for _ in range(12):
        step /= 2
        if visited(distance - step) < tumbled:
            distance -= step
    poses[:, 0, 3] = distance
    return poses
