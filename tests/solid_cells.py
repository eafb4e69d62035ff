"""Solids whose truth is known by counting: unions of cells of an integer grid."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

_CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
# quads of a cell, counter-clockwise from outside: -x +x -y +y -z +z
_QUADS = np.array(
    [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
)
_STEPS = np.array([[-1, 0, 0], [1, 0, 0], [0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1]])


@dataclass
class Cells:
    """A set of unit cells, and a closed mesh of their union."""

    filled: np.ndarray
    vertices: np.ndarray
    faces: np.ndarray

    @property
    def mesh(self):
        return self.vertices, self.faces


def split(quads, random):
    """(n, 4) corners to (2n, 3), each cut along one of its diagonals."""
    turned = np.where(random.integers(2, size=len(quads))[:, None] == 1, quads, np.roll(quads, 1, 1))
    return np.concatenate([turned[:, [0, 1, 2]], turned[:, [0, 2, 3]]])


def _indexed(corners):
    """(n, 3, 3) integer corners to vertices and faces."""
    points, index = np.unique(corners.reshape(-1, 3), axis=0, return_inverse=True)
    return points, index.reshape(-1, 3)


def unit_squares(filled, random, labels=None):
    """(n, 3, 3) triangles around a union of cells; each label is a shell of its own."""
    if labels is None:
        labels = np.zeros(filled.shape, dtype=int)
    tags = np.where(filled, labels + 1, 0)
    tags = np.pad(tags, 1)
    rows = []
    for cell in np.argwhere(tags):
        for quad, step in zip(_QUADS, _STEPS, strict=True):
            if tags[tuple(cell)] != tags[tuple(cell + step)]:
                rows.append(cell - 1 + _CORNERS[quad])
    quads = np.array(rows).reshape(-1, 4, 3)
    points, index = np.unique(quads.reshape(-1, 3), axis=0, return_inverse=True)
    return points[split(index.reshape(-1, 4), random)]


def cuboids(filled, random):
    """(n, 3, 3) triangles of boxes that together fill a union of cells, glued to each other."""
    left = filled.copy()
    rows = []
    cells = np.argwhere(left)
    random.shuffle(cells)
    for cell in cells:
        if not left[tuple(cell)]:
            continue
        low, high = cell.copy(), cell + 1
        for side in random.permutation(6):
            axis, up = divmod(side, 2)
            while True:
                new_low, new_high = low.copy(), high.copy()
                if up:
                    new_high[axis] += 1
                else:
                    new_low[axis] -= 1
                if (new_low < 0).any() or (new_high > left.shape).any():
                    break
                box = tuple(slice(a, b) for a, b in zip(new_low, new_high, strict=True))
                if not left[box].all() or random.random() < 0.2:
                    break
                low, high = new_low, new_high
        left[tuple(slice(a, b) for a, b in zip(low, high, strict=True))] = False
        corners = low + _CORNERS * (high - low)
        rows.append(corners[split(_QUADS, random)])
    return np.concatenate(rows) if rows else np.zeros((0, 3, 3), dtype=int)


def random_cells(random, size, density):
    while True:
        filled = random.random((size, size, size)) < density
        if filled.any():
            return filled


def shear(random):
    """An integer matrix of determinant 1."""
    matrix = np.eye(3, dtype=int)
    for _ in range(4):
        i, j = random.choice(3, 2, replace=False)
        step = np.eye(3, dtype=int)
        step[i, j] = random.integers(-2, 3)
        matrix = step @ matrix
    return matrix


def relation_of(a, b):
    """Name of the relation of two sets of cells, and how many they have in common."""
    common = a & b
    if (a == b).all():
        name = "EQUAL"
    elif not (a & ~b).any():
        name = "A_INSIDE"
    elif not (b & ~a).any():
        name = "B_INSIDE"
    elif common.any():
        name = "OVERLAPPING"
    else:
        grown = np.pad(a, 1)
        near = np.zeros_like(a)
        for shift in np.ndindex(3, 3, 3):
            near |= grown[tuple(slice(s, s + n) for s, n in zip(shift, a.shape, strict=True))]
        name = "TOUCHING" if (near & b).any() else "APART"
    return name, int(common.sum())
