"""Creatures whose vertices are made on the GPU, with tentacles that feel what they touch."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from impinge.body import Body
from impinge.errors import InputError
from impinge.scene import Scene

if TYPE_CHECKING:
    from impinge._types import Floats
    from impinge.gpu.bodies import GpuBody
    from impinge.lab.scenes.creatures import Creatures
    from impinge.results.collisions import Collisions

# shares of the full length: what is left of a tentacle, and its change in a frame
LEAST = 0.25
_RETRACT = 0.25
_GROW = 0.05


class LiveCreatures:
    """`crowd` as a scene of GPU bodies: in each frame `advance(t)`, ask `scene`, `feel(hits)`.

    The CPU knows no vertex of them. What it knows of a collision are the faces that collided, and
    the parts that were read back with them: these tentacles retract in the frames after.
    """

    def __init__(self, crowd: Creatures) -> None:
        self.crowd = crowd
        self.scene = Scene()
        self._bodies: list[GpuBody] = []
        self.growth: Floats = np.ones(len(crowd.owner))
        """(p,) share of its full length that each part has."""
        owner = crowd.owner[crowd.part]
        bodies = range(crowd.bodies + 1)
        # parts, vertices and faces of a body follow each other
        self._first_part = crowd.owner.searchsorted(bodies)
        vertices = owner.searchsorted(bodies)
        faces = owner[crowd.faces[:, 0]].searchsorted(bodies)
        text = Path(__file__).with_name("creatures.wgsl").read_text(encoding="utf-8")
        for body in range(crowd.bodies):
            own = slice(*vertices[body : body + 2])
            shuttle = body - crowd.creatures
            made = Body.from_shader(
                text,
                crowd.faces[slice(*faces[body : body + 2])] - np.int32(own.start),
                rest=crowd.rest[own],
                parts=crowd.part[own] - self._first_part[body],
                name=f"creature-{body + 1}" if shuttle < 0 else f"shuttle-{shuttle + 1}",
            )
            self.scene.add(made)
            self._bodies.append(made)
        self.advance(0.0)

    def advance(self, t: float) -> None:
        """Time goes on; tentacles that felt nothing grow a little."""
        parts, crowd = self.crowd.parts, self.crowd
        columns = (parts.root, parts.length, parts.axis, parts.bend, parts.side, parts.phase)
        table = np.column_stack([*columns, crowd.offsets(t), self.growth])
        for index, body in enumerate(self._bodies):
            body.time = t
            body.parameters = table[slice(*self._first_part[index : index + 2])]

    def feel(self, hits: Collisions) -> None:
        """Tentacles with a colliding face become shorter, all others longer again."""
        if hits.parts is None:
            raise InputError("feel needs a result about these bodies, with their parts")
        touched = np.zeros(len(self.growth), dtype=bool)
        touched[self._first_part[hits.bodies] + hits.parts] = True
        change = np.where(touched, -_RETRACT, _GROW)
        tentacle = self.crowd.parts.bend > 0
        self.growth = np.where(tentacle, np.clip(self.growth + change, LEAST, 1.0), 1.0)
