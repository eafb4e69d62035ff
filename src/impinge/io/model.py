"""What a mesh file holds: named, posed parts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from impinge.mesh import Mesh


@dataclass(frozen=True, eq=False)
class Part:
    """One placed mesh of a file; instances of one mesh share the same `Mesh` object.

    pose: (4, 4) float64, world = R v + t, in the file's units.
    """

    name: str
    mesh: Mesh
    pose: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Model:
    """A file's parts in the file's order, and what a lenient read had to leave out."""

    path: Path
    parts: tuple[Part, ...]
    warnings: tuple[str, ...] = ()

    @property
    def triangles(self) -> int:
        """Triangles of all parts, instances counted each time."""
        return sum(len(part.mesh.faces) for part in self.parts)


def identity() -> NDArray[np.float64]:
    """The pose of a part that stays where its file puts it, (4, 4)."""
    return np.eye(4)
