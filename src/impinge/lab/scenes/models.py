"""Real meshes in a folder, which take the place of the made ones."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from impinge.errors import InputError, MeshFileError

if TYPE_CHECKING:
    from impinge._types import Floats, Ints


def find(
    data: str | os.PathLike[str] | None, name: str, faces: int
) -> tuple[Floats, Ints, str] | None:
    """The closed mesh of this name with the nearest number of faces, and its file; None if none.

    It is moved to the origin and scaled to the volume of the unit sphere, but not simplified.
    """
    if data is None:
        return None
    folder = Path(data)
    if not folder.is_dir():
        raise InputError(f"data: {folder} is not a folder")
    found = []
    for path in sorted(folder.rglob(f"{name}*")):
        mesh = _closed(path)
        if mesh is not None:
            found.append((abs(len(mesh[1]) - faces), mesh, path.name))
    if not found:
        return None
    _, (vertices, triangles), file = min(found, key=lambda entry: entry[0])
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    volumes = np.einsum("nk,nk->n", a, np.cross(b, c)) / 6
    center = (volumes[:, None] * (a + b + c) / 4).sum(axis=0) / volumes.sum()
    scale = np.cbrt(4 / 3 * np.pi / volumes.sum())
    return (vertices - center) * scale, triangles, file


def _closed(path: Path) -> tuple[Floats, Ints] | None:
    import impinge
    from impinge.io.read import EXTENSIONS

    if path.suffix.lower() not in EXTENSIONS:
        return None
    try:
        mesh = impinge.load_mesh(path)
    except MeshFileError:
        return None
    report = mesh.report()
    return (mesh.vertices, mesh.faces) if report.closed and report.oriented else None
