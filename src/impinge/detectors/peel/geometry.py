"""All bodies of a query in one: snapped vertices and the faces that are sampled."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from impinge import _core
from impinge.detectors.peel.view import View

if TYPE_CHECKING:
    from impinge._shape import Shape
    from impinge._types import Bools, Ints
    from impinge.detectors.peel.options import PeelOptions
    from impinge.detectors.protocol import SceneQuery


@dataclass(frozen=True, eq=False)
class Geometry:
    """What is sampled. The id of a triangle is its row in `faces`; ids rise with body and face."""

    snapped: Ints
    """(n, 3) vertices of all bodies, see `View.snap`."""
    faces: Ints
    """(m, 3) rows of `snapped`; equal vertices of a body that is `alone` have one row."""
    body: Ints
    """(m,) body of each face."""
    face: Ints
    """(m,) its id within the body."""
    closed: Bools
    """Per body: every edge is used once in each direction. False when nobody asks."""
    alone: Bools
    """Per body: whether it is checked against itself."""

    _seen: dict[int, _core.Seen] = field(default_factory=dict, init=False, repr=False)

    def seen(self, resolution: int) -> _core.Seen:
        """As the native stages take it, checked once."""
        if resolution not in self._seen:
            self._seen[resolution] = self._checked(resolution)
        return self._seen[resolution]

    def _checked(self, resolution: int) -> _core.Seen:
        return _core.Seen(self.snapped, self.faces, self.body, self.closed, self.alone, resolution)


def view_of(query: SceneQuery, options: PeelOptions) -> View:
    """The view that all bodies are seen in."""
    count = sum(len(shape.faces) for shape in query.shapes)
    vertices, faces = _arrays(query)
    points = _core.bounds_of_bodies(vertices, faces, query.workers) if count else np.zeros((0, 3))
    return View.fit(points, options.resolution_for(count), options.direction)


def geometry_of(
    query: SceneQuery, view: View, options: PeelOptions, *, whole: bool = False
) -> Geometry:
    """The bodies of the query as they are seen.

    Conservative sampling looks for two triangles at one place, so it leaves out faces that are far
    from all other bodies; the layers along a ray must be complete. `whole` keeps all faces.
    """
    alone = np.zeros(len(query.shapes), dtype=bool)
    alone[query.self_bodies] = True
    closed = np.zeros(len(query.shapes), dtype=bool)
    if not options.conservative:
        closed[:] = [is_closed(shape, query.workers) for shape in query.shapes]
    snapped, faces, body, face = _core.gather(
        *_arrays(query),
        alone,
        view.centre,
        view.frame,
        view.scales,
        view.resolution,
        options.conservative and not whole,
        query.workers,
    )
    return Geometry(snapped, faces, body, face, closed, alone)


def _arrays(query: SceneQuery) -> tuple[list[np.ndarray], list[np.ndarray]]:
    return [shape.vertices for shape in query.shapes], [shape.faces for shape in query.shapes]


def is_closed(shape: Shape, workers: int = 0) -> bool:
    """Whether every edge is used once in each direction; kept for the next query."""
    return shape.local_structures.get(
        "closed", shape.local, lambda: _core.is_closed(shape.local, shape.faces, workers)
    )
