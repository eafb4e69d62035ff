"""Pairs of solids whose relation and overlap are known by counting cells of a grid.

Each solid is a set of cells; its mesh is made in one of several ways that all enclose it: squares
between cells cut at random, with faces that cancel and faces without area; boxes glued to each
other with faces of different sizes; boxes that overlap. A shear of whole numbers rounds nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from support.cells import cell_triangles, indexed, random_shear
from support.meshes import Arrays

SIZE = 3
"""Cells of the grid along each axis."""

_CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
# counter-clockwise from outside
_QUADS = np.array(
    [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
)


@dataclass(frozen=True)
class SolidPair:
    a: Arrays
    b: Arrays
    cells_a: np.ndarray
    """(SIZE, SIZE, SIZE) bool."""
    cells_b: np.ndarray
    shear: np.ndarray

    @property
    def relation(self) -> str:
        """Name of the `Relation`."""
        a, b = self.cells_a, self.cells_b
        if np.array_equal(a, b):
            return "EQUAL"
        if not (a & ~b).any():
            return "A_INSIDE"
        if not (b & ~a).any():
            return "B_INSIDE"
        if (a & b).any():
            return "OVERLAPPING"
        return "TOUCHING" if (_grown(a) & b).any() else "APART"

    @property
    def common(self) -> np.ndarray:
        """(k, 3) cells of both; each has the volume 1."""
        return np.argwhere(self.cells_a & self.cells_b)

    @property
    def centroid(self) -> np.ndarray:
        return (self.common + 0.5).mean(axis=0) @ self.shear.T

    @property
    def bounds(self) -> np.ndarray:
        corners = (self.common[:, None] + _CORNERS).reshape(-1, 3) @ self.shear.T
        return np.array([corners.min(axis=0), corners.max(axis=0)])


def random_pair(rng: np.random.Generator, *, overlapping_shells: bool) -> SolidPair:
    """Two solids; one of them may have shells that overlap each other."""
    if overlapping_shells:
        cells_a, triangles_a = _loose_boxes(rng)
    else:
        cells_a = _random_cells(rng)
        triangles_a = _surface(rng, cells_a)
    cells_b = _other_cells(rng, cells_a)
    triangles_b = _surface(rng, cells_b)
    if rng.random() < 0.5:
        cells_a, cells_b = cells_b, cells_a
        triangles_a, triangles_b = triangles_b, triangles_a
    shear = random_shear(rng)
    a, b = (indexed(rng, triangles @ shear.T * 1.0) for triangles in (triangles_a, triangles_b))
    return SolidPair(a, b, cells_a, cells_b, shear)


def box_triangles(rng: np.random.Generator, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """(12, 3, 3) of a box, each side cut along one of its diagonals."""
    turned = [np.roll(quad, rng.integers(2)) for quad in _QUADS]
    faces = [face for quad in turned for face in (quad[[0, 1, 2]], quad[[0, 2, 3]])]
    corners: np.ndarray = low + _CORNERS * (high - low)
    return corners[np.array(faces)]


def _grown(cells: np.ndarray) -> np.ndarray:
    """Those cells and all around them."""
    padded = np.pad(cells, 1)
    near = np.zeros_like(cells)
    for shift in np.ndindex(3, 3, 3):
        near |= padded[tuple(slice(s, s + SIZE) for s in shift)]
    return near


def _random_cells(rng: np.random.Generator) -> np.ndarray:
    """Blocks of one or two cells each, somewhere in the grid."""
    count, block = [(1, 1), (1, 2), (2, 1), (3, 1)][rng.integers(4)]
    some = rng.random((count, count, count)) < rng.choice([0.2, 0.5, 0.8, 1.0])
    some.flat[rng.integers(some.size)] = True
    if count == 3 and rng.random() < 0.2:
        some[...] = True
        some[1, 1, 1] = False  # a cavity
    grown = some.repeat(block, 0).repeat(block, 1).repeat(block, 2)
    place = [int(rng.integers(SIZE - n + 1)) for n in grown.shape]
    cells = np.zeros((SIZE, SIZE, SIZE), dtype=bool)
    cells[tuple(slice(p, p + n) for p, n in zip(place, grown.shape, strict=True))] = grown
    return cells


def _other_cells(rng: np.random.Generator, cells: np.ndarray) -> np.ndarray:
    """The same ones, some of them, more, those beside them, or any."""
    some = rng.random(cells.shape) < 0.6
    near = _grown(cells)
    choices = [cells, cells & some, cells | (near & some), near & ~cells & some]
    chosen = choices[rng.integers(4)] if rng.random() < 0.7 else _random_cells(rng)
    return chosen.copy() if chosen.any() else cells.copy()


def _surface(rng: np.random.Generator, cells: np.ndarray) -> np.ndarray:
    kind = rng.integers(3)
    if kind == 0:
        return _glued_boxes(rng, cells)
    if kind == 1:
        # shells of their own, glued to each other
        labels = rng.integers(3, size=cells.shape)
        parts = [cells & (labels == label) for label in range(3)]
        made = [cell_triangles(rng, part.astype(int)) for part in parts if part.any()]
        return np.concatenate(made)
    return cell_triangles(rng, cells.astype(int))


def _glued_boxes(rng: np.random.Generator, cells: np.ndarray) -> np.ndarray:
    """Boxes that fill the cells without overlap."""
    left = cells.copy()
    made = []
    for cell in rng.permutation(np.argwhere(cells)):
        if not left[tuple(cell)]:
            continue
        low, high = cell.copy(), cell + 1
        for axis in rng.permutation(3):
            while high[axis] < SIZE and rng.random() < 0.8:
                wider = high.copy()
                wider[axis] += 1
                if not left[tuple(slice(a, b) for a, b in zip(low, wider, strict=True))].all():
                    break
                high = wider
        left[tuple(slice(a, b) for a, b in zip(low, high, strict=True))] = False
        made.append(box_triangles(rng, low, high))
    return np.concatenate(made)


def _loose_boxes(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Boxes that overlap as they like, some of them inside out; the cells with a number above 0."""
    while True:
        windings = np.zeros((SIZE, SIZE, SIZE), dtype=int)
        made = []
        for _ in range(rng.integers(1, 5)):
            low = rng.integers(0, SIZE, 3)
            high = np.minimum(low + rng.integers(1, SIZE + 1, 3), SIZE)
            sign = 1 if rng.random() < 0.8 else -1
            windings[tuple(slice(a, b) for a, b in zip(low, high, strict=True))] += sign
            made.append(box_triangles(rng, low, high)[:, ::sign])
        if (windings > 0).any():
            return windings > 0, np.concatenate(made)
