"""The three register files, each for many chips side by side: the last axis are the lanes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from impinge._types import Longs, Singles

DOP_LINES = slice(0, 24)
POSE_LINES = slice(24, 33)
INVERSE_LINES = slice(33, 42)
LEAF_LINES = slice(42, 51)
EDGE_LINES = slice(51, 66)

_POSE, _INVERSE, _LEAF = 24, 27, 30


class MatrixFile:
    """33 lines of four floats: 0-23 C and c, 24-29 pose and inverse pose, 30-32 M of a leaf."""

    def __init__(self) -> None:
        self._constant = np.zeros((_LEAF, 4, 1), dtype=np.float32)
        self._leaf = np.zeros((3, 4, 1), dtype=np.float32)

    def load(self, dop: Singles, pose: Singles, inverse: Singles) -> None:
        """What software sets before a query."""
        self._constant[:, :, 0] = np.concatenate([dop, pose, inverse])

    def load_leaf(self, matrix: Singles) -> None:
        """(12, lanes): M of one leaf to each lane."""
        self._leaf = matrix.reshape(3, 4, -1)

    def read(self, lines: Longs) -> Singles:
        """(n, 4, lanes)"""
        found: Singles = self._leaf[lines - _LEAF] if lines[0] >= _LEAF else self._constant[lines]
        return found


class CorrespondenceFile:
    """66 lines (i, k, m, n): line i of the matrices, and three places in the DOP registers.

    The first 24 are set for each query and differ in order: a line comes as early as its last
    operand is there. All others never change: 9 for the pose, 9 for the inverse, 9 for the matrix
    of a leaf, and 5 pairs of operands (k, m) for each edge.
    """

    def __init__(self) -> None:
        self.lines = np.zeros((66, 4), dtype=np.int64)
        corners = [(3 * v, 3 * v + 1, 3 * v + 2) for v in range(3)]
        for part, line, first in (
            (POSE_LINES, _POSE, 0),
            (INVERSE_LINES, _INVERSE, 0),
            (LEAF_LINES, _LEAF, 9),
        ):
            self.lines[part] = [
                (line + c, *(first + at for at in corner)) for corner in corners for c in range(3)
            ]
        edges = []
        for edge in range(3):
            (px, py, pz), (qx, qy, qz) = corners[edge], corners[(edge + 1) % 3]
            edges += [(pz, qz), (px, qz), (qx, pz), (py, qz), (qy, pz)]
        self.lines[EDGE_LINES, 1:3] = edges

    def load(self, places: Longs, awaited: Longs) -> None:
        """Places (24, 3) of the operands of d'_i; line i awaits the register `awaited[i]`."""
        order = np.argsort(awaited, kind="stable")
        self.lines[DOP_LINES, 0] = order
        self.lines[DOP_LINES, 1:] = places[order]

    def read(self, part: slice) -> tuple[Longs, Longs, Longs, Longs]:
        i, k, m, n = self.lines[part].T
        return i, k, m, n


class DopFile:
    """24 floats, three ports to read and one to write.

    A triangle has its corners in d0-d8, moved by the pose in d9-d17, and mapped by the matrix of
    the other leaf in d0-d8 again.
    """

    def __init__(self) -> None:
        self._d = np.zeros((24, 1), dtype=np.float32)

    def fill(self, values: Singles) -> None:
        """From d0 on, (n, lanes)."""
        self._d = np.zeros((24, values.shape[1]), dtype=np.float32)
        self.write(0, values)

    def write(self, first: int, values: Singles) -> None:
        self._d[first : first + len(values)] = values

    def read(self, places: Longs | int | slice) -> Singles:
        found: Singles = self._d[places]
        return found
