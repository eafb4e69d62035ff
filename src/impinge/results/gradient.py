"""How a distance, a depth or a volume of two meshes changes when they move or deform."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from impinge._arrays import as_point
from impinge.results.columns import Frozen

if TYPE_CHECKING:
    from impinge._types import Floats, Ints


@dataclass(frozen=True, eq=False, repr=False)
class VertexGradient(Frozen):
    """Derivatives by the vertices of one mesh: rows of those that are not zero.

    `V[g.vertices] -= step * g.rows` is a step downhill; `dense()` has a row for every vertex. Of a
    distance and a depth these are a few rows, however large the mesh is.

    See Also
    --------
    impinge.results.Gradient

    Examples
    --------
    >>> import impinge
    >>> sheet = [(0, 0, 0), (4, 0, 0), (0, 4, 0)], [(0, 1, 2)]
    >>> peak = [(1, 1, 2), (1, 1, 5), (2, 1, 5)], [(0, 1, 2)]
    >>> found = impinge.distance(sheet, peak, gradient=True).gradient
    >>> found.a.vertices.tolist(), found.a.rows[:, 2].tolist()
    ([0, 1, 2], [-0.5, -0.25, -0.25])
    >>> found.b.dense()[:, 2].tolist()
    [1.0, 0.0, 0.0]
    """

    vertices: Ints
    """(k,) int32: rows of the vertices of the mesh, ascending, each once; all others have zeros."""
    rows: Floats
    """(k, 3) float64: the derivatives by their x, y and z."""
    count: int
    """How many vertices the mesh has."""

    def __len__(self) -> int:
        return len(self.vertices)

    def __repr__(self) -> str:
        return f"VertexGradient({len(self):,} of {self.count:,} vertices)"

    def dense(self) -> Floats:
        """(count, 3) float64, zeros included; a new array."""
        full = np.zeros((self.count, 3))
        full[self.vertices] = self.rows
        return full


@dataclass(frozen=True, eq=False)
class Gradient(Frozen):
    """First derivatives of a distance, a depth or a volume of `a` and `b`, in their units.

    When both are moved together nothing changes. So the derivatives by a translation and by a
    rotation of `a` are those of `b` with the other sign.

    With the Jacobian of a robot that carries `b`, three rows for the velocity of the point of `b`
    that is at the origin of the world and three for the angular velocity (`WORLD` of pinocchio),
    the derivative by the joints is `J.T @ np.concatenate([g.translation, g.rotation])`. With one
    for the velocity of another point (`LOCAL_WORLD_ALIGNED`; `mj_jac` of MuJoCo), it is
    `J.T @ np.concatenate([g.translation, g.rotation_about(point)])`.

    See Also
    --------
    impinge.distance, impinge.penetration

    Examples
    --------
    A lever that turns about the origin:

    >>> import impinge
    >>> table = [(-9, -9, 0), (9, -9, 0), (0, 9, 0)], [(0, 1, 2)]
    >>> lever = [(0, 0, 2), (0, 1, 2), (3, 0, 1)], [(0, 1, 2)]
    >>> found = impinge.distance(table, lever, gradient=True)
    >>> found.value, found.gradient.translation.tolist()
    (1.0, [0.0, 0.0, 1.0])
    >>> found.gradient.rotation.tolist()  # about y, its tip goes down
    [0.0, -3.0, 0.0]
    """

    a: VertexGradient
    """By the vertices of `a`."""
    b: VertexGradient
    """By the vertices of `b` as they were given: before its pose, if it has one."""
    translation: Floats
    """(3,) float64: by a translation of `b` in the world."""
    rotation: Floats
    """(3,) float64: by the angles, in radians, of small rotations of `b` about the axes of the
    world through its origin."""

    def rotation_about(self, point: object) -> Floats:
        """(3,) float64: by small rotations of `b` about axes through another `point` (3,)."""
        turned: Floats = self.rotation - np.cross(as_point(point, "point"), self.translation)
        return turned


@dataclass(frozen=True, eq=False, repr=False)
class Gradients(Frozen):
    """The gradient of a distance in each of m poses; `gradients[i]` is one `Gradient`.

    NaN where nothing is within the bound.

    See Also
    --------
    impinge.distance

    Examples
    --------
    >>> import impinge
    >>> import numpy as np
    >>> sheet = [(0, 0, 0), (4, 0, 0), (0, 4, 0)], [(0, 1, 2)]
    >>> peak = [(1, 1, 0), (1, 1, 3), (2, 1, 3)], [(0, 1, 2)]
    >>> poses = np.tile(np.eye(4), (2, 1, 1))
    >>> poses[:, 2, 3] = 2, -5
    >>> found = impinge.distance(sheet, peak, poses=poses, gradient=True).gradients
    >>> found.translations.tolist()
    [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]]
    >>> found[1].b.vertices.tolist()
    [1]
    """

    translations: Floats
    """(m, 3) float64: by a translation of `b` in the world."""
    rotations: Floats
    """(m, 3) float64: by small rotations of `b` about the axes of the world."""
    vertices: Ints
    """(m, 2, 3) int32: the corners of the closest faces of `a` and of `b`; -1 where inf."""
    rows: Floats
    """(m, 2, 3, 3) float64: the derivatives by these corners."""
    counts: tuple[int, int]
    """How many vertices the meshes have."""

    def __len__(self) -> int:
        return len(self.translations)

    def __repr__(self) -> str:
        return f"Gradients({len(self):,} poses)"

    def __getitem__(self, index: int) -> Gradient:
        a, b = (
            by_vertex(self.vertices[index, side], self.rows[index, side], self.counts[side])
            for side in range(2)
        )
        return Gradient(a, b, self.translations[index], self.rotations[index])

    def __iter__(self) -> Iterator[Gradient]:
        return (self[index] for index in range(len(self)))


def by_vertex(ids: Ints, rows: Floats, count: int) -> VertexGradient:
    """Rows (..., 3) of vertices (...), those of one vertex added up, without those of zeros."""
    vertices, place = np.unique(ids, return_inverse=True)
    sums: Floats = np.stack(
        [np.bincount(place.ravel(), rows[..., k].ravel(), len(vertices)) for k in range(3)], axis=1
    )
    moves = sums.any(axis=1) & (vertices >= 0)
    return VertexGradient(vertices[moves].astype(np.int32), sums[moves], count)


def without_change(a: int, b: int) -> Gradient:
    """All zero, of meshes with so many vertices."""
    none, flat = np.zeros(0, dtype=np.int32), np.zeros((0, 3))
    by_a, by_b = VertexGradient(none, flat, a), VertexGradient(none, flat, b)
    return Gradient(by_a, by_b, np.zeros(3), np.zeros(3))
