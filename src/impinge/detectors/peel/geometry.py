"""All bodies of a query in one: snapped vertices and the faces that are sampled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from impinge import _core
from impinge.detectors.common.closed import is_closed
from impinge.detectors.image.geometry import Geometry
from impinge.detectors.image.view import View

if TYPE_CHECKING:
    from impinge._types import Floats
    from impinge.detectors.peel.options import PeelOptions
    from impinge.detectors.protocol import SceneQuery


_SKEW = np.array([0.23, 0.31, 0.92])
"""The last number is along the shortest side of the scene."""


def view_of(query: SceneQuery, options: PeelOptions) -> View:
    """The view that all bodies are seen in."""
    count = sum(len(shape.faces) for shape in query.shapes)
    vertices, faces = _arrays(query)
    points = _core.bounds_of_bodies(vertices, faces, query.workers) if count else np.zeros((0, 3))
    return View.fit(points, options.resolution_for(count), direction_of(points, options))


def direction_of(points: Floats, options: PeelOptions) -> Floats | None:
    """Rays miss surfaces that they run along: by default they are askew to all axes."""
    if options.direction is not None or options.conservative or not len(points):
        return options.direction
    return np.roll(_SKEW, int(np.argmin(np.ptp(points, axis=0))) - 2)


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
