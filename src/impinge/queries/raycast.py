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
    """Faces hit by the rays origin + t · direction, with t_min ≤ t ≤ t_max.

    A face is a closed triangle: a ray through an edge or vertex hits every face there, all at the
    same t, so no ray slips through a closed surface. A face in whose plane the ray runs is not hit.

    Parameters
    ----------
    mesh : mesh-like
        See `Mesh.of`.
    origins, directions : (m, 3) or (3,) array_like
        Start and direction of each ray; one of shape (3,) goes with all of the other. Directions
        need no unit length.
    mode : {"closest", "any", "all"}
        "closest" reports the first hit of each ray (of equal ones the lowest face), "any" some hit
        of each ray that has one, which is faster, "all" every hit.
    t_min, t_max : float, optional
        Limits of t, both included, in units of the direction.
    workers, progress
        As for `impinge.collide`.

    Returns
    -------
    RayHits

    See Also
    --------
    impinge.RayHits

    Examples
    --------
    >>> import impinge
    >>> vertices = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    >>> mesh = impinge.Mesh(vertices, [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
    >>> hits = impinge.raycast(mesh, (0.25, 0.25, -1), (0, 0, 1), mode="all")
    >>> hits.face.tolist(), hits.t.tolist()
    ([0, 3], [1.0, 1.5])
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
