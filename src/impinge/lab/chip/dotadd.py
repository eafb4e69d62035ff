"""The DOTADD unit: the only arithmetic of transforms, of DOPs as of triangles."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from impinge._types import Longs, Singles
    from impinge.lab.chip.registers import CorrespondenceFile, DopFile, MatrixFile


def dotadd(k: Singles, m: Singles, n: Singles, line: Singles) -> Singles:
    """((k C0 + m C1) + n C2) + c in float32, each product and each sum rounded to nearest.

    The coefficients are along the second axis of `line` (n, 4, lanes).
    """
    found: Singles = ((k * line[:, 0] + m * line[:, 1]) + n * line[:, 2]) + line[:, 3]
    return found


class DotAdd:
    """Executes lines of the correspondence file.

    No line reads what another of its part writes, so that all of them may be one operation on
    arrays, whatever their order.
    """

    def __init__(
        self, matrices: MatrixFile, correspondence: CorrespondenceFile, registers: DopFile
    ) -> None:
        self._matrices = matrices
        self._correspondence = correspondence
        self._d = registers

    def run(self, part: slice) -> tuple[Longs, Singles]:
        """The line of the matrices and the result (n, lanes) of each line of this part."""
        i, k, m, n = self._correspondence.read(part)
        read = self._d.read
        return i, dotadd(read(k), read(m), read(n), self._matrices.read(i))
