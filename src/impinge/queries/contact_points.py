"""Where bodies press into each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from impinge.body import bodies_of
from impinge.detectors.protocol import NO_BODIES, ContactPointsQuery
from impinge.detectors.registry import require
from impinge.queries.outward import outward_shapes
from impinge.queries.path import answer, checked, two_meshes
from impinge.queries.plan import BodySet, check_here, needs

if TYPE_CHECKING:
    from impinge._types import Progress
    from impinge.detectors.protocol import ContactPointDetector, Detector
    from impinge.queries.path import Options
    from impinge.results.contact_points import ContactPoints


def contact_points(
    a: object,
    b: object,
    *,
    method: str | Detector = "ray",
    workers: int | None = None,
    progress: Progress | None = None,
) -> ContactPoints:
    """Contact points of two meshes: pairs of points, one on each, that a force joins.

    Parameters
    ----------
    a, b : mesh-like
        See `Mesh.of`.
    method : {"ray", "proximity"} or Detector
        "ray" takes closed meshes that overlap, however deeply, and turns shells that are inside
        out; "proximity" any meshes that are near each other. An instance made by
        `impinge.detector` has options.
    workers, progress
        As for `impinge.collide`.

    Returns
    -------
    ContactPoints

    Raises
    ------
    CapabilityError
        The method needs closed meshes, and one is open, or which side of it is the inside cannot be
        told.

    See Also
    --------
    impinge.Scene.contact_points : More than two bodies, or a body with itself.
    impinge.respond.penalty_forces : Forces from contact points.

    Examples
    --------
    >>> import impinge
    >>> import numpy as np
    >>> vertices = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
    >>> faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    >>> found = impinge.contact_points((vertices, faces), (vertices + 0.2, faces))
    >>> found
    ContactPoints(1 contact point)
    >>> found.points[0].round(3).tolist()
    [[0.2, 0.2, 0.2], [0.333, 0.333, 0.333]]
    """
    bodies = BodySet(bodies_of(two_meshes(a, b)))
    return contact_points_of(bodies, checked(method, workers=workers, progress=progress))


def contact_points_of(
    bodies: BodySet, options: Options, self_collision: bool = False
) -> ContactPoints:
    """The question of `Scene.contact_points`."""
    from impinge.results.contact_points import ContactPoints

    check_here(bodies, "contacts")
    chosen = options.detector
    shapes = bodies.shapes()
    rest = tuple(body.mesh._shape for body in bodies.bodies)
    alone = bodies.alone if self_collision else NO_BODIES
    query = ContactPointsQuery(
        shapes, rest, bodies.names, bodies.body_pairs, alone, options.workers, options.tick
    )
    require(chosen, ("contact_points", *needs(query)))
    told: tuple[str, ...] = ()
    if "open" not in chosen.capabilities:
        outward, rest, told = outward_shapes(chosen.name, bodies.bodies, shapes)
        query = query._replace(shapes=outward, rest_shapes=rest)
    able = cast("ContactPointDetector", chosen)
    raw = answer(able.contact_points, query, bodies.ignored)
    columns = raw._asdict()
    origin = bodies.origin(chosen.name, columns.pop("counters"), shapes)
    if not self_collision:
        columns["suspicious"] = None
    columns["warnings"] = told + raw.warnings
    return ContactPoints(**columns, _origin=origin)
