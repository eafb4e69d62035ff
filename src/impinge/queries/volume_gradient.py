"""How the volume that two solids have in common changes when they move or deform."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from impinge import _core
from impinge.queries.closest_weights import plane_weights
from impinge.results.gradient import Gradient, VertexGradient, by_vertex

if TYPE_CHECKING:
    from impinge._options import Tick
    from impinge._types import Floats
    from impinge.mesh import Mesh


def volume_gradient(
    meshes: tuple[Mesh, Mesh],
    solids: tuple[_core.Solid, _core.Solid],
    workers: int,
    tick: Tick | None,
) -> Gradient:
    """Of two solids that overlap.

    A volume grows by what its boundary sweeps over, along the outward normal. What a vertex sweeps
    falls linearly to the opposite side of each face: over a piece of the face it is that at the
    centroid of the piece.
    """
    points, faces, surfaces, parents = _core.overlap_pieces(*solids, workers, tick)
    corners = points[faces]
    areas = 0.5 * np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    centroids = corners.mean(axis=1)
    sides: list[VertexGradient] = []
    for side, mesh in enumerate(meshes):
        of = surfaces == side
        ids = mesh.faces[parents[of]]
        weights = plane_weights(centroids[of], mesh.vertices[ids])
        rows: Floats = weights[:, :, None] * areas[of, None]
        sides.append(by_vertex(ids, rows, len(mesh.vertices)))
    of = surfaces == 1
    rotation = np.cross(centroids[of], areas[of]).sum(axis=0)
    return Gradient(sides[0], sides[1], areas[of].sum(axis=0) + 0.0, rotation + 0.0)
