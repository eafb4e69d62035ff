"""A result made ready to be looked at, once for all its pictures and pages."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from impinge.errors import InputError
from impinge.render.bodies import ShownBodies, bounds_of
from impinge.render.picture.surface import DrawnMesh, drawn_mesh
from impinge.results.collisions import Kind

if TYPE_CHECKING:
    from impinge._types import Bools, Floats
    from impinge.render.palette import Colour
    from impinge.results.clashes import Clash
    from impinge.results.collisions import Collisions


@dataclass(frozen=True, eq=False)
class Drawing:
    """The bodies as they were when the result was found, with the faces and curves that clash."""

    hits: Collisions
    up: str = "z"

    def __post_init__(self) -> None:
        if self.hits.pose is not None:
            raise InputError(
                "hits: a picture, report or view shows one pose, this result has many; "
                "set the pose of the body and ask scene.collide()"
            )

    @cached_property
    def clashes(self) -> list[Clash]:
        """Body pairs that cross."""
        return [clash for clash in self.hits.clashes if clash.crosses]

    @cached_property
    def contacts(self) -> list[Clash]:
        """Body pairs that only touch."""
        return [clash for clash in self.hits.clashes if not clash.crosses]

    @property
    def numbered(self) -> list[tuple[int, Clash]]:
        """Clashes first, then contacts: the numbers of the report and of the viewer."""
        return list(enumerate([*self.clashes, *self.contacts], 1))

    @cached_property
    def bodies(self) -> ShownBodies:
        """Two bodies that clash have different colours."""
        clashing = [clash.bodies for clash in self.clashes]
        return ShownBodies.of(
            self.hits.names, self.hits._origin.shapes, up=self.up, clashing=clashing
        )

    @property
    def colours(self) -> tuple[Colour, ...]:
        return self.bodies.colours

    @cached_property
    def meshes(self) -> tuple[DrawnMesh, ...]:
        shapes = self.hits._origin.shapes
        return tuple(drawn_mesh(shape.vertices, shape.faces) for shape in shapes)

    @cached_property
    def crossing(self) -> Bools:
        """(n,) which rows of the result cross."""
        return np.asarray(self.hits.kinds == Kind.CROSSING)

    @cached_property
    def clashing(self) -> tuple[Bools, ...]:
        """Per body, (faces,): the face crosses another."""
        return self.hits._crossing_faces()

    @cached_property
    def bounds(self) -> Floats:
        """(2, 3) box of all bodies."""
        return bounds_of(self.hits._origin.shapes)

    @property
    def diagonal(self) -> float:
        return float(np.linalg.norm(self.bounds[1] - self.bounds[0]))

    def extent(self, body: int) -> float:
        """The diagonal of the box of one body."""
        low, high = bounds_of([self.hits._origin.shapes[body]])
        return float(np.linalg.norm(high - low))

    def curve(self, clash: Clash) -> Floats:
        """(k, 2, 3) segments in which two bodies cross."""
        return np.asarray(self.hits.segments[clash.rows[self.crossing[clash.rows]]])
