"""Where bodies press into each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from impinge.body import bodies_of
from impinge.detectors.protocol import NO_BODIES, ContactsQuery
from impinge.detectors.registry import require
from impinge.errors import CapabilityError
from impinge.queries.path import answer, checked, two_meshes
from impinge.queries.plan import BodySet, check_here, needs

if TYPE_CHECKING:
    from impinge._types import Progress
    from impinge.body import Body
    from impinge.detectors.protocol import ContactDetector, Detector
    from impinge.queries.path import Options
    from impinge.results.contact_points import PointContacts


def find_contacts(
    a: object,
    b: object,
    *,
    method: str | Detector = "ray",
    workers: int | None = None,
    progress: Progress | None = None,
) -> PointContacts:
    """Where `a` and `b` press into each other: points of both, joined two by two.

    `method` is "ray" (closed meshes that overlap, however deeply), "proximity" (any meshes that
    are near each other), or an instance of a detector that finds contacts. The other arguments
    are those of `collide`. For more than two bodies, or one with itself, use `Scene.contacts`.
    """
    bodies = BodySet(bodies_of(two_meshes(a, b)))
    return contacts_of(bodies, checked(method, workers=workers, progress=progress))


def contacts_of(bodies: BodySet, options: Options, self_collision: bool = False) -> PointContacts:
    """The question of `Scene.contacts`."""
    from impinge.results.contact_points import PointContacts

    check_here(bodies, "contacts")
    chosen = options.detector
    shapes = bodies.shapes()
    rest = tuple(body.mesh._shape for body in bodies.bodies)
    alone = bodies.alone if self_collision else NO_BODIES
    query = ContactsQuery(shapes, rest, bodies.names, bodies.body_pairs, alone, *options[-2:])
    require(chosen, ("contacts", *needs(query)))
    if "open" not in chosen.capabilities:
        for body in bodies.bodies:
            _check_solid(chosen, body)
    able = cast("ContactDetector", chosen)
    raw = answer(able.contacts, query, bodies.ignored)
    columns = raw._asdict()
    origin = bodies.origin(chosen.name, columns.pop("counters"), shapes)
    if not self_collision:
        columns["suspicious"] = None
    return PointContacts(**columns, _origin=origin)


def _check_solid(chosen: Detector, body: Body) -> None:
    """Raise unless the mesh of the body has an inside, and normals that point out of it."""
    if len(body.faces) == 0:
        return
    report = body.mesh.report()
    inside_out = report.volume is not None and report.volume < 0
    if not report.closed or inside_out:
        wrong = "is inside out" if inside_out else "is not closed"
        cure = "turn its faces around" if inside_out else "see body.mesh.report()"
        raise CapabilityError(
            f"the method {chosen.name!r} needs closed bodies, but body {body.name!r} {wrong}; "
            f"{cure}, or use 'proximity'"
        )
