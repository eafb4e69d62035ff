"""Many bodies of one mesh that fly as points do."""

from __future__ import annotations

from itertools import compress
from typing import TYPE_CHECKING

import numpy as np

from impinge.lab.scenes.motion import poses

if TYPE_CHECKING:
    from impinge._types import Bools, Floats
    from impinge.body import Body
    from impinge.mesh import Mesh
    from impinge.scene import Scene


class Particles:
    """Bodies NAME-1, NAME-2, ... of a scene; `places` and `velocities` are (n, 3)."""

    def __init__(self, scene: Scene, mesh: Mesh, name: str) -> None:
        self._scene = scene
        self._mesh = mesh
        self._name = name
        self._emitted = 0
        self.bodies: list[Body] = []
        self.places: Floats = np.zeros((0, 3))
        self.velocities: Floats = np.zeros((0, 3))
        self._turns: Floats = np.zeros((0, 3, 3))

    def __len__(self) -> int:
        return len(self.bodies)

    def emit(self, places: Floats, velocities: Floats, turns: Floats | None = None) -> None:
        """New ones at the end of the scene: (k, 3), (k, 3) and rotations (k, 3, 3)."""
        for _ in range(len(places)):
            self._emitted += 1
            self.bodies.append(self._scene.add(self._mesh, name=f"{self._name}-{self._emitted}"))
        if turns is None:
            turns = np.tile(np.eye(3), (len(places), 1, 1))
        self.places = np.concatenate([self.places, places])
        self.velocities = np.concatenate([self.velocities, velocities])
        self._turns = np.concatenate([self._turns, turns])

    def take(self, chosen: Bools) -> list[Body]:
        """Take the chosen (n,) out of the scene, in their order."""
        taken = list(compress(self.bodies, chosen))
        for body in taken:
            self._scene.remove(body)
        self.bodies = list(compress(self.bodies, ~chosen))
        self.places, self.velocities = self.places[~chosen], self.velocities[~chosen]
        self._turns = self._turns[~chosen]
        return taken

    def move(self, dt: float, *, gravity: float = 0.0) -> None:
        """On for a time `dt`, faster and faster down in z."""
        self.velocities[:, 2] -= gravity * dt
        self.places += dt * self.velocities

    def follow(self) -> None:
        """Let the bodies be where their places are."""
        for body, pose in zip(self.bodies, poses(self._turns, self.places), strict=True):
            body.pose = pose
