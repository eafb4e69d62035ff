"""On which side of a solid points are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from impinge import _core
from impinge.queries.points import PointQuery

if TYPE_CHECKING:
    from impinge._types import Bools, Progress, Signs


def side(
    mesh: object,
    points: object,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Signs:
    """On which side of a solid each point is: -1 inside, 0 on the surface, +1 outside.

    Exact for the float64 numbers as given, on faces, edges and vertices too. The solid is where the
    winding number of the mesh is above 0: cavities are outside, and shells may lie within each
    other, overlap or share faces. The surface is the boundary of this set, so that a point on a
    face with solid on both sides is inside.

    Parameters
    ----------
    mesh : mesh-like
        See `Mesh.of`. Closed: each edge is used equally often in both directions, where vertices
        with equal coordinates count as one. Faces without area are allowed. A mesh that is wholly
        inside out is taken the other way round, with a warning.
    points : (m, 3) array_like
        Finite and at most 1e100 in size.
    workers, progress
        As for `impinge.collide`.

    Returns
    -------
    (m,) int8
        The sign of `signed_distance`.

    Raises
    ------
    InputError
        If the mesh is open; `impinge.nearest` takes any mesh.

    See Also
    --------
    impinge.contains, impinge.signed_distance

    Examples
    --------
    >>> import impinge
    >>> vertices = [(0, 0, 0), (4, 0, 0), (0, 4, 0), (0, 0, 4)]
    >>> mesh = impinge.Mesh(vertices, [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
    >>> impinge.side(mesh, [(1, 1, 1), (1, 1, 2), (2, 2, 2)])
    array([-1,  0,  1], dtype=int8)
    """
    return PointQuery(mesh, points, workers, progress).ask(_sides)


def contains(
    mesh: object,
    points: object,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Bools:
    """Whether a solid contains each point; points on its surface count.

    The same as ``side(mesh, points) <= 0``, and as exact.

    Parameters
    ----------
    mesh, points, workers, progress
        As for `impinge.side`.

    Returns
    -------
    (m,) bool

    See Also
    --------
    impinge.side

    Examples
    --------
    >>> import impinge
    >>> vertices = [(0, 0, 0), (4, 0, 0), (0, 4, 0), (0, 0, 4)]
    >>> mesh = impinge.Mesh(vertices, [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
    >>> impinge.contains(mesh, [(1, 1, 1), (1, 1, 2), (2, 2, 2)])
    array([ True,  True, False])
    """
    within: Bools = PointQuery(mesh, points, workers, progress).ask(_sides) <= 0
    return within


def _sides(query: PointQuery) -> Signs:
    tree, turned = query.solid()
    return _core.sides(tree, query.points, turned, query.workers, query.tick)
