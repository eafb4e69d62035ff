"""Stand-ins for the objects of the paper on DOP trees, with just as many triangles."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from impinge.errors import InputError
from impinge.lab.bench import turning

if TYPE_CHECKING:
    from impinge._types import Floats, Ints

    Arrays = tuple[Floats, Ints]


@dataclass(frozen=True)
class Printed:
    """One half of a row of Table 1; times in microseconds."""

    aligned: int
    tumbled: int
    hardware: int
    software: int
    speedup: int
    checks: int | None = None


@dataclass(frozen=True)
class Object:
    """An object of the paper and what stands for it here."""

    title: str
    triangles: int
    made: str
    """Of `turning.OBJECTS`."""
    file: str | None
    """A real mesh of that nature, taken where there is one."""
    average: Printed
    worst: Printed


OBJECTS: dict[str, Object] = {
    "filter": Object(
        "Filter", 19_326, "plates", None,
        Printed(12_474, 240, 153, 14_936, 98, 1_660), Printed(542_888, 3_553, 5_638, 717_164, 127),
    ),
    "light": Object(
        "Front light", 30_075, "lens", None,
        Printed(389, 73, 15, 524, 36, 68), Printed(7_065, 937, 207, 9_226, 44),
    ),
    "lock": Object(
        "Lock", 62_023, "parts", "cycloidal_soup.ply",
        Printed(279, 81, 15, 401, 27, 9), Printed(4_854, 877, 178, 6_804, 38),
    ),
    "body": Object(
        "Car body", 60_755, "sheet", None,
        Printed(259, 66, 12, 383, 31, 55), Printed(3_076, 538, 110, 5_390, 49),
    ),
    "figure": Object(
        "Buddha", 125_000, "figure", "armadillo.obj",
        Printed(159, 50, 9, 240, 26, 7), Printed(3_345, 301, 77, 4_074, 53),
    ),
}  # fmt: skip


def load(name: str, *, share: float = 1.0, data: str | Path | None = None) -> tuple[Arrays, str]:
    """The mesh, centred, and what it is called. `share` of the triangles are made."""
    mesh, stand_in = _uncentred(name, share, data)
    middle = (mesh[0].min(axis=0) + mesh[0].max(axis=0)) / 2
    return (mesh[0] - middle, mesh[1]), stand_in


def _uncentred(name: str, share: float, data: str | Path | None) -> tuple[Arrays, str]:
    chosen = OBJECTS[name]
    count = round(share * chosen.triangles)
    found = _real(chosen.file, data)
    if found is not None and len(found[1]) <= count:
        return bisected(found, count), str(chosen.file)
    make, _ = turning.OBJECTS[chosen.made]
    asked, mesh = count, make(count)
    while len(mesh[1]) > count and asked > 1:
        asked -= max(1, count // 100)
        mesh = make(asked)
    return bisected(mesh, count), chosen.made


def bisected(mesh: Arrays, count: int) -> Arrays:
    """The same surface in so many faces: those with the longest edges are cut in two."""
    vertices, faces = mesh
    while len(faces) < count:
        ends = vertices[faces]
        lengths = np.linalg.norm(np.roll(ends, -1, axis=1) - ends, axis=2)
        chosen = np.argsort(-lengths.max(axis=1), kind="stable")[: count - len(faces)]
        first = lengths[chosen].argmax(axis=1)
        a, b, c = (faces[chosen, (first + k) % 3] for k in range(3))
        middle = (len(vertices) + np.arange(len(chosen))).astype(faces.dtype)
        vertices = np.concatenate([vertices, (vertices[a] + vertices[b]) / 2])
        halves = np.stack([a, middle, c], axis=1), np.stack([middle, b, c], axis=1)
        faces = np.concatenate([np.delete(faces, chosen, axis=0), *halves])
    return vertices, faces


def _real(file: str | None, data: str | Path | None) -> Arrays | None:
    if file is None or data is None:
        return None
    if not Path(data).is_dir():
        raise InputError(f"data: {data} is not a folder")
    import impinge

    for path in sorted(Path(data).rglob(file)):
        mesh = impinge.load_mesh(path)
        return mesh.vertices, mesh.faces
    return None
