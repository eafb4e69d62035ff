"""What the tests of the chip share: triangles without a tree, in the frame of the chip."""

from __future__ import annotations

import numpy as np

from impinge.lab.chip.memory import Triangles
from impinge.lab.chip.registers import CorrespondenceFile, MatrixFile
from impinge.lab.chip.triangles import TriangleTester
from support import meshes


def crowd(rng: np.random.Generator, count: int, spread: float = 0.6) -> meshes.Arrays:
    """Loose triangles."""
    centres = spread * rng.normal(size=(count, 1, 3))
    return meshes.soup(0.3 * rng.normal(size=(count, 3, 3)) + centres)


def make_tester(
    pose: np.ndarray | None = None, inverse: np.ndarray | None = None, *, closed: bool = False
) -> TriangleTester:
    still = np.eye(4, dtype=np.float32)[:3]
    matrices = MatrixFile()
    matrices.load(
        np.zeros((24, 4), dtype=np.float32),
        still if pose is None else pose,
        still if inverse is None else inverse,
    )
    return TriangleTester(matrices, CorrespondenceFile(), closed=closed)


def triangles(corners: object) -> Triangles:
    return Triangles.of(np.asarray(corners, dtype=np.float32).reshape(-1, 3, 3))
