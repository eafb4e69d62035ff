"""Which particles of a demo meet which of its fixed bodies: by an image, and in truth."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from impinge.detectors.registry import detector
from impinge.mesh import Mesh
from impinge.rays import raycast
from impinge.scenes.demo import Tally

if TYPE_CHECKING:
    from impinge._types import Bools, Floats, Ints
    from impinge.scene import Scene

TRUTH = "bvh"
Ask = Callable[["Scene"], "Ints"]

# goes along no edge of what is made here
_ASTRAY = np.array([0.382, 0.271, 0.883])


class Meeting:
    """Asks in each frame, and compares with the truth.

    `solids` are the closed meshes of the first bodies of the scene; all others are particles. Only
    pairs of a solid and a particle matter. `method` is "bvh", or that of an image with `options`.
    """

    def __init__(self, solids: Sequence[Mesh], method: str, **options: Any) -> None:
        self._solids = solids
        if method == TRUTH:
            self._ask: Ask = self.truth
        else:
            chosen = detector(method, **options)
            self._ask = lambda scene: scene.overlaps(method=chosen).pairs
        self.frames: list[Tally] = []
        self.true: Ints = np.zeros((0, 2), dtype=np.int32)
        """(k, 2) bodies of the true pairs of the last frame."""

    def pairs(self, scene: Scene, ask: Ask | None = None) -> Ints:
        """(k, 2) solid and particle, by number, of this frame; how true they are is in `frames`."""
        start = time.perf_counter()
        pairs = self.kept((ask or self._ask)(scene))
        asked = time.perf_counter()
        self.true = self.truth(scene)
        judging = time.perf_counter() - asked
        self.frames.append(Tally(*compared(pairs, self.true), asked - start, judging))
        return pairs - (0, len(self._solids))

    def truth(self, scene: Scene) -> Ints:
        """(k, 2) bodies that share a point: surfaces that meet, and particles within a solid."""
        met = self.kept(scene.collide(method=TRUTH, mode="first").bodies)
        inside = [met]
        first = len(self._solids)
        points = np.array([body.world_vertices[0] for body in scene.bodies[first:]])
        for number, solid in enumerate(self._solids):
            within = np.flatnonzero(_inside(points, solid, scene[number].pose)) + first
            inside.append(np.stack([np.full_like(within, number), within], axis=1))
        return np.unique(np.concatenate(inside), axis=0).astype(np.int32)

    def kept(self, pairs: Ints) -> Ints:
        """Those of a solid and a particle."""
        count = len(self._solids)
        return pairs[(pairs[:, 0] < count) & (pairs[:, 1] >= count)]

    def facts(self) -> dict[str, Any]:
        """Sums over all frames so far."""
        columns = np.array([frame[:4] for frame in self.frames], dtype=int).reshape(-1, 4)
        true, found, lost, invented = columns.sum(axis=0).tolist()
        return {"true pairs": true, "found": found, "lost": lost, "invented": invented}


def compared(pairs: Ints, truth: Ints) -> tuple[int, int, int, int]:
    """How many are true, found, lost and invented."""
    found, true = ({*map(tuple, rows.tolist())} for rows in (pairs, truth))
    return len(true), len(true & found), len(true - found), len(found - true)


def _inside(points: Floats, solid: Mesh, pose: Floats) -> Bools:
    """Which of the points (n, 3) are in the solid at its pose."""
    result = np.zeros(len(points), dtype=bool)
    back = np.linalg.inv(pose)
    points = points.reshape(-1, 3) @ back[:3, :3].T + back[:3, 3]
    low, high = solid.bounds
    near = np.flatnonzero(((points > low) & (points < high)).all(axis=1))
    if len(near):
        result[near] = raycast(solid, points[near], _ASTRAY, mode="all").counts % 2 == 1
    return result
