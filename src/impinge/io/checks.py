"""Judges what a reader found: an error by default, a counted warning when lenient."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from impinge._text import one_line
from impinge.errors import MeshFileError
from impinge.io.budget import Budget
from impinge.io.precision import Numbers
from impinge.mesh import Mesh

# The exact predicates are proven for coordinates up to this size.
LARGEST_COORDINATE = 1e100
LONGEST_NAME = 255

Place = Callable[[int], str]

_SURROGATE = re.compile("[\ud800-\udfff]")


class Findings:
    """Collects what is wrong with one file."""

    def __init__(self, path: Path, *, lenient: bool, size: int = 0) -> None:
        self.path = path
        self.lenient = lenient
        self.warnings: list[str] = []
        self.budget = Budget(size)

    @property
    def stem(self) -> str:
        """The name of a mesh that has none: that of the file."""
        return checked_name(self.path.stem)

    def spend(self, amount: int, promise: str, *, place: str = "") -> None:
        """Takes bytes of memory from the budget of the file for what it promises, as "9 parts"."""
        too_much = self.budget.spend(amount)
        if too_much:
            self.fail(f"{promise} {too_much}", place=place)

    def fail(self, cause: str, *, place: str = "") -> NoReturn:
        """Nothing usable can be read: an error also when lenient."""
        raise MeshFileError(self.path, place, cause)

    def problem(self, cause: str, dropped: str, *, place: str = "") -> None:
        """Something is wrong but the rest is usable: an error, or a warning when lenient.

        dropped: what a lenient read leaves out, with its count.
        """
        if not self.lenient:
            raise MeshFileError(self.path, place, cause)
        where = f"{place}: " if place else ""
        self.note(f"{where}{cause}; {dropped}")

    def note(self, text: str) -> None:
        """Something the user should know that costs no triangle."""
        self.warnings.append(one_line(text))


def checked_name(text: str) -> str:
    """A name without spaces around it, cut where it is too long.

    Halves of characters are replaced, for no encoding can write them.
    """
    # Cut before all else: thousands of parts may share one name.
    short = text[: 4 * LONGEST_NAME].strip()[:LONGEST_NAME]
    return _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", short)


def count(number: int, noun: str) -> str:
    """`1 face`, `2 faces`, `3 vertices`."""
    if number != 1:
        noun = noun[:-2] + "ices" if noun.endswith("vertex") else noun + "s"
    return f"{number:,} {noun}"


def checked_mesh(
    findings: Findings,
    vertices: NDArray[np.float64],
    faces: NDArray[np.int64],
    *,
    name: str,
    numbers: Numbers,
    vertex_place: Place = "vertex {}".format,
    face_place: Place = "face {}".format,
) -> Mesh:
    """A `Mesh` of (n, 3) vertices and (m, 3) faces after checks of indices and finiteness.

    numbers: how the coordinates are stored.
    vertex_place, face_place: tell where in the file an index stands.
    """
    faces = drop_faces_out_of_range(findings, faces, len(vertices), face_place)
    usable = usable_vertices(vertices)
    if usable is not None:
        first = int(np.argmin(usable))
        kept = usable[faces].all(axis=1)
        xyz = ", ".join(f"{x:g}" for x in vertices[first])
        findings.problem(
            f"{vertex_defect(vertices[first])} ({xyz})",
            f"dropped {count(int((~usable).sum()), 'vertex')} "
            f"and {count(int((~kept).sum()), 'face')} using them",
            place=vertex_place(first),
        )
        new_index = np.cumsum(usable) - 1
        vertices, faces = vertices[usable], new_index[faces[kept]]
    precision = numbers.precision(vertices)
    return Mesh(vertices, faces.astype(np.int32), name=name, precision=precision)


def drop_faces_out_of_range(
    findings: Findings, faces: NDArray[np.int64], vertices: int, face_place: Place
) -> NDArray[np.int64]:
    """The (m, 3) faces whose indices are all in 0..vertices-1."""
    if not len(faces) or (faces.min() >= 0 and faces.max() < vertices):
        return faces
    outside = (faces < 0) | (faces >= vertices)
    bad = outside.any(axis=1)
    first = int(np.argmax(bad))
    index = int(faces[first][outside[first]][0])
    have = f"only 0 to {vertices - 1} exist" if vertices else "there are no vertices"
    findings.problem(
        f"uses vertex {index}, but {have}",
        f"dropped {count(int(bad.sum()), 'face')} with an index out of range",
        place=face_place(first),
    )
    return faces[~bad]


def usable_vertices(vertices: NDArray[np.float64]) -> NDArray[np.bool_] | None:
    """Which of the (n, 3) vertices are finite and not absurdly far; None when all are."""
    # NaN fails the comparison, so two reductions decide the usual case.
    if not len(vertices) or (
        vertices.min() >= -LARGEST_COORDINATE and vertices.max() <= LARGEST_COORDINATE
    ):
        return None
    return np.asarray((np.abs(vertices) <= LARGEST_COORDINATE).all(axis=1))


def vertex_defect(vertex: NDArray[np.float64]) -> str:
    """Names what is wrong with an unusable vertex."""
    if np.isfinite(vertex).all():
        return f"a coordinate is larger than {LARGEST_COORDINATE:g}"
    return "a coordinate is not a finite number"
