"""Rays from vertices into their own body until they leave the other (Hermann et al. 2008)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from impinge import _core
from impinge._options import choice
from impinge.detectors.common.skins import raw_contacts, skins_of
from impinge.detectors.protocol import ContactPointsQuery, RawContactPoints

if TYPE_CHECKING:
    from impinge._shape import Shape
    from impinge._types import Ints

_ACCELERATORS = {"bvh": False, "octree": True}


class Ray:
    """Contacts of closed bodies that overlap, however deeply.

    A ray goes from every vertex against its normal. Where it leaves another body before its own,
    the vertex and that point are a contact. `accelerator` finds the faces along a ray: "octree",
    made anew whenever a body moves, or "bvh", the tree of boxes, which is refitted; the contacts
    are the same. `symmetric=False` leaves out the rays from the later body of each pair.
    """

    name = "ray"
    capabilities = frozenset({"contact_points", "bodies", "self", "deformable"})

    def __init__(self, *, accelerator: str = "bvh", symmetric: bool = True) -> None:
        self._octree = choice("accelerator", accelerator, _ACCELERATORS)
        self._symmetric = bool(symmetric)

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
        return raw_contacts(columns, 0.0, unit)

    def _in_sight(self, shape: Shape, workers: int) -> Ints:
        """(n,) the face that the ray of each vertex hits first at rest."""

        def build() -> Ints:
            (skin,), _ = skins_of((shape,), workers)
            return _core.faces_in_sight(skin, self._octree, workers)

        return shape.structures.get("in_sight", shape.vertices, build)
