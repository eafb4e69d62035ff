"""How the distance of two meshes changes when they move or deform."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from impinge.queries.closest_weights import closest_weights
from impinge.results.gradient import Gradients

if TYPE_CHECKING:
    from impinge._types import Floats
    from impinge.mesh import Mesh
    from impinge.results.distances import Distances


def distance_gradients(a: Mesh, b: Mesh, poses: Floats, distances: Distances) -> Gradients:
    """Of the distances in poses (m, 4, 4) of b, by their closest points and faces.

    A distance is the least over all pairs of points, so where only one pair is closest its
    derivative is that of the distance of these two, each fixed to its face.
    """
    values, points, pairs = distances.values, distances.points, distances.pairs
    found = np.isfinite(values)
    apart = found & (values > 0)
    steps = points[:, 1] - points[:, 0]
    normals = np.full((len(values), 3), np.nan)
    # the least value there is; where the meshes cross it is so all around
    normals[found] = 0.0
    normals[apart] = _units(steps[apart])
    vertices = np.full((len(values), 2, 3), -1, dtype=np.int32)
    rows = np.full((len(values), 2, 3, 3), np.nan)
    turns = poses[found, :3, :3]
    for side, mesh in enumerate((a, b)):
        corners = mesh.faces[pairs[found, side]]
        triangles = mesh.vertices[corners]
        along = -normals[found]
        if side == 1:
            triangles = triangles @ turns.transpose(0, 2, 1) + poses[found, None, :3, 3]
            # by the vertices before the pose
            along = np.einsum("mxk,mx->mk", turns, normals[found])
        weights = closest_weights(points[found, side], triangles)
        vertices[found, side] = corners
        rows[found, side] = weights[:, :, None] * along[:, None]
    rotations = np.cross(points[:, 1], normals)
    return Gradients(normals, rotations, vertices, rows, (len(a.vertices), len(b.vertices)))


def _units(vectors: Floats) -> Floats:
    # so that squares neither overflow nor vanish
    vectors = vectors / np.abs(vectors).max(axis=1, keepdims=True)
    units: Floats = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return units
