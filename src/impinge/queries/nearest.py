"""Where a surface is closest to points."""

from __future__ import annotations

from typing import TYPE_CHECKING

from impinge import _core
from impinge.queries.points import PointQuery
from impinge.results.nearest import Nearest

if TYPE_CHECKING:
    from impinge._types import Floats, Progress


def nearest(
    mesh: object,
    points: object,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Nearest:
    """The closest point of a mesh to each of the points, and how far it is.

    Parameters
    ----------
    mesh : mesh-like
        See `Mesh.of`. Any mesh, open ones included.
    points : (m, 3) array_like
        Finite and at most 1e100 in size.
    workers, progress
        As for `impinge.collide`.

    Returns
    -------
    Nearest
        To the rounding of float64. Of faces that are equally close the lowest.

    See Also
    --------
    impinge.Nearest, impinge.signed_distance, impinge.distance

    Examples
    --------
    >>> import impinge
    >>> square = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], [(0, 1, 2), (0, 2, 3)]
    >>> found = impinge.nearest(square, [(0.25, 0.5, 2), (2, 1, 0)])
    >>> found.points.tolist()
    [[0.25, 0.5, 0.0], [1.0, 1.0, 0.0]]
    >>> found.distances.tolist(), found.faces.tolist()
    ([2.0, 1.0], [1, 0])
    """
    return PointQuery(mesh, points, workers, progress).ask(_nearest)


def signed_distance(
    mesh: object,
    points: object,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Floats:
    """How far each point is from the surface of a solid, negative inside.

    Parameters
    ----------
    mesh, points, workers, progress
        As for `impinge.side`.

    Returns
    -------
    (m,) float64
        The sign is that of `impinge.side` and exact, 0.0 for points on the surface alone; the size
        is that of `impinge.nearest`, rounded.

    See Also
    --------
    impinge.side, impinge.nearest

    Examples
    --------
    >>> import impinge
    >>> vertices = [(0, 0, 0), (4, 0, 0), (0, 4, 0), (0, 0, 4)]
    >>> mesh = impinge.Mesh(vertices, [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
    >>> impinge.signed_distance(mesh, [(0.5, 1, 1), (1, 1, 2), (-3, 1, 1)])
    array([-0.5,  0. ,  3. ])
    """
    return PointQuery(mesh, points, workers, progress).ask(_signed)


def _nearest(query: PointQuery) -> Nearest:
    return Nearest(*_core.nearest(query.tree(), query.points, query.workers, query.tick))


def _signed(query: PointQuery) -> Floats:
    tree, turned = query.solid()
    return _core.signed_distances(tree, query.points, turned, query.workers, query.tick)
