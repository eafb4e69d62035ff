"""The truth about points and solids in whole numbers: winding numbers next to a point.

Independent of the core on purpose: the point is really moved, by numbers that are small enough,
into every cell that the planes of its faces cut space into, and the winding number is counted along
a ray of a random direction, another one when a ray meets an edge.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

import numpy as np

from support.meshes import Arrays
from support.rational import to_integers

Vector = tuple[int, int, int]

# the steps of a move, each far smaller than the one before
_STEP = 1 << 300


def _minus(p: Vector, q: Vector) -> Vector:
    return p[0] - q[0], p[1] - q[1], p[2] - q[2]


def _cross(p: Vector, q: Vector) -> Vector:
    return p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]


def _dot(p: Vector, q: Vector) -> int:
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2]


def _times(p: Vector, factor: int) -> Vector:
    return p[0] * factor, p[1] * factor, p[2] * factor


def _plus(*vectors: Vector) -> Vector:
    x, y, z = (sum(parts) for parts in zip(*vectors, strict=True))
    return x, y, z


class Windings:
    """Winding numbers of a closed mesh."""

    def __init__(self, mesh: Arrays, points: np.ndarray, seed: int = 0) -> None:
        (vertices, self.points), _ = to_integers(mesh[0], points)
        self.faces = [tuple(vertices[i] for i in face) for face in mesh[1]]
        self.random = Random(seed)

    def side(self, index: int, *, turned: bool = False) -> int:
        """-1, 0 or 1 for one of the points."""
        sign = -1 if turned else 1
        solid = set()
        for winding in self.around(index):
            solid.add(sign * winding > 0)
            if len(solid) == 2:
                return 0
        return -1 if solid == {True} else 1

    def around(self, index: int) -> Iterator[int]:
        """The winding numbers of all cells next to a point, each once or more."""
        p = self.points[index]
        planes = [face for face in self.faces if _is_on(p, face)]
        if not planes:
            yield self._count(_times(p, _STEP**4))
        for move in _moves(planes):
            yield self._count(_plus(_times(p, _STEP**4), move))

    def _count(self, p: Vector) -> int:
        """Along a ray from p, which is given in units of 1 / STEP**4 and on no face."""
        while True:
            along: Vector = tuple(self.random.randrange(-99, 100) for _ in range(3))
            signs = [_passage(p, along, face) for face in self.faces]
            if None not in signs:
                return sum(sign or 0 for sign in signs)


def _is_on(p: Vector, face: tuple[Vector, ...]) -> bool:
    """Whether a point is on a face that has an area."""
    normal = _normal(face)
    if not any(normal) or _dot(normal, _minus(p, face[0])):
        return False
    edges = [(face[i], face[(i + 1) % 3]) for i in range(3)]
    return all(_dot(normal, _cross(_minus(b, a), _minus(p, a))) >= 0 for a, b in edges)


def _normal(face: tuple[Vector, ...]) -> Vector:
    return _cross(_minus(face[1], face[0]), _minus(face[2], face[0]))


def _moves(planes: list[tuple[Vector, ...]]) -> Iterator[Vector]:
    """Into all cells that planes through one point cut space into: beside each, along each line."""
    normals = [_normal(face) for face in planes]
    for face, normal in zip(planes, normals, strict=True):
        lines = [_minus(face[i], face[i - 1]) for i in range(3)]
        lines += [line for other in normals if any(line := _cross(normal, other))]
        for line in lines:
            steps = _times(line, _STEP**2), _times(_cross(normal, line), _STEP), normal
            for signs in product((1, -1), repeat=3):
                yield _plus(*(_times(s, sign) for s, sign in zip(steps, signs, strict=True)))


def _passage(p: Vector, along: Vector, face: tuple[Vector, ...]) -> int | None:
    """1 when the ray leaves by this face, -1 when it enters, 0 beside it; None when unsure."""
    normal = _normal(face)
    if not any(normal):
        return 0
    a, b, c = (_minus(_times(corner, _STEP**4), p) for corner in face)
    facing = _dot(normal, along)
    turns = [_dot(along, _cross(*edge)) for edge in ((a, b), (b, c), (c, a))]
    if min(turns) < 0 < max(turns):
        return 0
    if facing == 0 or 0 in turns:
        return None
    # as far along as the plane is
    ahead = _dot(normal, a) * (1 if facing > 0 else -1)
    return 0 if ahead < 0 else 1 if facing > 0 else -1
