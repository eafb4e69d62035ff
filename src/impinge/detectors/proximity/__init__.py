"""Vertices and faces, and edges, that are near each other: what rays are compared with."""

from __future__ import annotations

from sys import float_info
from typing import TYPE_CHECKING

import numpy as np

from impinge import _core
from impinge._options import number
from impinge.detectors.common.skins import raw_contacts, skins_of
from impinge.detectors.protocol import ContactPointsQuery
from impinge.detectors.raw import RawContactPoints

if TYPE_CHECKING:
    from collections.abc import Sequence

    from impinge._shape import Shape

# a quarter: the features next to a vertex on its own surface are then no contacts of it
_SHARE_OF_EDGES = 0.25


class Proximity:
    """Contact points by proximity, ``method="proximity"``: features that are near each other.

    For any bodies. Every vertex and face, and every two edges, that are nearer than the threshold
    are one contact, wherever more faces meet in them; features with a common vertex are none.

    Parameters
    ----------
    threshold : float, optional
        What near means [length]; None is a quarter of the mean length of all edges at rest.

    See Also
    --------
    impinge.contact_points, impinge.detectors.ray.Ray

    Examples
    --------
    >>> import impinge
    >>> import numpy as np
    >>> sheet = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0)])
    >>> method = impinge.detector("proximity", threshold=0.1)
    >>> a, b = (sheet, [(0, 1, 2)]), (sheet + (0.2, 0.2, 0.05), [(0, 1, 2)])
    >>> found = impinge.contact_points(a, b, method=method)
    >>> len(found), found.rest[0].item()
    (3, 0.1)
    """

    name = "proximity"
    capabilities = frozenset({"contact_points", "bodies", "self", "deformable", "open"})

    def __init__(self, *, threshold: float | None = None) -> None:
        expected = "a finite number above 0, or None for a quarter of the mean edge"
        self._threshold = threshold
        if threshold is not None:
            least, most, never = 5e-324, float_info.max, (bool, str)
            self._threshold = number(
                "threshold", threshold, expected, least=least, most=most, never=never
            )

    def contact_points(self, query: ContactPointsQuery) -> RawContactPoints:
        skins, unit = skins_of(query.shapes, query.workers)
        threshold = self._threshold
        if threshold is None:
            threshold = _SHARE_OF_EDGES * _mean_edge(query.rest_shapes)
        columns = _core.proximity_contacts(
            skins,
            query.body_pairs,
            query.self_bodies,
            threshold / unit,
            query.workers,
            query.tick,
        )
        return raw_contacts(columns, threshold, unit)


def _mean_edge(shapes: Sequence[Shape]) -> float:
    """Of all faces of all bodies; an edge of two faces counts twice."""
    total = sum(len(shape.faces) for shape in shapes)
    if total == 0:
        return 0.0
    return sum(len(shape.faces) / total * _mean_edge_of(shape) for shape in shapes)


def _mean_edge_of(shape: Shape) -> float:
    vertices = shape.vertices

    def measure() -> float:
        if len(shape.faces) == 0:
            return 0.0
        corners = vertices[shape.faces]
        sides = np.abs(corners - np.roll(corners, 1, axis=1))
        # by the largest component, so that squares neither overflow nor vanish
        size = sides.max()
        return float(size * np.sqrt(((sides / size) ** 2).sum(axis=2)).mean()) if size else 0.0

    return shape.structures.get("mean_edge", vertices, measure)
