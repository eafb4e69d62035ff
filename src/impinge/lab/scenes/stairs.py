"""Spheres that bounce down a flight of stairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from impinge import _surfaces as surfaces
from impinge.detectors.cinder.view import View
from impinge.detectors.image.view import frame_of
from impinge.lab.scenes.particle_hits import ParticleHits
from impinge.lab.scenes.particle_run import BLUE, FPS, GREY, RED, Tally
from impinge.lab.scenes.particles import Particles
from impinge.mesh import Mesh
from impinge.scene import Scene

if TYPE_CHECKING:
    from impinge._types import Bools, Floats, Ints
    from impinge.body import Body
    from impinge.detectors.protocol import Detector

STEPS = 11
# of a step: run and rise to the next; boxes are a little smaller, so that none touch
_RUN, _RISE = 1.0, 0.5
_BOX = (0.97, 4.0, 0.4)
RADIUS = 0.18
_GRAVITY = 12.0
_SPEED = 1.71
"""Along the stairs: from the middle of one step to about that of the next."""
_KEPT = 0.7
"""Share of the vertical speed that is left after a bounce."""
_DIRECTIONS = ((0.0, 0.0, -1.0), (-1.0, 0.0, -1.0), (-1.0, 0.0, 0.0))
_FILLING = 80
"""Frames after which all spheres are under way."""


class Stairs:
    """Eleven boxes and `count` spheres; a sphere that leaves at the bottom starts again on top."""

    def __init__(
        self,
        *,
        count: int = 50,
        method: str | Detector = "cinder",
        resolution: int = 1024,
        seed: int = 1,
        **image: Any,
    ) -> None:
        self.scene = Scene()
        vertices, faces = surfaces.box(_BOX)
        down = np.array([_RUN, 0.0, -_RISE])
        steps = [Mesh(vertices + k * down, faces) for k in range(STEPS)]
        self._steps = [
            self.scene.add(mesh, name=f"step-{number}")
            for number, mesh in enumerate(steps, start=1)
        ]
        self.spheres = Particles(self.scene, Mesh(*_ball()), "sphere")
        self.count = count
        self._random = np.random.default_rng(seed)
        self.meeting = ParticleHits(
            dict(zip(self._steps, steps, strict=True)),
            method,
            **{"resolution": resolution, "views": views(), **image},
        )
        self._hit: Bools = np.zeros(0, dtype=bool)

    def use(self, method: str | Detector) -> None:
        """Ask this one from now on: an image, or "bvh"."""
        self.meeting.use(method)

    def step(self) -> Tally:
        """Fly, ask who meets a step, bounce."""
        spheres = self.spheres
        spheres.move(1.0 / FPS, gravity=_GRAVITY)
        gone = spheres.places[:, 0] > STEPS * _RUN
        spheres.places[gone], spheres.velocities[gone] = self._start(int(gone.sum()))
        wanted = -(-self.count * (len(self.meeting.frames) + 1) // _FILLING)
        self._emit(max(min(wanted, self.count) - len(spheres), 0))
        spheres.follow()
        pairs = self.meeting.pairs(self.scene)
        self._hit = np.zeros(len(spheres), dtype=bool)
        self._hit[pairs[:, 1]] = True
        down = self._hit & (spheres.velocities[:, 2] < 0.0)
        spheres.velocities[down, 2] *= -_KEPT
        return self.meeting.frames[-1]

    def _emit(self, count: int) -> None:
        if count:
            self.spheres.emit(*self._start(count))
            # drawn last, the few edges of the steps are not hidden by the many of the spheres
            for step in self._steps:
                self.scene.add(self.scene.remove(step))

    def _start(self, count: int) -> tuple[Floats, Floats]:
        """Places over the top step, and velocities that lead down the stairs."""
        random = self._random
        places = random.uniform((-0.86, -1.5, 1.25), (-0.7, 1.5, 1.4), size=(count, 3))
        velocities = random.uniform((-0.03, -0.05, -0.3), (0.03, 0.05, 0.3), size=(count, 3))
        velocities[:, 0] += _SPEED
        return places, velocities

    @property
    def bodies(self) -> tuple[Body, ...]:
        return self.scene.bodies

    def colours(self) -> list[Floats]:
        """Red: a sphere that was found on a step in this frame."""
        spheres = [np.array(RED if hit else BLUE) for hit in self._hit]
        return [*spheres, *[np.array(GREY)] * STEPS]

    def facts(self) -> dict[str, Any]:
        return {"spheres": len(self.spheres), "steps": STEPS, **self.meeting.facts()}


def views() -> tuple[View, ...]:
    """From above, and from the foot of the stairs: a sphere at the rim of a step shows in one."""
    return tuple(View.orthographic(direction) for direction in _DIRECTIONS)


def _ball() -> tuple[Floats, Ints]:
    """A sphere that stands on a face: seen from above, its edges show the slightest contact."""
    points, faces = surfaces.sphere(2)
    # of the twenty sides of the icosahedron the first one
    toward = points[faces[: len(faces) // 20]].mean(axis=(0, 1))
    return RADIUS * points @ frame_of(toward, None).T, faces
