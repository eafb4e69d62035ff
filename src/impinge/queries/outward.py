"""Bodies whose faces look outwards, for detectors that ask where a body's inside is."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from impinge import _core
from impinge._arrays import read_only
from impinge._shape import Shape, Structures
from impinge._text import counted
from impinge.detectors.common.shells import Shells, judged_shells
from impinge.errors import CapabilityError, InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from impinge._types import Bools, Floats, Ints
    from impinge.body import Body
    from impinge.mesh import Mesh


class _Turned(NamedTuple):
    """The faces of a shape, some turned around, and what detectors keep for them."""

    shells: bytes
    faces: Ints
    structures: Structures


def outward_shapes(
    method: str, bodies: Sequence[Body], shapes: Sequence[Shape]
) -> tuple[tuple[Shape, ...], tuple[Shape, ...], tuple[str, ...]]:
    """The shapes of closed bodies with faces that look outwards, now and at rest, and warnings.

    A body that is open, or has a shell whose sense cannot be told, is an error that names it.
    """
    now, rest, told = [], [], []
    for body, shape in zip(bodies, shapes, strict=True):
        mesh = body.mesh
        if not len(mesh.faces):
            now.append(shape)
            rest.append(mesh._shape)
            continue
        mirrors = _mirrors(body, shape)
        shells = _shells_of(method, body)
        turned = shells.turned
        rest.append(_with_turned(mesh._shape, shells, turned))
        if turned.any():
            told.append(_told(body, turned))
        if shape.deformed:
            inverted = _inverted(shape.local, mesh, shells)
            if inverted.any():
                told.append(_told(body, inverted, " since its vertices moved"))
            turned = turned ^ inverted
        now.append(_with_turned(shape, shells, ~turned if mirrors else turned))
    return tuple(now), tuple(rest), tuple(told)


def _mirrors(body: Body, shape: Shape) -> bool:
    """Whether the pose turns the inside of a body out."""
    pose = shape.pose
    if pose is None:
        return False
    x, y, z = (np.ascontiguousarray(pose[k : k + 1, :3]) for k in range(3))
    sign = int(_core.orient3d(x, y, z, np.zeros((1, 3)))[0])
    if sign == 0:
        raise InputError(
            f"the pose of body {body.name!r} has the determinant 0 and makes it flat; "
            "give a pose that turns, moves, scales or mirrors"
        )
    return sign < 0


def _told(body: Body, turned: Bools, why: str = "") -> str:
    if turned.all():
        return (
            f"body {body.name!r} is inside out{why}, "
            "and is taken as if all its faces were turned around"
        )
    some = counted(int(turned.sum()), "shell")
    are = "is" if turned.sum() == 1 else "are"
    return (
        f"{some} of body {body.name!r} {are} inside out{why}, "
        f"and {are} taken as if all faces there were turned around"
    )


def _shells_of(method: str, body: Body) -> Shells:
    """Of the mesh at rest, which is judged once."""
    mesh = body.mesh
    report = mesh.report()
    if not report.closed:
        raise CapabilityError(
            f"the method {method!r} needs closed bodies, but body {body.name!r} is not closed; "
            "see body.mesh.report(), or use 'proximity'"
        )
    shape = mesh._shape
    shells: Shells = shape.local_structures.get(
        "outward",
        shape.local,
        lambda: judged_shells(mesh.vertices, mesh.faces, report.component, report.components),
    )
    unclear = np.flatnonzero(shells.unclear)
    if len(unclear):
        face = np.flatnonzero(shells.owner == unclear[0])[0]
        raise CapabilityError(
            f"the method {method!r} needs to know the inside of body {body.name!r}, but its shell "
            f"at face {face} is inside out and partly within another shell, or on it; "
            "turn its faces around if it is no cavity, or use 'proximity'"
        )
    return shells


def _inverted(vertices: Floats, mesh: Mesh, shells: Shells) -> Bools:
    """(k,) the shells that other vertices have turned inside out, or back."""
    volumes = _core.shell_volumes(vertices, mesh.faces, shells.owner, len(shells.positive))
    # a shell that is flat for a moment stays as it is
    return np.where(shells.positive, volumes < 0, volumes > 0)


def _with_turned(shape: Shape, shells: Shells, turned: Bools) -> Shape:
    """The shape in world coordinates with the faces of some shells turned around.

    What detectors keep for it is kept with the shape, while the same shells are turned.
    """
    if not turned.any():
        return shape
    vertices, key = shape.vertices, turned.tobytes()

    def build() -> _Turned:
        faces = shape.faces.copy()
        rows = shells._replace(turned=turned).turned_faces
        faces[rows] = faces[rows, ::-1]
        read_only(faces)
        return _Turned(key, faces, Structures())

    def update(old: _Turned) -> _Turned:
        return old if old.shells == key else build()

    held: _Turned = shape.structures.get("turned", vertices, build, update)
    if held.shells != key:
        held = build()
    return Shape(vertices, held.faces, held.structures, deformed=shape.deformed)
