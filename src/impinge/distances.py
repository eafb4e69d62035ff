"""How far two meshes are apart, and where they are closest."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, overload

import numpy as np

from impinge import _core
from impinge._arrays import as_poses, read_only
from impinge._options import ticking, worker_count
from impinge.detectors.bvh import tree_of
from impinge.detectors.run import cancellable
from impinge.errors import InputError
from impinge.mesh import Mesh

if TYPE_CHECKING:
    from impinge._types import Floats, Ints, Progress

_AT_REST = np.eye(4)[None]
_NO_PAIR = (-1, -1)


@dataclass(frozen=True, eq=False)
class Distance:
    """The distance of two meshes; `float(distance)` is its value."""

    value: float
    """0.0 exactly when the meshes collide; inf when one is empty or nothing is within the bound."""
    points: Floats | None
    """(2, 3) the closest points, on a and on b, in world coordinates; None when value is inf."""
    pair: tuple[int, int] | None
    """The faces of a and of b these points lie on; None when value is inf."""

    @property
    def normal(self) -> Floats | None:
        """(3,) unit vector from the point on a to that on b; None when they coincide or are none.

        Points are rounded to float64, so very close ones give a rough direction.
        """
        if self.points is None:
            return None
        step: Floats = self.points[1] - self.points[0]
        largest = np.abs(step).max()
        if largest == 0.0:
            return None
        step = step / largest
        normal: Floats = step / np.linalg.norm(step)
        return normal

    def __float__(self) -> float:
        return self.value


@dataclass(frozen=True, eq=False)
class Distances:
    """The distance in each of m poses; `distances[i]` is one `Distance`. Arrays are read-only."""

    values: Floats
    """(m,) 0.0 exactly where the meshes collide; inf where there is nothing within the bound."""
    points: Floats
    """(m, 2, 3) the closest points, on a and on b, in world coordinates; NaN where inf."""
    pairs: Ints
    """(m, 2) the faces of a and of b these points lie on; -1 where inf."""

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, index: int) -> Distance:
        value = float(self.values[index])
        if math.isinf(value):
            return Distance(value, None, None)
        face_a, face_b = self.pairs[index].tolist()
        return Distance(value, self.points[index], (face_a, face_b))

    def __iter__(self) -> Iterator[Distance]:
        return (self[index] for index in range(len(self)))


@overload
def distance(
    a: object,
    b: object,
    *,
    poses: None = ...,
    upper_bound: float | None = ...,
    hint: Distance | None = ...,
    workers: int | None = ...,
    progress: Progress | None = ...,
) -> Distance: ...


@overload
def distance(
    a: object,
    b: object,
    *,
    poses: object,
    upper_bound: float | None = ...,
    hint: Distance | Distances | None = ...,
    workers: int | None = ...,
    progress: Progress | None = ...,
) -> Distances: ...


def distance(
    a: object,
    b: object,
    *,
    poses: object = None,
    upper_bound: float | None = None,
    hint: Distance | Distances | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Distance | Distances:
    """The smallest distance between a point of `a` and a point of `b`, and where it is.

    One question has one answer, a `Distance`; `poses` (m, 4, 4) of `b` are m questions and give
    `Distances`, arrays of m. Meshes are surfaces: one inside the other does not touch it. Of
    several closest pairs of faces the smallest (face of a, face of b) is given; of colliding
    meshes, where all are equally close, one pair and a point these two have in common.

    Beyond `upper_bound` nothing is searched: the answer is inf. `hint` is the answer of an earlier
    query of these meshes in nearly the same place (with poses: one for all, or one for each); it
    makes the search shorter and never changes the answer. `workers` and `progress` are those of
    `collide`; poses are shared out among the threads.
    """
    mesh_a = a if type(a) is Mesh else Mesh.of(a, argument="a")
    mesh_b = b if type(b) is Mesh else Mesh.of(b, argument="b")
    threads, tick = worker_count(workers), ticking(progress)
    bound = _bound(upper_bound)
    placed = _AT_REST if poses is None else as_poses(poses, reach=mesh_b._farthest())
    hints = None if hint is None else _hints(hint, poses is not None, len(placed), mesh_a, mesh_b)
    values, points, pairs, _ = cancellable(
        tick,
        lambda: _core.bvh_distances(
            tree_of(mesh_a._shape, threads),
            tree_of(mesh_b._shape, threads),
            placed,
            bound,
            hints,
            threads,
            tick,
        ),
    )
    for array in (values, points, pairs):
        read_only(array)
    found = Distances(values, points, pairs)
    return found[0] if poses is None else found


def _bound(upper_bound: float | None) -> float:
    if upper_bound is None:
        return math.inf
    try:
        bound = float(upper_bound)
    except (TypeError, ValueError):
        bound = math.nan
    if not bound >= 0.0:
        raise InputError(f"upper_bound must be None or a number of at least 0, got {upper_bound!r}")
    return bound


def _hints(hint: object, batch: bool, count: int, a: Mesh, b: Mesh) -> Ints:
    """(count, 2) int32 pairs of faces to begin with, -1 for none."""
    if isinstance(hint, Distance):
        pair = _NO_PAIR if hint.pair is None else hint.pair
        pairs = np.tile(np.array(pair, dtype=np.int32), (count, 1))
    elif isinstance(hint, Distances) and batch:
        if len(hint) != count:
            raise InputError(f"hint has {len(hint)} distances for {count} poses; give one for each")
        pairs = hint.pairs
    elif isinstance(hint, Distances):
        raise InputError("hint must be one Distance when there are no poses; pass hint[i]")
    else:
        raise InputError(
            f"hint must be what impinge.distance returned earlier, got {type(hint).__name__}"
        )
    if len(pairs) and np.any(pairs.max(axis=0) >= (len(a), len(b))):
        raise InputError(
            f"hint names faces up to {tuple(pairs.max(axis=0).tolist())}, but the meshes have "
            f"{len(a)} and {len(b)} faces; it belongs to other meshes"
        )
    return pairs
