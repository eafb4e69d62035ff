"""Which rays hit."""

from __future__ import annotations

from math import inf, isnan
from typing import TYPE_CHECKING

import numpy as np

from impinge import _core
from impinge._arrays import as_vectors, read_only, unchecked_vectors
from impinge._options import choice, number, ticking, worker_count
from impinge.detectors.bvh import tree_of
from impinge.errors import InputError
from impinge.mesh import Mesh
from impinge.queries.path import ask
from impinge.results.rays import RayHits

if TYPE_CHECKING:
    from impinge._types import Floats, Ints, Progress

_MODES = {"closest": 0, "any": 1, "all": 2}


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
    low, high = (
        number(name, limit, "a number or infinite", lambda x: not isnan(x))
        for name, limit in (("t_min", t_min), ("t_max", t_max))
    )
    if low > high:
        raise InputError(f"t_min must be at most t_max, got {low} > {high}")
    threads, tick = worker_count(workers), ticking(progress)

    def cast() -> tuple[Ints, Ints, Floats]:
        tree = tree_of(one._shape, threads)
        return _core.raycast(tree, starts, along, chosen, low, high, threads, tick)

    try:
        return RayHits(*ask(tick, cast), starts, along)
    except ValueError:
        # the core sees on its way that a number is wrong, and here is told which
        _check_numbers(origins, directions)
        raise


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
