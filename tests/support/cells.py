"""Solids whose truth is known: cells of a grid of whole numbers, sheared without rounding.

Each cell has a winding number. Its surface is made of the squares between cells, each as often as
the winding numbers differ, or with more of them that cancel, and is cut into triangles at random.
Whole coordinates and a shear of whole numbers with determinant 1 round nothing, and a point is
inside, on the surface or outside by the cells that it touches.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from support.meshes import Arrays, arrays

_CORNERS = np.array([(0, 0), (1, 0), (1, 1), (0, 1)])


@dataclass(frozen=True)
class CellSolid:
    windings: np.ndarray
    """(i, j, k) winding number of each cell."""
    mesh: Arrays
    shear: np.ndarray
    """(3, 3) whole numbers, determinant 1."""
    offset: np.ndarray
    scale: float

    def points(self, places: np.ndarray) -> np.ndarray:
        """Places in the grid as points beside the mesh, without rounding."""
        exact = places @ self.shear.T + self.offset
        assert np.array_equal(exact * 8, np.round(exact * 8)), "places are eighths"
        assert np.abs(exact).max(initial=0) < 2**40
        return np.ascontiguousarray(exact * self.scale)

    def sides(self, places: np.ndarray) -> np.ndarray:
        """(m,) int8 on which side these places are."""
        turned = self.windings.max() <= 0 and self.windings.min() < 0
        solid = np.pad(self.windings < 0 if turned else self.windings > 0, 2)
        low = np.floor(places).astype(int)
        # a place between two cells touches both
        before = low - (places == low)
        touched = [
            solid[tuple(np.clip(np.where(corner, low, before) + 2, 0, np.array(solid.shape) - 1).T)]
            for corner in np.ndindex(2, 2, 2)
        ]
        some, all_of = np.any(touched, axis=0), np.all(touched, axis=0)
        return np.where(all_of, -1, np.where(some, 0, 1)).astype(np.int8)


def random_cells(rng: np.random.Generator, size: int = 3) -> np.ndarray:
    """Winding numbers: random cells, or shells around boxes of cells that overlap as they like."""
    shape = rng.integers(1, size + 1, size=3)
    windings = np.zeros(shape, dtype=int)
    if rng.random() < 0.5:
        kinds = [(0, 1), (0, 1, 2), (-1, 0, 1), (0, -1)]
        return rng.choice(kinds[rng.integers(len(kinds))], size=shape)
    for _ in range(rng.integers(1, 4)):
        low = np.array([rng.integers(n) for n in shape])
        high = np.array([rng.integers(a + 1, n + 1) for a, n in zip(low, shape, strict=True)])
        box = tuple(slice(a, b) for a, b in zip(low, high, strict=True))
        windings[box] += rng.choice([1, -1, 1])
    return windings


def cell_solid(rng: np.random.Generator, windings: np.ndarray) -> CellSolid:
    """A solid of cells, its surface cut into triangles at random and sheared."""
    corners = cell_triangles(rng, windings)
    shear = random_shear(rng)
    offset = rng.integers(-5, 6, size=3)
    scale = 2.0 ** int(rng.integers(-3, 4))
    mesh = indexed(rng, (corners @ shear.T + offset) * scale)
    return CellSolid(windings, mesh, shear, offset, scale)


def cell_triangles(rng: np.random.Generator, windings: np.ndarray) -> np.ndarray:
    """(n, 3, 3) the surface around cells, cut into triangles at random, in the grid."""
    squares = _squares(rng, windings)
    triangles = [piece for quad, count in squares for piece in _cut(rng, quad, count)]
    triangles += _threads(rng, triangles)
    order = rng.permutation(len(triangles))
    turned = [np.roll(triangles[i], rng.integers(3), axis=0) for i in order]
    return np.array(turned).reshape(-1, 3, 3)


def indexed(rng: np.random.Generator, corners: np.ndarray) -> Arrays:
    """A mesh of triangles (n, 3, 3); equal vertices are mostly one."""
    exact = corners.reshape(-1, 3)
    if rng.random() < 0.3:
        return arrays(exact, np.arange(len(exact)).reshape(-1, 3))
    vertices, index = np.unique(exact, axis=0, return_inverse=True)
    return arrays(vertices, index.reshape(-1, 3))


def places_of(rng: np.random.Generator, windings: np.ndarray, count: int) -> np.ndarray:
    """(m, 3) corners, middles of edges, squares and cells, and other eighths, all mixed."""
    size = np.array(windings.shape)
    halves = rng.integers(-1, 2 * size + 2, size=(count, 3)) / 2
    eighths = rng.integers(-4, 8 * size + 5, size=(count, 3)) / 8
    whole = rng.random((count, 3)) < 0.5
    mixed = np.where(whole, np.round(halves), eighths)
    return np.concatenate([halves, eighths, mixed])


def _squares(rng: np.random.Generator, windings: np.ndarray) -> list[tuple[np.ndarray, int]]:
    """The squares between cells (4, 3), counter-clockwise seen from above, and how often."""
    padded = np.pad(windings, 1)
    more = rng.random() < 0.5
    found = []
    for axis in range(3):
        # a square has the cell below it inside when it is turned upward
        jump = -np.diff(padded, axis=axis)
        across = [(axis + 1) % 3, (axis + 2) % 3]
        for cell in np.argwhere(np.ones_like(jump, dtype=bool)):
            place = cell - 1
            place[axis] += 1
            quad = np.tile(place, (4, 1))
            quad[:, across] += _CORNERS
            count = int(jump[tuple(cell)])
            found += [(quad, count)] if count else []
            if more and rng.random() < 0.1:
                found += [(quad, 1), (quad, -1)]
    return found


def _cut(rng: np.random.Generator, quad: np.ndarray, count: int) -> list[np.ndarray]:
    """Triangles of a square, turned around for a negative count."""
    quad = quad if count > 0 else quad[::-1]
    pieces = []
    for _ in range(abs(count)):
        ring = np.roll(quad, rng.integers(4), axis=0).astype(float)
        middle = (ring[0] + ring[2]) / 2
        if rng.random() < 0.3:
            pieces += [np.array([ring[i], ring[(i + 1) % 4], middle]) for i in range(4)]
        else:
            pieces += [ring[[0, 1, 2]], ring[[0, 2, 3]]]
    return pieces


def _threads(rng: np.random.Generator, triangles: list[np.ndarray]) -> list[np.ndarray]:
    """Faces without area that cut an edge of a face in two: the other half is a face of its own."""
    if rng.random() < 0.7 or not triangles:
        return []
    extra = []
    for i in rng.choice(len(triangles), size=min(3, len(triangles)), replace=False):
        a, b, c = triangles[i]
        middle = (a + b) / 2
        triangles[i] = np.array([a, middle, c])
        extra += [np.array([middle, b, c]), np.array([a, b, middle])]
        extra += [np.array([a, a, c])] if rng.random() < 0.5 else []
    return extra


def random_shear(rng: np.random.Generator) -> np.ndarray:
    """A random matrix of whole numbers with determinant 1."""
    matrix = np.eye(3, dtype=int)
    for _ in range(rng.integers(0, 4)):
        i, j = rng.choice(3, size=2, replace=False)
        matrix[i] += rng.integers(-2, 3) * matrix[j]
    return np.roll(matrix, rng.integers(3), axis=0)
