"""Snow that falls on a body and on the floor, and stays there."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from impinge import _surfaces as surfaces
from impinge.detectors.cinder.view import View
from impinge.lab.scenes.figure import body, without_bottom
from impinge.lab.scenes.motion import poses, rotations, spinning
from impinge.lab.scenes.particle_hits import ParticleHits
from impinge.lab.scenes.particle_run import BLUE, FPS, Tally
from impinge.lab.scenes.particles import Particles
from impinge.mesh import Mesh
from impinge.scene import Scene

if TYPE_CHECKING:
    from impinge._types import Floats, Ints
    from impinge.body import Body
    from impinge.detectors.protocol import Detector

_VIEW = View.orthographic((0.0, 0.0, -1.0))
# rays that enter the body and leave through its bottom, then meet flakes behind it
_THROUGH = View.orthographic((1.0, 0.35, -0.6))
_LIFTED = 0.6
_UP = (0.0, 0.0, 1.0)
_SIDE = 4.4
_FLAKE = 0.05
_ENLARGED = 1.8
_TOP = 1.2
"""How far over the body the flakes begin."""


class Snow:
    """`count` flakes in the air over a body that turns by `spin` degrees a second.

    A flake that meets the body or the floor sticks to it, enlarged, in the list `stuck`, which is
    not looked at any more; another one starts in its place. `hole` leaves the bottom of the body
    open, lifts it up and looks through it: rays that leave there count wrongly.
    """

    def __init__(
        self,
        *,
        count: int = 200,
        method: str | Detector = "cinder",
        resolution: int = 1024,
        seed: int = 1,
        spin: float = 20.0,
        hole: bool = False,
        data: str | os.PathLike[str] | None = None,
        **image: Any,
    ) -> None:
        vertices, faces, self.figure = body(data)
        low, self._high = vertices[:, 2].min(), float(vertices[:, 2].max()) + _TOP
        self.scene = Scene()
        closed = Mesh(vertices, faces)
        shown = Mesh(vertices, without_bottom(vertices, faces)) if hole else closed
        plate, sides = surfaces.box((_SIDE, _SIDE, 0.2))
        under = low - 0.12 - (_LIFTED if hole else 0.0)
        floor = Mesh(plate + np.array([0.0, 0.0, under]), sides)
        solids = {
            self.scene.add(shown, name="body"): closed,
            self.scene.add(floor, name="floor"): floor,
        }
        self.spin = spin
        self.flakes = Particles(self.scene, Mesh(*flake(_FLAKE)), "flake")
        self.stuck: list[Body] = []
        self._carried: list[tuple[Body, Floats]] = []
        """Those on the body, and where on it."""
        self._random = np.random.default_rng(seed)
        self.meeting = ParticleHits(
            solids,
            method,
            **{"resolution": resolution, "views": _THROUGH if hole else _VIEW, **image},
        )
        self._emit(count, low=float(low) + 0.5)

    def use(self, method: str | Detector) -> None:
        """Ask this one from now on: an image, or "bvh"."""
        self.meeting.use(method)

    def step(self) -> Tally:
        """Fall and turn, ask who meets whom, stick."""
        angle = np.radians(self.spin) * (len(self.meeting.frames) + 1) / FPS
        turn = poses(spinning(np.array([_UP]), np.array([angle])), np.zeros((1, 3)))[0]
        self.scene["body"].pose = turn
        for one, place in self._carried:
            one.pose = turn @ place
        self.flakes.move(1.0 / FPS)
        self.flakes.follow()
        pairs = self.meeting.pairs(self.scene)
        self._stick(pairs, turn)
        return self.meeting.frames[-1]

    def _stick(self, pairs: Ints, turn: Floats) -> None:
        met = np.zeros(len(self.flakes), dtype=bool)
        met[pairs[:, 1]] = True
        on_body = np.zeros_like(met)
        on_body[pairs[pairs[:, 0] == 0, 1]] = True
        back = np.linalg.inv(turn)
        for one, carried in zip(self.flakes.take(met), on_body[met].tolist(), strict=True):
            one.pose = one.pose @ np.diag([_ENLARGED] * 3 + [1.0])
            self.stuck.append(one)
            if carried:
                self._carried.append((one, back @ one.pose))
        # what fell past everything is of no use any more
        past = self.flakes.take(self.flakes.places[:, 2] < -3.0)
        self._emit(int(met.sum()) + len(past), low=self._high - 0.1)

    def _emit(self, count: int, *, low: float) -> None:
        random, half = self._random, _SIDE / 2 - 0.1
        places = random.uniform((-half, -half, low), (half, half, self._high), size=(count, 3))
        # none starts within the body
        places[np.linalg.norm(places, axis=1) < 1.6, 2] = self._high - 0.3
        speeds = random.uniform((-0.12, -0.12, -1.2), (0.12, 0.12, -0.8), size=(count, 3))
        self.flakes.emit(places, speeds, rotations(random, count))

    @property
    def bodies(self) -> tuple[Body, ...]:
        return (*self.scene.bodies, *self.stuck)

    def colours(self) -> list[Floats]:
        """The body is brown, the floor blue, flakes are white where they stick."""
        white, falling = np.array((0.98, 0.98, 1.0)), np.array((0.72, 0.78, 0.86))
        fixed = [np.array((0.72, 0.56, 0.42)), np.array(BLUE)]
        return [*fixed, *[falling] * len(self.flakes), *[white] * len(self.stuck)]

    def facts(self) -> dict[str, Any]:
        return {
            "body": self.figure,
            "flakes in the air": len(self.flakes),
            "stuck": len(self.stuck),
            **self.meeting.facts(),
        }


def flake(size: float) -> tuple[Floats, Ints]:
    """A triangular bipyramid: five vertices, six triangles, closed."""
    angles = np.arange(3) * (2 * np.pi / 3)
    rim = np.stack([np.cos(angles), np.sin(angles), np.zeros(3)], axis=1)
    tips = np.array([[0.0, 0.0, 0.7], [0.0, 0.0, -0.7]])
    faces = [[k, (k + 1) % 3, 3] for k in range(3)] + [[(k + 1) % 3, k, 4] for k in range(3)]
    return size * np.concatenate([rim, tips]), np.array(faces, dtype=np.int32)
