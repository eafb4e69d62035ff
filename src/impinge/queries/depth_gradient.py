"""How the depth of an overlap changes when the solids move or deform.

The deepest point lies in one solid, the *container*, as far as possible from its boundary, and may
not leave the other one, the *visitor*. The derivatives are those of a greatest value under such
conditions: the faces of the container that are closest to the point share the depth among them, and
the faces of the visitor that the point is on hold it, so that all forces on it add up to zero.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from impinge.queries.closest_weights import closest_weights
from impinge.results.gradient import Gradient, VertexGradient, by_vertex

if TYPE_CHECKING:
    from impinge import _core
    from impinge._types import Floats, Ints, Longs
    from impinge.mesh import Mesh

ACCURACY = 1e-9
"""Of the search for the deepest point: how well it is known which faces are closest to it."""
_ALIKE = 1e-7  # of the depth: faces that are closest, or that the point is on
_ROUNDING = 1e-13  # of the coordinates
_BALANCED = 1e-5


class Faces(NamedTuple):
    """Some faces of a mesh, seen from a point."""

    ids: Ints
    """(k, 3) their corners."""
    weights: Floats
    """(k, 3) of the corners at the closest point."""
    points: Floats
    """(k, 3) that point."""
    distances: Floats
    """(k,) how far it is."""

    def at(self, distance: float, slack: float) -> Faces:
        """Those that are so far from the point."""
        right = np.abs(self.distances - distance) <= slack
        return Faces(*(column[right] for column in self))

    def by_vertex(self, forces: Floats, count: int) -> VertexGradient:
        """Forces (k, 3) at the closest points, shared out to the corners."""
        return by_vertex(self.ids, self.weights[:, :, None] * forces[:, None], count)


def depth_gradient(
    meshes: tuple[Mesh, Mesh], solids: tuple[_core.Solid, _core.Solid], point: Floats, depth: float
) -> Gradient | None:
    """By the deepest point (3,); None when it is not known well enough which faces decide."""
    slack = _ALIKE * depth + _ROUNDING * max(mesh._farthest() for mesh in meshes)
    faces = [_faces_within(mesh, point, depth + slack) for mesh in meshes]
    # faces between glued shells do not count, so that the closest one does not tell for certain
    nearest = [each.distances.min(initial=np.inf) for each in faces]
    for container in sorted((0, 1), key=nearest.__getitem__, reverse=True):
        visitor = 1 - container
        walls, floors = faces[container].at(depth, slack), faces[visitor].at(0.0, slack)
        away = (point - walls.points) / walls.distances[:, None]
        outward = _normals(meshes[visitor].vertices[floors.ids], solids[visitor].turned)
        shares = _balance(away, outward)
        if shares is not None:
            pushed, held = np.split(shares[:, None] * np.concatenate([-away, outward]), [len(away)])
            sides = {container: (walls, pushed), visitor: (floors, held)}
            return _gradient(meshes, sides[0], sides[1])
    return None


def _gradient(
    meshes: tuple[Mesh, Mesh], a: tuple[Faces, Floats], b: tuple[Faces, Floats]
) -> Gradient:
    by_a, by_b = (
        faces.by_vertex(forces, len(mesh.vertices))
        for mesh, (faces, forces) in zip(meshes, (a, b), strict=True)
    )
    faces, forces = b
    rotation = np.cross(faces.points, forces).sum(axis=0)
    return Gradient(by_a, by_b, forces.sum(axis=0) + 0.0, rotation + 0.0)


def _faces_within(mesh: Mesh, point: Floats, reach: float) -> Faces:
    ids = mesh.faces[_in_reach(mesh, point, reach)]
    triangles = mesh.vertices[ids]
    weights = closest_weights(np.broadcast_to(point, (len(ids), 3)), triangles)
    points = np.einsum("kc,kcx->kx", weights, triangles)
    return Faces(ids, weights, points, np.linalg.norm(points - point, axis=1))


def _in_reach(mesh: Mesh, point: Floats, reach: float) -> Longs:
    """Faces of which no bound tells that they are farther than that from a point."""
    beyond = np.zeros(len(mesh.vertices), dtype=np.uint8)
    for axis in range(3):
        along = mesh.vertices[:, axis] - point[axis]
        beyond |= (along > reach).view(np.uint8) << (2 * axis)
        beyond |= (along < -reach).view(np.uint8) << (2 * axis + 1)
    corners = [beyond[mesh.faces[:, k]] for k in range(3)]
    # not all beyond one side of a cube around the point
    faces = np.flatnonzero((corners[0] & corners[1] & corners[2]) == 0)
    first, *others = (mesh.vertices[mesh.faces[faces, k]] for k in range(3))
    size = np.maximum(*(np.linalg.norm(other - first, axis=1) for other in others))
    near = np.linalg.norm(first - point, axis=1) <= (reach + size) * (1 + _ALIKE)
    return faces[near]


def _normals(triangles: Floats, turned: bool) -> Floats:
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    sign = -1.0 if turned else 1.0
    outward: Floats = sign * normals / np.where(lengths > 0, lengths, 1.0)
    return outward


def _balance(away: Floats, outward: Floats) -> Floats | None:
    """Shares of the walls, which add up to one, and forces of the floors, none of them negative.

    The walls push the point away, and the floors hold it. None when that is not possible.
    """
    columns = np.concatenate([away, -outward])
    matrix = np.vstack([columns.T, np.arange(len(columns)) < len(away)])
    target = np.array([0.0, 0.0, 0.0, 1.0])
    shares = _non_negative(matrix, target)
    if np.abs(matrix @ shares - target).max() > _BALANCED:
        return None
    return shares


def _non_negative(matrix: Floats, target: Floats) -> Floats:
    """The least squares solution without negative entries, after Lawson and Hanson."""
    size = matrix.shape[1]
    solution, free = np.zeros(size), np.zeros(size, dtype=bool)
    for _ in range(10 * len(target)):
        slope = matrix.T @ (target - matrix @ solution)
        slope[free] = 0.0
        if slope.max(initial=0.0) <= 1e-12:
            break
        free[slope.argmax()] = True
        while True:
            trial = np.zeros(size)
            trial[free] = np.linalg.lstsq(matrix[:, free], target, rcond=None)[0]
            bad = free & (trial <= 0.0)
            if not bad.any():
                break
            # as far as the first one that would become negative
            falls = solution[bad] - trial[bad]
            step = (solution[bad] / np.where(falls > 0, falls, 1.0)).min()
            solution = solution + step * (trial - solution)
            free &= solution > 1e-15
        solution = trial
    return solution
