"""Bodies whose faces look outwards, for detectors that ask where a body's inside is."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from impinge import _core
from impinge._arrays import read_only
from impinge._shape import Shape, Structures
from impinge._text import counted
from impinge.errors import CapabilityError, InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from impinge._types import Bools, Floats, Ints
    from impinge.body import Body
    from impinge.mesh import Mesh


class _Shells(NamedTuple):
    """The closed shells of a mesh at rest, and which of them have to be turned around."""

    owner: Ints
    """(m,) the shell of each face; -1 for collapsed faces."""
    positive: Bools
    """(k,) whether the volume of a shell is not below 0, as given."""
    turned: Bools
    """(k,)"""
    unclear: Bools
    """(k,) whether it may be the wall of a cavity that leaves the body."""


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


def _shells_of(method: str, body: Body) -> _Shells:
    """Of the mesh at rest, which is judged once."""
    mesh = body.mesh
    report = mesh.report()
    if not report.closed:
        raise CapabilityError(
            f"the method {method!r} needs closed bodies, but body {body.name!r} is not closed; "
            "see body.mesh.report(), or use 'proximity'"
        )
    shape = mesh._shape
    shells: _Shells = shape.local_structures.get(
        "outward", shape.local, lambda: _judged(mesh, report.component, report.components)
    )
    unclear = np.flatnonzero(shells.unclear)
    if len(unclear):
        face = np.flatnonzero(shells.owner == unclear[0])[0]
        raise CapabilityError(
            f"the method {method!r} needs to know the inside of body {body.name!r}, but its shell "
            f"at face {face} is inside out and partly within another shell; "
            "turn its faces around if it is no cavity, or use 'proximity'"
        )
    return shells


def _judged(mesh: Mesh, owner: Ints, count: int) -> _Shells:
    """From the outermost shell inwards: where the winding number would fall below 0, a shell is
    turned around with all that is within it, so that walls of cavities stay what they are."""
    positive = _core.shell_volumes(mesh.vertices, mesh.faces, owner, count) >= 0
    turned, unclear = np.zeros(count, dtype=bool), np.zeros(count, dtype=bool)
    if positive.all():
        return _Shells(owner, positive, turned, unclear)
    nest = _Nest(mesh, owner, count)
    for shell in nest.by_size:
        around, crossed = nest.around(shell)
        # what is around it was judged before, and has turned this one with itself
        sense = np.where(positive ^ turned, 1, -1)
        if sense[shell] + sense[around].sum() >= 0:
            continue
        unclear[shell] = crossed
        turned[nest.within(shell)] ^= True
        turned[shell] ^= True
    return _Shells(owner, positive, turned, unclear)


class _Nest:
    """Which shells of a mesh are within which others."""

    def __init__(self, mesh: Mesh, owner: Ints, count: int) -> None:
        order = np.argsort(owner, kind="stable")
        begins = np.searchsorted(owner[order], np.arange(count + 1))
        self._faces = [mesh.faces[order[b:e]] for b, e in pairwise(begins)]
        self._vertices = mesh.vertices
        corners = [mesh.vertices[faces.ravel()] for faces in self._faces]
        self._low = np.array([each.min(axis=0) for each in corners])
        self._high = np.array([each.max(axis=0) for each in corners])
        self._trees: dict[int, _core.Tree] = {}
        self._found: dict[tuple[int, int], int] = {}
        self.by_size = np.argsort(-(self._high - self._low).max(axis=1), kind="stable")

    def around(self, shell: int) -> tuple[Ints, bool]:
        """The shells that this one is within, and whether it is partly within one."""
        boxes = (self._low <= self._low[shell]) & (self._high >= self._high[shell])
        wide = [int(i) for i in np.flatnonzero(boxes.all(axis=1)) if i != shell]
        overlap = (self._low <= self._high[shell]) & (self._high >= self._low[shell])
        near = [int(i) for i in np.flatnonzero(overlap.all(axis=1)) if i != shell]
        around = [i for i in wide if self._lies(shell, i) < 0]
        return np.array(around, dtype=np.int32), any(self._lies(shell, i) == 0 for i in near)

    def within(self, shell: int) -> Ints:
        """The shells that are within this one."""
        boxes = (self._low >= self._low[shell]) & (self._high <= self._high[shell])
        narrow = [int(i) for i in np.flatnonzero(boxes.all(axis=1)) if i != shell]
        return np.array([i for i in narrow if self._lies(i, shell) < 0], dtype=np.int32)

    def _lies(self, inner: int, outer: int) -> int:
        """-1 within, 1 outside, 0 partly within, by the vertices of the inner shell."""
        key = inner, outer
        if key not in self._found:
            points = self._vertices[np.unique(self._faces[inner])]
            sides = _core.sides(self._tree(outer), points, self._is_turned(outer), 1, None)
            inside, outside = (sides < 0).any(), (sides > 0).any()
            self._found[key] = 0 if inside and outside else -1 if inside else 1
        return self._found[key]

    def _tree(self, shell: int) -> _core.Tree:
        if shell not in self._trees:
            self._trees[shell] = _core.Tree(self._vertices, self._faces[shell], 1)
        return self._trees[shell]

    def _is_turned(self, shell: int) -> bool:
        return bool(_core.solid(self._tree(shell))[1])


def _inverted(vertices: Floats, mesh: Mesh, shells: _Shells) -> Bools:
    """(k,) the shells that other vertices have turned inside out, or back."""
    volumes = _core.shell_volumes(vertices, mesh.faces, shells.owner, len(shells.positive))
    # a shell that is flat for a moment stays as it is
    return np.where(shells.positive, volumes < 0, volumes > 0)


def _with_turned(shape: Shape, shells: _Shells, turned: Bools) -> Shape:
    """The shape in world coordinates with the faces of some shells turned around.

    What detectors keep for it is kept with the shape, while the same shells are turned.
    """
    if not turned.any():
        return shape
    vertices, key = shape.vertices, turned.tobytes()

    def build() -> _Turned:
        faces = shape.faces.copy()
        # collapsed faces look nowhere
        rows = turned[shells.owner] & (shells.owner >= 0)
        faces[rows] = faces[rows, ::-1]
        read_only(faces)
        return _Turned(key, faces, Structures())

    def update(old: _Turned) -> _Turned:
        return old if old.shells == key else build()

    held: _Turned = shape.structures.get("turned", vertices, build, update)
    if held.shells != key:
        held = build()
    return Shape(vertices, held.faces, held.structures, deformed=shape.deformed)
