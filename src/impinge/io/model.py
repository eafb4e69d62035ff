"""What a mesh file holds: named, posed parts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from impinge.mesh import Mesh

_IDENTITY = np.eye(4)


@dataclass(frozen=True, eq=False)
class Part:
    """One placed mesh of a file; instances of one mesh share the same `Mesh` object.

    See Also
    --------
    impinge.io.Model

    Examples
    --------
    >>> from impinge import data, io
    >>> part = io.read(data.path("gearbox.glb")).parts[0]
    >>> part.pose.shape
    (4, 4)
    >>> part.numbers, f"{part.precision:.1e}"
    ('float32 coordinates up to 140', '1.0e-05')
    """

    name: str
    """As in the file."""
    mesh: Mesh
    """In local coordinates."""
    pose: NDArray[np.float64]
    """(4, 4) float64: world = R v + t, in the units of the file."""
    numbers: str = "exact coordinates"
    """How its coordinates are stored, in words: "float32 coordinates up to 150"."""

    @property
    def precision(self) -> float:
        """How far its vertices may be from where they were meant: `Mesh.precision`, as long as the
        pose makes it."""
        return self.mesh.precision * pose_scale(self.pose)


@dataclass(frozen=True, eq=False)
class Model:
    """The parts of a file in its order, and what a lenient read had to leave out.

    See Also
    --------
    impinge.io.read

    Examples
    --------
    >>> from impinge import data, io
    >>> model = io.read(data.path("gearbox.glb"))
    >>> len(model.parts), model.triangles
    (44, 18304)
    """

    path: Path
    """The file."""
    parts: tuple[Part, ...]
    """In the order of the file."""
    warnings: tuple[str, ...] = ()
    """What a lenient read left out."""

    @property
    def triangles(self) -> int:
        """Triangles of all parts, instances counted each time."""
        return sum(len(part.mesh.faces) for part in self.parts)


def pose_scale(pose: NDArray[np.float64]) -> float:
    """How much longer a displacement can become under a pose (4, 4)."""
    return float(np.linalg.norm(pose[:3, :3], 2))


def identity() -> NDArray[np.float64]:
    """The pose of a part that stays where its file puts it, (4, 4)."""
    return _IDENTITY.copy()
