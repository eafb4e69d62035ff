"""Triangle against triangle: transforms by the DOTADD unit, then the edges by the IT unit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from impinge.lab.chip.dotadd import DotAdd
from impinge.lab.chip.flat import around_origin, clipped
from impinge.lab.chip.intersection import PROGRAM, IntersectionUnit
from impinge.lab.chip.registers import (
    EDGE_LINES,
    INVERSE_LINES,
    LEAF_LINES,
    POSE_LINES,
    CorrespondenceFile,
    DopFile,
    MatrixFile,
)
from impinge.lab.chip.timing import FIRST_PARAMETER, PIPELINE

if TYPE_CHECKING:
    from impinge._types import Bools
    from impinge.lab.chip.memory import Triangles

# nine coordinates, the pose three behind them, then the matrix
_TRANSFORMS = FIRST_PARAMETER + 9 + 3 + PIPELINE + 9 + PIPELINE
_LANES = 16_384


class TriangleTester:
    """The part of the chip that tests triangles; many pairs at a time, a lane for each."""

    def __init__(
        self, matrices: MatrixFile, correspondence: CorrespondenceFile, *, closed: bool
    ) -> None:
        self._matrices = matrices
        self._edges = correspondence.lines[EDGE_LINES, 1:3].reshape(3, len(PROGRAM), 2)
        self._d = DopFile()
        self._dotadd = DotAdd(matrices, correspondence, self._d)
        self._closed = closed
        self.cycles = 0

    def test(self, aligned: Triangles, tumbled: Triangles) -> Bools:
        """Whether triangles of the aligned and of the tumbled tree meet, lane by lane."""
        hits = np.zeros(len(aligned.flawed), dtype=bool)
        for first in range(0, len(hits), _LANES):
            part = slice(first, first + _LANES)
            a, t = aligned.lanes(part), tumbled.lanes(part)
            found = self._some_edge_hits(t, POSE_LINES, a)
            left = ~found
            found[left] = self._some_edge_hits(a.lanes(left), INVERSE_LINES, t.lanes(left))
            hits[part] = found
        return hits

    def _some_edge_hits(self, triangles: Triangles, way: slice, others: Triangles) -> Bools:
        self._d.fill(triangles.corners)
        self._d.write(9, self._dotadd.run(way)[1])
        self._matrices.load_leaf(others.matrix)
        self._d.write(0, self._dotadd.run(LEAF_LINES)[1])
        undecided = ~others.flawed
        found = np.zeros(len(undecided), dtype=bool)
        self.cycles += _TRANSFORMS * len(undecided)
        for edge in range(3):
            unit = self._edge(edge)
            hit = unit.hit
            if unit.flat.any():
                hit |= unit.flat & self._flat_edge(edge)
            self.cycles += int(np.where(unit.active, len(PROGRAM), 1)[undecided].sum())
            found |= undecided & hit
            undecided &= ~hit
        if self._closed:
            found |= undecided & self._covers()
        return found

    def _edge(self, edge: int) -> IntersectionUnit:
        read = self._d.read
        unit = IntersectionUnit(read(0).shape[0], closed=self._closed)
        for control, (k, m) in zip(PROGRAM, self._edges[edge].tolist(), strict=True):
            unit.step(control, read(k), read(m))
        return unit

    def _flat_edge(self, edge: int) -> Bools:
        p, q = 3 * edge, 3 * ((edge + 1) % 3)
        return clipped(self._d.read(slice(p, p + 2)), self._d.read(slice(q, q + 2)))

    def _covers(self) -> Bools:
        """Coplanar, and around the other triangle."""
        corners = self._d.read(slice(0, 9)).reshape(3, 3, -1)
        found: Bools = (corners[:, 2] == 0).all(axis=0) & around_origin(corners[:, :2])
        return found
