"""The deepest point next to one that is nearly so, and the faces that keep it there.

The point lies in a *container*, as far as possible from its boundary, and may not leave the other
solid, the *visitor*. The faces of the container that are closest to it are its *walls*: each gives
it room away from itself. The faces of the visitor that it lies on are its *floors*. Where it cannot
get any deeper, shares of the walls, one in sum, push it as much as the floors hold it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from impinge.queries.closest_weights import closest_weights
from impinge.queries.least_cost import Balance, least_cost

if TYPE_CHECKING:
    from impinge._types import Bools, Floats, Ints, Longs
    from impinge.mesh import Mesh

# how far the point may be from the deepest one, in depths
_REACHES = (1e-4, 1e-2, 0.2)
_MOST_STEPS = 40
_BALANCED = 1e-9
_UNIT = np.array([0.0, 0.0, 0.0, 1.0])


class Faces(NamedTuple):
    """Some faces of a mesh, seen from a point."""

    ids: Ints
    """(k, 3) their corners."""
    triangles: Floats
    """(k, 3, 3)."""
    weights: Floats
    """(k, 3) of the corners at the closest point."""
    points: Floats
    """(k, 3) that point."""
    distances: Floats
    """(k,) how far it is."""

    @classmethod
    def seen(cls, ids: Ints, triangles: Floats, point: Floats) -> Faces:
        weights = closest_weights(np.broadcast_to(point, (len(ids), 3)), triangles)
        points = np.einsum("kc,kcx->kx", weights, triangles)
        return cls(ids, triangles, weights, points, np.linalg.norm(points - point, axis=1))

    @classmethod
    def within(cls, mesh: Mesh, point: Floats, reach: float) -> Faces:
        ids = mesh.faces[_in_reach(mesh, point, reach)]
        return cls.seen(ids, mesh.vertices[ids], point)

    def only(self, chosen: Bools) -> Faces:
        return Faces._make(column[chosen] for column in self)

    def again(self, point: Floats) -> Faces:
        """The same ones, seen from another point."""
        return Faces.seen(self.ids, self.triangles, point)


class Held(NamedTuple):
    """The deepest point, the faces that keep it there, and derivatives of the depth by those."""

    point: Floats
    """(3,)."""
    walls: Faces
    pushes: Floats
    """(k, 3)."""
    floors: Faces
    holds: Floats
    """(l, 3)."""


class Search(NamedTuple):
    """What is looked for."""

    container: Mesh
    visitor: Mesh
    turned: bool
    """Whether the visitor is inside out."""
    depth: float
    """Of the point that is known."""
    slack: float
    """What distances are off by rounding."""


def held_by(search: Search, point: Floats) -> Held | None:
    """What keeps the deepest point next to `point` where it is; None when that is not found."""
    for reach in _REACHES:
        around = reach * search.depth
        walls = Faces.within(search.container, point, search.depth + 4 * around)
        # closer ones are no boundary, but between glued shells
        walls = walls.only(walls.distances >= search.depth - search.slack)
        floors = Faces.within(search.visitor, point, 2 * around + search.slack)
        if not len(walls.ids):
            return None
        while True:
            outward = _normals(floors.triangles, search.turned)
            heights = np.einsum("kx,kx->k", point - floors.triangles[:, 0], outward)
            # of a hollow edge one side does not bound what is behind the other
            behind = (heights <= search.slack) & outward.any(axis=1)
            floors, outward = floors.only(behind), outward[behind]
            found = _climb(walls, floors, outward, point, around)
            if found is None:
                break
            real = (found.floors.distances <= search.slack) | ~found.holds.any(axis=1)
            if real.all():
                return found
            floors = floors.only(real)
    return None


def _climb(
    walls: Faces, floors: Faces, outward: Floats, start: Floats, around: float
) -> Held | None:
    """By linear programs, in a cube; None when the way leads out of it.

    The distance from a triangle is convex: it is not less than its tangent, so that no step is too
    long.
    """
    point, scale = start, float(walls.distances.min())
    cube = np.concatenate([np.eye(3), -np.eye(3)])
    for _ in range(_MOST_STEPS):
        away = (point - walls.points) / walls.distances[:, None]
        heights = np.einsum("kx,kx->k", point - floors.triangles[:, 0], outward)
        held, room = np.concatenate([outward, cube]), around - cube @ (point - start)
        balance = _balance(away, walls.distances, held, np.concatenate([-heights, room]))
        step = -balance.prices[:3] * walls.distances.min()
        if np.abs(step).max() <= 1e-15 * (scale + np.abs(point).max()):
            break
        point = point + step
        walls = walls.again(point)
    shares = balance.amounts
    k, end = len(away), len(away) + len(outward)
    if shares[end:].sum() > _BALANCED:
        return None
    pushes, holds = -shares[:k, None] * away, shares[k:end, None] * outward
    return Held(point, walls, pushes, floors.again(point), holds)


def _balance(away: Floats, distances: Floats, held: Floats, room: Floats) -> Balance:
    """Between walls and all that holds the point, of which the last are the sides of a cube.

    `room` is how far it may go in the directions in which it is held.
    """
    columns = np.zeros((len(away) + len(held), 4))
    columns[:, :3] = np.concatenate([away, -held])
    columns[: len(away), 3] = 1.0
    nearest = int(distances.argmin())
    sides = [axis if away[nearest, axis] >= 0 else axis + 3 for axis in range(3)]
    basis = [nearest, *(len(columns) - 6 + side for side in sides)]
    costs = np.concatenate([distances, np.maximum(room, 0.0)]) / distances[nearest]
    return least_cost(columns, costs, _UNIT, basis)


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
    near = np.linalg.norm(first - point, axis=1) <= (reach + size) * (1 + 1e-9)
    found: Longs = faces[near]
    return found


def _normals(triangles: Floats, turned: bool) -> Floats:
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    sign = -1.0 if turned else 1.0
    outward: Floats = sign * normals / np.where(lengths > 0, lengths, 1.0)
    return outward
