"""From a checked query to a result: capabilities, cancelling, and what the result remembers."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar, cast

from impinge import _core
from impinge._options import Tick
from impinge.detectors.protocol import (
    PAIR_CAPABILITIES,
    ContactDetector,
    ContactsQuery,
    Detector,
    OverlapDetector,
    OverlapsQuery,
    PairDetector,
    PosesQuery,
    RawContacts,
    RawOverlaps,
    RawPairs,
    SceneQuery,
)
from impinge.detectors.registry import require
from impinge.errors import Cancelled, CapabilityError
from impinge.result import Collisions, Origin

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from impinge.body import Body
    from impinge.contacts.overlaps import Overlaps
    from impinge.contacts.points import PointContacts
    from impinge.mesh import Mesh

Query = TypeVar("Query", SceneQuery, PosesQuery, ContactsQuery, OverlapsQuery)
T = TypeVar("T")


def run(ask: Callable[[Query], T], query: Query) -> T:
    """Ask a detector."""
    if query.tick is None:
        return ask(query)
    return cancellable(query.tick, lambda: ask(query))


def cancellable(tick: Callable[[float], bool] | None, work: Callable[[], T]) -> T:
    """Do the work; progress goes from 0.0 to 1.0, and cancelling is our own error."""
    try:
        # however quick the query is, it can be cancelled
        if tick is not None and not tick(0.0):
            raise _core.Cancelled
        result = work()
    except _core.Cancelled:
        raise Cancelled("the progress callable returned False; there is no result") from None
    if isinstance(tick, Tick):
        tick.finish()
    return result


def collisions(raw: RawPairs, origin: Origin) -> Collisions:
    """The result of a query, in arrays that nobody writes again."""
    pairs, kinds, bodies, pose, _, contained, shapes, warnings = raw
    pairs.setflags(write=False)
    kinds.setflags(write=False)
    for array in (bodies, pose, contained):
        if array is not None:
            array.setflags(write=False)
    if shapes is not None:
        origin = origin._replace(shapes=shapes)
    return Collisions(pairs, kinds, pose, bodies, origin, contained, warnings)


def check_capabilities(
    chosen: Detector,
    meshes: Iterable[Mesh],
    *,
    needs: Iterable[str] = (),
    deformed: bool = False,
    on_gpu: Sequence[Body] = (),
) -> PairDetector:
    """The detector, if it can answer for these meshes and GPU bodies; else a `CapabilityError`."""
    able = cast(PairDetector, chosen)
    if on_gpu:
        require(chosen, ("gpu_geometry",))
    # most can do all of it, and then there is nothing to look at
    if chosen.capabilities >= PAIR_CAPABILITIES:
        return able
    require(chosen, ("pairs", *needs, *(("deformable",) if deformed else ())))
    if "open" not in chosen.capabilities:
        for index, mesh in enumerate(meshes):
            if not mesh.report().closed:
                raise CapabilityError(
                    f"the method {chosen.name!r} needs closed meshes, but mesh {index} "
                    f"{mesh.name!r} is not closed; see mesh.report(), or use another method"
                )
        for body in on_gpu:
            if not body._is_closed():
                raise CapabilityError(
                    f"the method {chosen.name!r} needs closed meshes, but body {body.name!r} "
                    "is not closed; use another method"
                )
    return able


def check_contacts(
    chosen: Detector, bodies: Iterable[Body], *, needs: Iterable[str] = ()
) -> ContactDetector:
    """The detector, if it can give the contacts of these bodies; else a `CapabilityError`."""
    require(chosen, ("contacts", *needs))
    if "open" not in chosen.capabilities:
        for body in bodies:
            _check_solid(chosen, body)
    return cast(ContactDetector, chosen)


def check_overlaps(chosen: Detector, bodies: Sequence[Body]) -> OverlapDetector:
    """The detector, if it can give the overlaps of these bodies; else a `CapabilityError`."""
    require(chosen, ("overlaps",))
    check_here(bodies, "overlaps")
    return cast(OverlapDetector, chosen)


def check_here(bodies: Iterable[Body], what: str = "contacts") -> None:
    """Raise when the vertices of a body are on the GPU, where nothing of this kind is found."""
    for body in bodies:
        if body._on_gpu:
            raise CapabilityError(
                f"{what} need vertices, but those of body {body.name!r} are made on the GPU; "
                "make a mesh of body.read_vertices()"
            )


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


def point_contacts(raw: RawContacts, origin: Origin, *, with_self: bool) -> PointContacts:
    """The result of a query of contacts."""
    from impinge.contacts.points import PointContacts

    columns = raw._asdict()
    del columns["counters"]
    if not with_self:
        columns["suspicious"] = None
    return PointContacts(**columns, _origin=origin)


def overlaps(raw: RawOverlaps, origin: Origin) -> Overlaps:
    """The result of a query of overlaps."""
    from impinge.contacts.overlaps import Overlaps

    columns = raw._asdict()
    del columns["counters"]
    return Overlaps(**columns, _origin=origin)
