"""Spheres that bounce off a body, by the normals that the image holds."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from impinge import _surfaces as surfaces
from impinge.lab.scenes import figure as figures
from impinge.lab.scenes.particle_hits import TRUTH, ParticleHits, image_detector
from impinge.lab.scenes.particle_run import FPS, GREY, Tally
from impinge.lab.scenes.particles import Particles
from impinge.mesh import Mesh
from impinge.scene import Scene

if TYPE_CHECKING:
    from impinge._types import Floats, Ints
    from impinge.body import Body
    from impinge.detectors.protocol import Detector

RADIUS = 0.15
_GRAVITY = 3.0
_KEPT = 0.7
"""Share of the speed along the normal that is left after a bounce."""


class Bounce:
    """`count` spheres that rain on a body; one that falls past it starts again above."""

    def __init__(
        self,
        *,
        count: int = 30,
        method: str | Detector = "cinder",
        resolution: int = 1024,
        seed: int = 1,
        data: str | os.PathLike[str] | None = None,
        **image: Any,
    ) -> None:
        vertices, faces, self.figure = figures.body(data)
        self.scene = Scene()
        self._low, self._high = (float(f(vertices[:, 2])) for f in (np.min, np.max))
        corners = vertices[faces]
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        self._normals: Floats = normals / np.linalg.norm(normals, axis=1)[:, None]
        ball, sides = surfaces.sphere(4)
        self.spheres = Particles(self.scene, Mesh(RADIUS * ball, sides), "sphere")
        self._random = np.random.default_rng(seed)
        self.spheres.emit(*self._start(count))
        self.spheres.places[:, 2] += self._random.uniform(0.0, 2.0, count)
        # drawn last, its edges are not hidden by those of the spheres, which have no normals
        body = self.scene.add(vertices, faces, name="body")
        self._colours: Floats = np.tile(GREY, (count, 1))
        # the sum of the normals each sphere met in this frame
        self._met: Floats = np.zeros((count, 3))
        self.meeting = ParticleHits({body: body.mesh}, TRUTH)
        options = {"resolution": resolution, "payload": "normals", "reference": count}
        self._options = {**options, **image}
        self._image: Detector | None = None
        self.use(method)

    def use(self, method: str | Detector) -> None:
        """Ask this one from now on: an image, or "bvh"."""
        self._image = image_detector(method, **self._options)

    def step(self) -> Tally:
        """Fly, ask who meets the body and with which normal, bounce."""
        spheres = self.spheres
        spheres.move(1.0 / FPS, gravity=_GRAVITY)
        gone = spheres.places[:, 2] < self._low - 0.3
        gone |= np.abs(spheres.places[:, :2]).max(axis=1) > 1.9
        spheres.places[gone], spheres.velocities[gone] = self._start(int(gone.sum()))
        spheres.follow()
        self._met = np.zeros_like(self._met)
        self.meeting.pairs(self.scene, self._by_image if self._image else self._by_faces)
        length = np.linalg.norm(self._met, axis=1)
        hit = length > 0.0
        normals = self._met[hit] / length[hit, None]
        self._colours[~hit] += 0.08 * (np.array(GREY) - self._colours[~hit])
        self._colours[hit] = colours(normals) / 255.0
        spheres.velocities[hit] = bounced(spheres.velocities[hit], normals, kept=_KEPT)
        return self.meeting.frames[-1]

    def _by_faces(self, scene: Scene) -> Ints:
        """The normals of the faces of the body that a sphere meets."""
        hits = scene.collide(method=TRUTH)
        on_body = hits.bodies[:, 1] == len(self.spheres)
        sphere, face = hits.bodies[on_body, 0], hits.pairs[on_body, 1]
        np.add.at(self._met, sphere, self._normals[face])
        return hits.bodies

    def _by_image(self, scene: Scene) -> Ints:
        """The normals of the edges of the body that are in a sphere, as the image holds them."""
        assert self._image is not None
        found = scene.overlaps(method=self._image)
        assert found.normals is not None
        self._met[found.pairs[:, 0]] = found.normals
        return found.pairs

    def _start(self, count: int) -> tuple[Floats, Floats]:
        """Places above the body, and velocities."""
        random, high = self._random, self._high
        places = random.uniform((-0.8, -0.7, high + 0.4), (0.8, 0.7, high + 1.0), size=(count, 3))
        return places, random.uniform((-0.4, -0.4, -1.0), (0.4, 0.4, 0.0), size=(count, 3))

    @property
    def bodies(self) -> tuple[Body, ...]:
        return self.scene.bodies

    def colours(self) -> list[Floats]:
        """The body in the colours of its normals, spheres in that of the normal they met last."""
        return [*self._colours, colours(self._normals) / 255.0]

    def facts(self) -> dict[str, Any]:
        return {"body": self.figure, "spheres": len(self.spheres), **self.meeting.facts()}


def colours(normals: Floats) -> Floats:
    """(n, 3) whole numbers from 0 to 255 for unit normals: none of them is black."""
    return np.round(255.0 * (normals + 1.0) / 2.0)


def bounced(velocities: Floats, normals: Floats, *, kept: float) -> Floats:
    """Velocities (n, 3) after meeting planes of unit normals; those that move away are kept."""
    into = np.minimum(np.einsum("nk,nk->n", velocities, normals), 0.0)
    return np.asarray(velocities - (1.0 + kept) * into[:, None] * normals)
