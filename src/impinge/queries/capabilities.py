"""Whether a detector can answer a question."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from impinge.detectors.protocol import PAIR_CAPABILITIES, PosesQuery, SceneQuery
from impinge.detectors.registry import require
from impinge.errors import CapabilityError
from impinge.mesh import Mesh

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from impinge.body import Body
    from impinge.detectors.protocol import ContactsQuery, Detector, PairDetector


def pair_detector(
    chosen: Detector,
    query: SceneQuery | PosesQuery,
    operands: Sequence[Mesh | Body],
    on_gpu: Sequence[Body] = (),
) -> PairDetector:
    """The detector, if it can answer for these meshes and GPU bodies; else a `CapabilityError`."""
    if on_gpu:
        require(chosen, ("gpu_geometry",))
    # most can do all of it, and then there is nothing to look at
    if not chosen.capabilities >= PAIR_CAPABILITIES:
        require(chosen, ("pairs", *needs(query)))
        if "open" not in chosen.capabilities:
            _check_closed(chosen, operands, on_gpu)
    return cast("PairDetector", chosen)


def needs(query: SceneQuery | PosesQuery | ContactsQuery) -> list[str]:
    """What is asked beyond the plain question."""
    first = getattr(query, "first", False)
    if isinstance(query, PosesQuery):
        asked = {"poses": True, "first": first}
    else:
        asked = {
            "bodies": len(query.shapes) > 2,
            "self": len(query.self_bodies) > 0,
            "first": first,
            "deformable": any(shape.deformed for shape in query.shapes),
        }
    return [name for name, is_asked in asked.items() if is_asked]


def check_here(bodies: Iterable[Body], what: str) -> None:
    """Raise when the vertices of a body are on the GPU, where nothing of this kind is found."""
    for body in bodies:
        if body._on_gpu:
            raise CapabilityError(
                f"{what} need vertices, but those of body {body.name!r} are made on the GPU; "
                "make a mesh of body.read_vertices()"
            )


def _check_closed(
    chosen: Detector, operands: Sequence[Mesh | Body], on_gpu: Sequence[Body]
) -> None:
    for index, one in enumerate(operands):
        mesh = one if isinstance(one, Mesh) else one.mesh
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
