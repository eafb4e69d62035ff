"""Spheres that bounce down a flight of stairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from impinge import _surfaces as surfaces
from impinge.mesh import Mesh
from impinge.report.palette import BODIES, CLASH
from impinge.scene import Scene
from impinge.scenes.demo import FPS, Tally
from impinge.scenes.meeting import Meeting
from impinge.scenes.particles import Particles

if TYPE_CHECKING:
    from impinge._types import Bools, Floats, Ints
    from impinge.body import Body

STEPS = 11
# of a step: run and rise to the next, width; boxes are a little smaller, so that none touch
_RUN, _RISE, _WIDTH = 1.0, 0.5, 4.0
_BOX = (0.97, 4.0, 0.4)
RADIUS = 0.16
_GRAVITY = 9.0
_KEPT = 0.6
"""Share of the vertical speed that is left after a bounce."""
_FILLING = 80
"""Frames after which all spheres are under way."""


class Stairs:
    """Eleven boxes and `count` spheres; a sphere that leaves at the bottom starts again on top."""

    def __init__(
        self,
        *,
        count: int = 50,
        method: str = "cinder",
        resolution: int = 1024,
        seed: int = 1,
        **image: Any,
    ) -> None:
        self.scene = Scene()
        vertices, faces = box(_BOX)
        down = np.array([_RUN, 0.0, -_RISE])
        steps = [Mesh(vertices + k * down, faces) for k in range(STEPS)]
        for number, mesh in enumerate(steps, start=1):
            self.scene.add(mesh, name=f"step-{number}")
        ball, sides = surfaces.sphere(3)
        self.spheres = Particles(self.scene, Mesh(RADIUS * ball, sides), "sphere")
        self.count = count
        self._random = np.random.default_rng(seed)
        self.meeting = Meeting(steps, method, resolution=resolution, **image)
        self._hit: Bools = np.zeros(0, dtype=bool)

    def step(self) -> Tally:
        """Fly, ask who meets a step, bounce."""
        spheres = self.spheres
        spheres.move(1.0 / FPS, gravity=_GRAVITY)
        gone = spheres.places[:, 2] < -STEPS * _RISE - 2.0
        gone |= np.abs(spheres.places[:, 1]) > _WIDTH / 2 + 1.0
        spheres.places[gone], spheres.velocities[gone] = self._start(int(gone.sum()))
        wanted = -(-self.count * (len(self.meeting.frames) + 1) // _FILLING)
        spheres.emit(*self._start(max(min(wanted, self.count) - len(spheres), 0)))
        spheres.follow()
        pairs = self.meeting.pairs(self.scene)
        self._hit = np.zeros(len(spheres), dtype=bool)
        self._hit[pairs[:, 1]] = True
        down = self._hit & (spheres.velocities[:, 2] < 0.0)
        spheres.velocities[down, 2] *= -_KEPT
        return self.meeting.frames[-1]

    def _start(self, count: int) -> tuple[Floats, Floats]:
        """Places over the top step, and velocities that lead down the stairs."""
        random = self._random
        places = random.uniform((-0.4, -1.2, 0.8), (0.3, 1.2, 1.4), size=(count, 3))
        velocities = random.uniform((1.0, -0.3, 0.0), (2.4, 0.3, 1.2), size=(count, 3))
        return places, velocities

    @property
    def bodies(self) -> tuple[Body, ...]:
        return self.scene.bodies

    def colours(self) -> list[Floats]:
        """Red: a sphere that was found on a step in this frame."""
        steps = [np.array(BODIES[4])] * STEPS
        return steps + [np.array(CLASH if hit else BODIES[0]) for hit in self._hit]

    def facts(self) -> dict[str, Any]:
        return {"spheres": len(self.spheres), "steps": STEPS, **self.meeting.facts()}


def box(size: tuple[float, float, float]) -> tuple[Floats, Ints]:
    """A box around the origin, of twelve triangles."""
    corners = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    quads = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    a, b, c, d = np.array(quads).T
    return corners * size, surfaces.split(a, b, c, d).astype(np.int32)
