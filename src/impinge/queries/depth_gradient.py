"""How the depth of an overlap changes when the solids move or deform."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from impinge import _core
from impinge.detectors.bvh import tree_of
from impinge.queries.deepest import Faces, Held, Search, held_by
from impinge.results.gradient import Gradient, VertexGradient, by_vertex

if TYPE_CHECKING:
    from impinge._types import Floats
    from impinge.mesh import Mesh

ACCURACY = 1e-5
"""Of the search for the deepest point: others that are nearly as deep are not taken for it."""
_ROUNDING = 1e-12  # of the coordinates


def depth_gradient(
    meshes: tuple[Mesh, Mesh], solids: tuple[_core.Solid, _core.Solid], point: Floats, depth: float
) -> Gradient | None:
    """By a point (3,) that is nearly the deepest; None when it is not found what decides there.

    The depth is a greatest value under conditions: its derivatives are those of the conditions,
    with the forces by which they keep the deepest point where it is.
    """
    slack = _ROUNDING * max(mesh._farthest() for mesh in meshes)
    trees = [tree_of(mesh._shape, 1) for mesh in meshes]
    nearest = [_distance(tree, point) for tree in trees]
    # faces between glued shells are closer than the boundary: then the other one may be meant
    for container in sorted((0, 1), key=nearest.__getitem__, reverse=True):
        visitor = 1 - container
        turned = solids[visitor].turned
        held = held_by(Search(meshes[container], meshes[visitor], turned, depth, slack), point)
        if held is not None and _is_in(trees[visitor], turned, held.point, slack):
            return _gradient(meshes, held, container)
    return None


def _distance(tree: _core.Tree, point: Floats) -> float:
    _, distances, _ = _core.nearest(tree, point[None], 1, None)
    return float(distances[0])


def _is_in(tree: _core.Tree, turned: bool, point: Floats, slack: float) -> bool:
    """Whether a solid has a point, but for rounding; what is not finite it has not."""
    if not np.isfinite(point).all():
        return False
    outside = _core.sides(tree, point[None], turned, 1, None)[0] > 0
    return not outside or _distance(tree, point) <= slack


def _gradient(meshes: tuple[Mesh, Mesh], held: Held, container: int) -> Gradient:
    counts = [len(mesh.vertices) for mesh in meshes]
    sides = (held.walls, held.pushes), (held.floors, held.holds)
    a, b = sides if container == 0 else sides[::-1]
    faces, forces = b
    return Gradient(
        _shared_out(*a, counts[0]),
        _shared_out(*b, counts[1]),
        forces.sum(axis=0) + 0.0,
        np.cross(faces.points, forces).sum(axis=0) + 0.0,
    )


def _shared_out(faces: Faces, forces: Floats, count: int) -> VertexGradient:
    """Forces (k, 3) at the closest points of faces, on their corners."""
    return by_vertex(faces.ids, faces.weights[:, :, None] * forces[:, None], count)
