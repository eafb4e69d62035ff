"""Rays: which faces they pass, and where."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import inf, isnan
from typing import TYPE_CHECKING

import numpy as np

from impinge import _core
from impinge._arrays import as_vectors, read_only, unchecked_vectors
from impinge._options import choice, ticking, worker_count
from impinge.detectors.bvh import tree_of
from impinge.errors import Cancelled, InputError
from impinge.mesh import Mesh

if TYPE_CHECKING:
    from impinge._types import Bools, Floats, Ints, Longs, Progress

_MODES = {"closest": 0, "any": 1, "all": 2}


@dataclass(frozen=True, eq=False, repr=False)
class RayHits:
    """Hits of m rays, one row each, sorted by ray, then t, then face."""

    ray: Ints
    """(n,) which ray."""
    face: Ints
    """(n,) the face it passes."""
    t: Floats
    """(n,) where, in units of the direction."""
    origins: Floats
    """(m, 3) of all rays."""
    directions: Floats
    """(m, 3) of all rays, as they were given."""

    def __len__(self) -> int:
        return len(self.ray)

    def __bool__(self) -> bool:
        return len(self.ray) > 0

    def __repr__(self) -> str:
        return f"RayHits({len(self.ray):,} hits of {len(self.origins):,} rays)"

    @cached_property
    def points(self) -> Floats:
        """(n, 3) origin + t * direction, rounded."""
        points = self.origins[self.ray] + self.t[:, None] * self.directions[self.ray]
        read_only(points)
        return points

    @cached_property
    def counts(self) -> Longs:
        """(m,) hits of each ray."""
        counts = np.bincount(self.ray, minlength=len(self.origins))
        read_only(counts)
        return counts

    @cached_property
    def hit(self) -> Bools:
        """(m,) whether each ray hits anything."""
        hit = np.zeros(len(self.origins), dtype=bool)
        hit[self.ray] = True
        read_only(hit)
        return hit

    @cached_property
    def first_face(self) -> Ints:
        """(m,) face of the first hit of each ray; -1 without one."""
        faces = np.full(len(self.origins), -1, dtype=np.int32)
        # the last write wins, and rows of one ray begin with its first hit
        faces[self.ray[::-1]] = self.face[::-1]
        read_only(faces)
        return faces

    @cached_property
    def first_t(self) -> Floats:
        """(m,) t of the first hit of each ray; inf without one."""
        first = np.full(len(self.origins), inf)
        first[self.ray[::-1]] = self.t[::-1]
        read_only(first)
        return first


def raycast(
    mesh: object,
    origins: object,
    directions: object,
    *,
    mode: str = "closest",
    t_min: float = 0.0,
    t_max: float = inf,
    workers: int | None = None,
    progress: Progress | None = None,
) -> RayHits:
    """Faces that the rays origin + t * direction pass, with t_min <= t <= t_max.

    `origins` and `directions` are (m, 3), or one of them (3,) for all rays; directions need no
    unit length. `mode` is "closest" (of equal ones the lowest face), "any" (some hit of each ray
    that has one, the fastest) or "all". A face is a closed triangle, so a ray through an edge
    or vertex hits every face there, all at the same t; faces in whose plane a ray runs are not
    hit. `workers` and `progress` are those of `collide`.
    """
    one = Mesh.of(mesh)
    starts, along = _rays(origins, directions)
    chosen = choice("mode", mode, _MODES)
    low, high = _limit("t_min", t_min), _limit("t_max", t_max)
    if low > high:
        raise InputError(f"t_min must be at most t_max, got {low} > {high}")
    threads, tick = worker_count(workers), ticking(progress)
    try:
        if tick is not None and not tick(0.0):
            raise _core.Cancelled
        tree = tree_of(one._shape, threads)
        ray, face, t = _core.raycast(tree, starts, along, chosen, low, high, threads, tick)
    except ValueError:
        # the core sees on its way that a number is wrong, and here is told which
        _check_numbers(origins, directions)
        raise
    except _core.Cancelled:
        raise Cancelled("the progress callable returned False; there is no result") from None
    if tick is not None:
        tick.finish()
    for array in (ray, face, t):
        read_only(array)
    return RayHits(ray, face, t, starts, along)


def _rays(origins: object, directions: object) -> tuple[Floats, Floats]:
    """(m, 3) each; a single one goes with all of the other."""
    starts = unchecked_vectors(origins, "origins")
    along = unchecked_vectors(directions, "directions")
    if starts.ndim == along.ndim == 2 and len(starts) != len(along):
        raise InputError(
            f"origins and directions must have the same length, got {len(starts)} and "
            f"{len(along)}; a single one of shape (3,) goes with all of the other"
        )
    count = len(along) if along.ndim == 2 else len(starts) if starts.ndim == 2 else 1
    return _repeated(starts, count), _repeated(along, count)


def _check_numbers(origins: object, directions: object) -> None:
    """Raise unless the core takes these rays."""
    as_vectors(origins, "origins")
    along = as_vectors(directions, "directions")
    still = ~np.atleast_2d(along).any(axis=1)
    if still.any():
        place = "directions" if along.ndim == 1 else f"directions[{int(np.argmax(still))}]"
        raise InputError(f"{place} = (0.0, 0.0, 0.0) has no direction; remove this ray")


def _repeated(vectors: Floats, count: int) -> Floats:
    if vectors.ndim == 2:
        return vectors
    rows = np.ascontiguousarray(np.broadcast_to(vectors, (count, 3)))
    read_only(rows)
    return rows


def _limit(argument: str, value: float) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if isnan(number):
        raise InputError(f"{argument} must be a number or infinite, got {value!r}")
    return number
