"""Which particles of a demo meet which of its fixed bodies: by an image, and in truth."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from impinge.detectors.registry import detector
from impinge.lab.scenes.particle_run import Tally
from impinge.mesh import Mesh
from impinge.queries.raycast import raycast

if TYPE_CHECKING:
    from impinge._types import Bools, Floats, Ints
    from impinge.body import Body
    from impinge.detectors.cinder import Cinder
    from impinge.detectors.protocol import Detector
    from impinge.scene import Scene

TRUTH = "bvh"
Ask = Callable[["Scene"], "Ints"]

# goes along no edge of what is made here
_ASTRAY = np.array([0.382, 0.271, 0.883])


def image_detector(method: str | Detector, **options: Any) -> Detector | None:
    """One that looks at an image, with these options and on the device of `method`; None: bvh."""
    if isinstance(method, str):
        return None if method == TRUTH else detector(method, **options)
    if method.name == TRUTH:
        return None
    device = cast("Cinder", method).options.device
    return detector(method.name, **{**options, "device": device})


class ParticleHits:
    """Asks in each frame, and compares with the truth.

    `solids` are bodies of the scene with their closed meshes; all others are particles. Only pairs
    of a solid and a particle matter. `method` is "bvh", or that of an image with `options`.
    """

    def __init__(self, solids: Mapping[Body, Mesh], method: str | Detector, **options: Any) -> None:
        self._solids = solids
        self._options = options
        self._image: Detector | None = None
        self.use(method)
        self.frames: list[Tally] = []
        self.warnings: tuple[str, ...] = ()
        """Of the last frame."""
        self.true: Ints = np.zeros((0, 2), dtype=np.int32)
        """(k, 2) true pairs of the last frame, as those of `pairs`."""

    def use(self, method: str | Detector) -> None:
        """Ask this one from now on."""
        self._image = image_detector(method, **self._options)

    def pairs(self, scene: Scene, ask: Ask | None = None) -> Ints:
        """(k, 2) solid and particle, counted separately; how true they are is in `frames`."""
        start = time.perf_counter()
        found = (ask or self._ask)(scene)
        asked = time.perf_counter()
        pairs = self.numbered(scene, found)
        self.true = self.numbered(scene, self._truth(scene))
        judging = time.perf_counter() - asked
        self.frames.append(Tally(*compared(pairs, self.true), asked - start, judging))
        return pairs

    def _ask(self, scene: Scene) -> Ints:
        if self._image is None:
            return self._truth(scene)
        found = scene.overlaps(method=self._image)
        self.warnings = found.warnings
        return found.pairs

    def numbered(self, scene: Scene, pairs: Ints) -> Ints:
        """Solid and particle of those pairs (k, 2) of bodies that have one of each; sorted."""
        solid = self._is_solid(scene)
        number = np.where(solid, np.cumsum(solid), np.cumsum(~solid)) - 1
        mixed = pairs[solid[pairs[:, 0]] != solid[pairs[:, 1]]]
        first = solid[mixed[:, :1]]
        rows = number[np.where(first, mixed, mixed[:, ::-1])]
        return np.unique(rows, axis=0).astype(np.int32)

    def _truth(self, scene: Scene) -> Ints:
        """(k, 2) bodies that share a point: surfaces that meet, and particles within a solid."""
        bodies = scene.bodies
        result = [scene.collide(method=TRUTH, mode="first").bodies]
        particles = np.flatnonzero(~self._is_solid(scene))
        points = np.array([bodies[k].world_vertices[0] for k in particles]).reshape(-1, 3)
        for body, closed in self._solids.items():
            within = particles[_inside(points, closed, body.pose)]
            rows = np.stack([np.full_like(within, bodies.index(body)), within], axis=1)
            result.append(np.sort(rows, axis=1))
        return np.concatenate(result).astype(np.int32)

    def _is_solid(self, scene: Scene) -> Bools:
        return np.array([body in self._solids for body in scene.bodies], dtype=bool)

    def facts(self) -> dict[str, Any]:
        """Sums over all frames so far."""
        columns = np.array([frame[:4] for frame in self.frames], dtype=int).reshape(-1, 4)
        true, found, lost, invented = columns.sum(axis=0).tolist()
        counts = {"true pairs": true, "found": found, "lost": lost, "invented": invented}
        return {**counts, "warnings": "; ".join(self.warnings)} if self.warnings else counts


def compared(pairs: Ints, truth: Ints) -> tuple[int, int, int, int]:
    """How many are true, found, lost and invented."""
    found, true = ({*map(tuple, rows.tolist())} for rows in (pairs, truth))
    return len(true), len(true & found), len(true - found), len(found - true)


def _inside(points: Floats, solid: Mesh, pose: Floats) -> Bools:
    """Which of the points (n, 3) are in the solid at its pose."""
    result = np.zeros(len(points), dtype=bool)
    back = np.linalg.inv(pose)
    points = points @ back[:3, :3].T + back[:3, 3]
    low, high = solid.bounds
    near = np.flatnonzero(((points > low) & (points < high)).all(axis=1))
    if len(near):
        result[near] = raycast(solid, points[near], _ASTRAY, mode="all").counts % 2 == 1
    return result
