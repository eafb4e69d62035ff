"""What two solids have in common, as a mesh."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from impinge import _core
from impinge._options import ticking, worker_count
from impinge.mesh import Mesh
from impinge.queries.path import ask
from impinge.queries.penetration import SolidPair

if TYPE_CHECKING:
    from impinge._types import Progress


def overlap(
    a: object,
    b: object,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Mesh:
    """What two solids have in common, as a closed mesh.

    Its faces are the faces of both meshes that are inside the other solid, and those parts of faces
    that are. Where the surfaces cross it has new vertices, which are rounded; that the mesh is
    closed does not depend on rounding.

    Parameters
    ----------
    a, b : Mesh, (vertices, faces), or objects with these attributes
        Those of `penetration`.
    workers : int, optional
        Number of threads; all cores by default.
    progress : callable, optional
        Called with a fraction from 0 to 1; cancels by returning False.

    Returns
    -------
    Mesh
        Without faces when the solids do not overlap.

    Raises
    ------
    InputError
        When a mesh is open, encloses nothing, or has shells that overlap each other.

    See Also
    --------
    penetration : Its volume, centroid and bounds, without the mesh.

    Examples
    --------
    >>> import impinge
    >>> faces = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)]
    >>> corner = impinge.Mesh([(0, 0, 0), (6, 0, 0), (0, 6, 0), (0, 0, 6)], faces)
    >>> moved = impinge.Mesh([(2, 1, 0), (8, 1, 0), (2, 7, 0), (2, 1, 6)], faces)
    >>> common = impinge.overlap(corner, moved)
    >>> common.bounds
    array([[2., 1., 0.],
           [5., 4., 3.]])
    >>> common.report().closed
    True
    """
    threads, tick = worker_count(workers), ticking(progress)
    pair = SolidPair(a, b, threads)

    def cut() -> Mesh:
        if not pair.overlap():
            return Mesh(np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int32))
        vertices, faces, *_ = _core.overlap_pieces(*pair.solids, threads, tick)
        return Mesh._trusted(vertices, faces, "overlap")

    return ask(tick, cut)
