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

    Exact for the float64 numbers as they are given, on faces, edges and vertices too. The solid is
    where the winding number of the mesh is above 0, so that cavities are outside, and shells may
    lie in each other, overlap or share faces. The surface is the boundary of this set: a point on a
    face with solid on both sides is inside.

    Parameters
    ----------
    mesh : Mesh, (vertices, faces), or an object with these attributes
        Closed: every edge is used equally often in both directions, vertices with equal coordinates
        counting as one. Faces of zero area are allowed. A mesh that is wholly inside out is taken
        the other way round, with a warning. Make a `Mesh` of what is asked about more than once: its
        tree is kept.
    points : (m, 3) array_like
        Finite, at most 1e100 in size.
    workers : int, optional
        Number of threads; all cores by default.
    progress : callable, optional
        Called with a fraction from 0 to 1; cancels by returning False.

    Returns
    -------
    (m,) int8
        The sign of `signed_distance`.

    Raises
    ------
    InputError
        When the mesh is open, or the points are no (m, 3) finite numbers.

    See Also
    --------
    contains : True for -1 and 0.
    signed_distance : The distance from the surface with this sign.

    Examples
    --------
    >>> import impinge
    >>> vertices = [(0, 0, 0), (4, 0, 0), (0, 4, 0), (0, 0, 4)]
    >>> corner = impinge.Mesh(vertices, [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)])
    >>> impinge.side(corner, [(1, 1, 1), (1, 1, 2), (2, 2, 2)])
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
        Those of `side`.

    Returns
    -------
    (m,) bool

    Examples
    --------
    >>> import impinge
    >>> vertices = [(0, 0, 0), (4, 0, 0), (0, 4, 0), (0, 0, 4)]
    >>> corner = impinge.Mesh(vertices, [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)])
    >>> impinge.contains(corner, [(1, 1, 1), (1, 1, 2), (2, 2, 2)])
    array([ True,  True, False])
    """
    within: Bools = PointQuery(mesh, points, workers, progress).ask(_sides) <= 0
    return within


def _sides(query: PointQuery) -> Signs:
    tree, turned = query.solid()
    return _core.sides(tree, query.points, turned, query.workers, query.tick)
