"""Where a surface is closest to points."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

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
    mesh : Mesh, (vertices, faces), or an object with these attributes
        Any mesh, open ones included.
    points : (m, 3) array_like
        Finite, at most 1e100 in size.
    workers : int, optional
        Number of threads; all cores by default.
    progress : callable, optional
        Called with a fraction from 0 to 1; cancels by returning False.

    Returns
    -------
    Nearest
        `points` (m, 3), `distances` (m,) and `faces` (m,), to the rounding of float64; of faces
        that are equally close the lowest. Without faces the distances are infinite, the points NaN
        and the faces -1.

    See Also
    --------
    signed_distance : Negative inside a closed mesh.
    distance : Between two meshes.

    Examples
    --------
    >>> import impinge
    >>> square = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], [(0, 1, 2), (0, 2, 3)]
    >>> found = impinge.nearest(square, [(0.5, 0.25, 2), (2, 1, 0)])
    >>> found.points
    array([[0.5 , 0.25, 0.  ],
           [1.  , 1.  , 0.  ]])
    >>> found.distances
    array([2., 1.])
    >>> found.faces
    array([0, 0], dtype=int32)
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
        Those of `side`.

    Returns
    -------
    (m,) float64
        The sign is that of `side`, which is exact; 0.0 exactly on the surface. The size is rounded.

    Examples
    --------
    >>> import impinge
    >>> vertices = [(0, 0, 0), (4, 0, 0), (0, 4, 0), (0, 0, 4)]
    >>> corner = impinge.Mesh(vertices, [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)])
    >>> impinge.signed_distance(corner, [(0.5, 1, 1), (1, 1, 2), (-3, 1, 1)])
    array([-0.5,  0. ,  3. ])
    """
    return PointQuery(mesh, points, workers, progress).ask(_signed)


def _nearest(query: PointQuery) -> Nearest:
    return Nearest(*_core.nearest(query.tree(), query.points, query.workers, query.tick))


def _signed(query: PointQuery) -> Floats:
    tree, turned = query.solid()
    sides = _core.sides(tree, query.points, turned, query.workers, None)
    _, distances, _ = _core.nearest(tree, query.points, query.workers, query.tick)
    # rounded to zero or not, what is beside the surface has a sign
    np.maximum(distances, np.finfo(np.float64).tiny, out=distances)
    signed: Floats = distances * sides
    return signed
