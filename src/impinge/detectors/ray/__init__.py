"""Rays from vertices into their own body until they leave the other (Hermann et al. 2008)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from impinge import _core
from impinge._options import checked_bool, choice
from impinge.detectors.common.skins import raw_contacts, skins_of
from impinge.detectors.protocol import ContactPointsQuery
from impinge.detectors.raw import RawContactPoints

if TYPE_CHECKING:
    from impinge._shape import Shape
    from impinge._types import Ints

_ACCELERATORS = {"bvh": False, "octree": True}


class Ray:
    """Contact points by inward rays, ``method="ray"`` (Hermann, Faure and Raffin 2008).

    For closed bodies that overlap, however deeply. A ray goes from every vertex against its normal;
    where it leaves another body before its own, the vertex and that point are a contact. Bodies
    that cross with edges alone, or within a face, may have none, so `ContactPoints.complete` is
    True only where no two boxes of bodies meet.

    Parameters
    ----------
    accelerator : {"bvh", "octree"}
        What finds the faces along a ray: "bvh" is refitted when a body moves, "octree" made anew.
        The contacts are the same.
    symmetric : bool, default True
        False leaves out the rays from the later body of each pair.

    See Also
    --------
    impinge.contact_points, impinge.detectors.proximity.Proximity

    Examples
    --------
    >>> import impinge
    >>> import numpy as np
    >>> vertices = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
    >>> faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    >>> method = impinge.detector("ray", accelerator="octree")
    >>> impinge.contact_points((vertices, faces), (vertices + 0.2, faces), method=method)
    ContactPoints(1 contact point)
    """

    name = "ray"
    capabilities = frozenset({"contact_points", "bodies", "self", "deformable"})

    def __init__(self, *, accelerator: str = "bvh", symmetric: bool = True) -> None:
        self._octree = choice("accelerator", accelerator, _ACCELERATORS)
        self._symmetric = checked_bool("symmetric", symmetric)

    def contact_points(self, query: ContactPointsQuery) -> RawContactPoints:
        skins, unit = skins_of(query.shapes, query.workers)
        rest = [self._in_sight(query.rest_shapes[i], query.workers) for i in query.self_bodies]
        columns = _core.ray_contacts(
            skins,
            query.body_pairs,
            query.self_bodies,
            rest,
            self._octree,
            self._symmetric,
            query.workers,
            query.tick,
        )
        raw = raw_contacts(columns, 0.0, unit)
        # rays start from vertices: what crosses with edges alone, or within a face, may have none
        apart = not raw.counters["broad_pairs"] and not len(query.self_bodies)
        return raw._replace(complete=apart)

    def _in_sight(self, shape: Shape, workers: int) -> Ints:
        """(n,) the face that the ray of each vertex hits first at rest."""

        def build() -> Ints:
            (skin,), _ = skins_of((shape,), workers)
            return _core.faces_in_sight(skin, self._octree, workers)

        return shape.structures.get("in_sight", shape.vertices, build)
