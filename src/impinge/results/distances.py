"""How far two meshes are apart, and where they are closest."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from impinge._text import counted, table
from impinge.results.columns import Answer, Frozen

if TYPE_CHECKING:
    from impinge._types import Floats, Ints
    from impinge.results.gradient import Gradient, Gradients


@dataclass(frozen=True, eq=False)
class Distance(Answer):
    """The distance of two meshes, and where they are closest; the answer of `impinge.distance`.

    `float(distance)` is its value.

    See Also
    --------
    impinge.distance, impinge.Distances

    Examples
    --------
    >>> import impinge
    >>> import numpy as np
    >>> vertices = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0)])
    >>> d = impinge.distance((vertices, [(0, 1, 2)]), (vertices + (0, 0, 2), [(0, 1, 2)]))
    >>> float(d), d.pair, d.normal.tolist()
    (2.0, (0, 0), [0.0, 0.0, 1.0])
    """

    value: float
    """0.0 exactly when the meshes collide; inf when one is empty or nothing is within the bound."""
    points: Floats | None
    """(2, 3) float64: closest points, on a and on b, in world coordinates; None if value is inf."""
    pair: tuple[int, int] | None
    """The faces of a and of b these points lie on; None when value is inf."""
    gradient: Gradient | None = None
    """How the value changes when the meshes move or deform; None when not asked for, and when value
    is inf."""

    exact = False
    """The value is rounded; whether it is 0.0 is decided exactly."""

    @property
    def normal(self) -> Floats | None:
        """(3,) float64: unit vector from the point on a to that on b.

        None if the points coincide or there are none. Points are rounded to float64, so very
        close ones give a rough direction.
        """
        return None if self.points is None else _direction(self.points)

    def __float__(self) -> float:
        return self.value


@dataclass(frozen=True, eq=False)
class Distances(Answer):
    """The distance in each of m poses; the answer of `impinge.distance` with `poses=`.

    `distances[i]` is one `Distance`. Arrays are read-only.

    See Also
    --------
    impinge.distance

    Examples
    --------
    >>> import impinge
    >>> import numpy as np
    >>> sheet = [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]
    >>> poses = np.tile(np.eye(4), (3, 1, 1))
    >>> poses[:, 2, 3] = 0, 1, 2
    >>> found = impinge.distance(sheet, sheet, poses=poses)
    >>> found.values.tolist()
    [0.0, 1.0, 2.0]
    >>> found[2].points.shape
    (2, 3)
    """

    values: Floats
    """(m,) float64: 0.0 exactly where the meshes collide; inf where nothing is within the bound."""
    points: Floats
    """(m, 2, 3) float64: the closest points, on a and on b, in world coordinates; NaN where inf."""
    pairs: Ints
    """(m, 2) int32: the faces of a and of b these points lie on; -1 where inf."""
    gradients: Gradients | None = None
    """How the values change when the meshes move or deform; None when not asked for."""

    exact = False
    """Values are rounded; whether one is 0.0 is decided exactly."""

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, index: int) -> Distance:
        value = float(self.values[index])
        if math.isinf(value):
            return Distance(value, None, None)
        face_a, face_b = self.pairs[index].tolist()
        gradient = None if self.gradients is None else self.gradients[index]
        return Distance(value, self.points[index], (face_a, face_b), gradient)

    def __iter__(self) -> Iterator[Distance]:
        return (self[index] for index in range(len(self)))


@dataclass(frozen=True, eq=False)
class BodyDistance(Frozen):
    """How far two bodies of a scene are apart: a row of `BodyDistances`.

    `float(row)` is its value.

    See Also
    --------
    impinge.results.BodyDistances

    Examples
    --------
    >>> import impinge
    >>> scene = impinge.Scene()
    >>> for z in (0, 2):
    ...     _ = scene.add([(0, 0, z), (1, 0, z), (0, 1, z)], [(0, 1, 2)], name=f"z={z}")
    >>> row = scene.distances()[0]
    >>> row.name_a, row.name_b, row.value, row.normal.tolist()
    ('z=0', 'z=2', 2.0, [0.0, 0.0, 1.0])
    """

    a: int
    """Index of the first body."""
    b: int
    """Index of the second body, higher."""
    name_a: str
    """Name of the first body."""
    name_b: str
    """Name of the second body."""
    value: float
    """0.0 exactly when the bodies collide."""
    points: Floats
    """(2, 3) float64: closest points, on a and on b, in world coordinates."""
    pair: tuple[int, int]
    """The faces of a and of b these points lie on."""
    pose: int | None = None
    """Index of the configuration; None without poses."""

    @property
    def normal(self) -> Floats | None:
        """(3,) float64: unit vector from the point on a to that on b; None if they coincide."""
        return _direction(self.points)

    def __float__(self) -> float:
        return self.value


@dataclass(frozen=True, eq=False, repr=False)
class BodyDistances(Answer):
    """One row per pair of bodies, sorted; iterating gives a `BodyDistance` each.

    Pairs that are farther apart than the bound of the query have no row. Arrays are read-only.

    See Also
    --------
    impinge.Scene.distances

    Examples
    --------
    >>> import impinge
    >>> scene = impinge.Scene()
    >>> for z in (0, 2, 3):
    ...     _ = scene.add([(0, 0, z), (1, 0, z), (0, 1, z)], [(0, 1, 2)])
    >>> found = scene.distances(upper_bound=2)
    >>> found.bodies.tolist(), found.values.tolist()
    ([[0, 1], [1, 2]], [2.0, 1.0])
    """

    bodies: Ints
    """(k, 2) int32, the lower index first."""
    values: Floats
    """(k,) float64: 0.0 exactly where the bodies collide."""
    points: Floats
    """(k, 2, 3) float64: the closest points, on a and on b, in world coordinates."""
    pairs: Ints
    """(k, 2) int32: the faces of a and of b these points lie on."""
    names: tuple[str, ...]
    """Names of all bodies of the query."""
    pose: Ints | None = None
    """(k,) int32 index of the configuration of each row, in ascending order; None without poses."""

    exact = False
    """Values are rounded; whether one is 0.0 is decided exactly."""

    def __len__(self) -> int:
        return len(self.bodies)

    def __getitem__(self, index: int) -> BodyDistance:
        a, b = self.bodies[index].tolist()
        face_a, face_b = self.pairs[index].tolist()
        value = float(self.values[index])
        names = self.names[a], self.names[b]
        pose = None if self.pose is None else int(self.pose[index])
        return BodyDistance(a, b, *names, value, self.points[index], (face_a, face_b), pose)

    def __iter__(self) -> Iterator[BodyDistance]:
        return (self[index] for index in range(len(self)))

    def __repr__(self) -> str:
        where = "" if self.pose is None else "{}: "
        rows = (
            (f"{where.format(row.pose)}{row.name_a} × {row.name_b}", f"{row.value:.6g}")
            for row in self
        )
        return table(counted(len(self), "pair") + " of bodies", list(islice(rows, 40)))


def _direction(points: Floats) -> Floats | None:
    """From the first point (2, 3) to the second; None when they are one."""
    step: Floats = points[1] - points[0]
    largest = np.abs(step).max()
    if largest == 0.0:
        return None
    step = step / largest
    normal: Floats = step / np.linalg.norm(step)
    return normal
