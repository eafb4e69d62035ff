"""Which faces of a closed surface have to be turned around for its normals to point out of it."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from impinge import _core
from impinge.results.mesh_report import joined_roots

if TYPE_CHECKING:
    from impinge._shape import Shape
    from impinge._types import Bools, Floats, Ints


class Shells(NamedTuple):
    """The closed shells of a surface, and which of them have to be turned around."""

    owner: Ints
    """(m,) the shell of each face; -1 for collapsed faces."""
    positive: Bools
    """(k,) whether the volume of a shell is not below 0, as given."""
    turned: Bools
    """(k,)"""
    unclear: Bools
    """(k,) whether it may be the wall of a cavity that leaves the body, or has none to be in."""

    @property
    def turned_faces(self) -> Bools:
        """(m,) collapsed faces look nowhere."""
        return self.turned[self.owner] & (self.owner >= 0)


def judged_shells(vertices: Floats, faces: Ints, owner: Ints, count: int) -> Shells:
    """Of a closed surface, `owner` (m,) being the shell of each face, of `count`.

    From the outermost shell inwards: where the winding number would fall below 0, a shell is
    turned around with all that is within it, so that walls of cavities stay what they are.
    """
    positive = _core.shell_volumes(vertices, faces, owner, count) >= 0
    turned, unclear = np.zeros(count, dtype=bool), np.zeros(count, dtype=bool)
    if positive.all():
        return Shells(owner, positive, turned, unclear)
    nest = _Nest(vertices, faces, owner, count)
    for shell in nest.by_size:
        around, crossed = nest.around(shell)
        # what is around it was judged before, and has turned this one with itself
        sense = np.where(positive ^ turned, 1, -1)
        if sense[shell] + sense[around].sum() >= 0:
            continue
        unclear[shell] = crossed
        turned[nest.within(shell)] ^= True
        turned[shell] ^= True
    return Shells(owner, positive, turned, unclear)


class _Nest:
    """Which shells of a mesh are within which others."""

    def __init__(self, vertices: Floats, faces: Ints, owner: Ints, count: int) -> None:
        order = np.argsort(owner, kind="stable")
        begins = np.searchsorted(owner[order], np.arange(count + 1))
        self._faces = [faces[order[b:e]] for b, e in pairwise(begins)]
        self._vertices = vertices
        corners = [vertices[some.ravel()] for some in self._faces]
        self._low = np.array([each.min(axis=0) for each in corners])
        self._high = np.array([each.max(axis=0) for each in corners])
        self._trees: dict[int, _core.Tree] = {}
        self._found: dict[tuple[int, int], int] = {}
        self.by_size = np.argsort(-(self._high - self._low).max(axis=1), kind="stable")

    def around(self, shell: int) -> tuple[Ints, bool]:
        """The shells that this one is within, and whether it is partly within one, or on it."""
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
        """-1 within, 1 outside, 0 partly within or on it, by the vertices of the inner shell."""
        key = inner, outer
        if key not in self._found:
            points = self._vertices[np.unique(self._faces[inner])]
            sides = _core.sides(self._tree(outer), points, self._is_turned(outer), 1, None)
            inside, outside = (sides < 0).any(), (sides > 0).any()
            self._found[key] = int(outside) - int(inside)
        return self._found[key]

    def _tree(self, shell: int) -> _core.Tree:
        if shell not in self._trees:
            self._trees[shell] = _core.Tree(self._vertices, self._faces[shell], 1)
        return self._trees[shell]

    def _is_turned(self, shell: int) -> bool:
        return bool(_core.solid(self._tree(shell))[1])


def turns_of(shape: Shape) -> Shells:
    """What has to be turned of a closed shape before its pose; kept for the next query."""
    return shape.local_structures.get("turns", shape.local, lambda: _turns(shape))


def mirrored(shape: Shape) -> bool:
    """Whether the pose turns the shape inside out."""
    return shape.pose is not None and np.linalg.det(shape.pose[:3, :3]) < 0


def _turns(shape: Shape) -> Shells:
    owner = _owners(shape)
    return judged_shells(shape.local, shape.faces, owner, int(owner.max(initial=-1)) + 1)


def _owners(shape: Shape) -> Ints:
    """(m,) the number of the set of faces that hang together by vertices, of each face."""
    first, second, third = _core.weld(shape.local)[shape.faces].T
    ends = np.concatenate([first, first]), np.concatenate([second, third])
    root = joined_roots(len(shape.local), *ends)
    return np.unique(root[first], return_inverse=True)[1].reshape(-1).astype(np.int32)
