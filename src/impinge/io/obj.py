"""OBJ: vertices and polygons; objects or groups become parts when there are several.

An own reader, because checking another one's result takes the same parsing again. OBJ declares no
counts, so a file cut exactly behind a line cannot be told from a whole one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from impinge.io.budget import MESH_BYTES
from impinge.io.checks import (
    Findings,
    checked_mesh,
    checked_name,
    count,
    usable_vertices,
    vertex_defect,
)
from impinge.io.model import Part, identity
from impinge.io.obj_text import Statements, read_statements
from impinge.io.polygons import check_corners, triangulate
from impinge.io.precision import Numbers, numbers_of
from impinge.io.ragged import used_vertices
from impinge.io.text import Lines, integers

if TYPE_CHECKING:
    from impinge._types import Floats, Longs


@dataclass(frozen=True, eq=False)
class _Content:
    """vertices: (n, 3). vertex_line: (n,). faces: (t, 3). row: (t,) face line of each triangle."""

    vertices: Floats
    numbers: Numbers
    vertex_line: Longs
    faces: Longs
    row: Longs

    def only(self, chosen: Longs) -> _Content:
        """The chosen triangles with the vertices they use."""
        kept, faces = used_vertices(self.faces[chosen], len(self.vertices))
        return replace(
            self,
            vertices=self.vertices[kept],
            vertex_line=self.vertex_line[kept],
            faces=faces,
            row=self.row[chosen],
        )


def read_parts(data: bytes, findings: Findings, split: bool) -> list[Part]:
    """The file's objects, else its groups, else the whole file as one part."""
    statements = read_statements(data, findings)
    vertices = _vertices(statements.vertices, findings)
    faces, row = _faces(statements, vertices, findings)
    whole = _Content(vertices, numbers_of(vertices), statements.vertices.number, faces, row)
    face_line = statements.faces.number
    names, part_of_row = _partition(statements) if split else ([], row)
    if len(names) < 2:
        return [_part(whole, face_line, findings.stem, findings)]
    findings.spend(MESH_BYTES * len(names), f"{len(names):,} parts")
    _check_unused(whole, findings)
    part_of_face = part_of_row[row]
    order = np.argsort(part_of_face, kind="stable")
    ends = np.cumsum(np.bincount(part_of_face, minlength=len(names)))
    return [
        _part(whole.only(faces_of_part), face_line, name, findings)
        for name, faces_of_part in zip(names, np.split(order, ends[:-1]), strict=True)
    ]


def _check_unused(content: _Content, findings: Findings) -> None:
    """Vertices that no face uses are in no part, but in the file; others are told with theirs."""
    usable = usable_vertices(content.vertices)
    if usable is None:
        return
    usable[content.faces] = True
    if not usable.all():
        first = int(np.argmin(usable))
        findings.problem(
            vertex_defect(content.vertices[first]),
            f"dropped {count(int((~usable).sum()), 'vertex')} that no face uses",
            place=f"line {content.vertex_line[first]}",
        )


def _part(content: _Content, face_line: Longs, name: str, findings: Findings) -> Part:
    mesh = checked_mesh(
        findings,
        content.vertices,
        content.faces,
        name=name,
        numbers=content.numbers,
        vertex_place=lambda i: f"line {content.vertex_line[i]}",
        face_place=lambda i: f"line {face_line[content.row[i]]}",
    )
    return Part(name, mesh, identity(), content.numbers.told(mesh.vertices))


def _vertices(lines: Lines, findings: Findings) -> Floats:
    """(n, 3); colours and weights behind the coordinates are left alone."""
    short = lines.tokens < 3
    if short.any():
        line = int(np.argmax(short))
        findings.fail(
            f"a vertex needs 3 coordinates, found {count(int(lines.tokens[line]), 'number')}",
            place=f"line {lines.number[line]}",
        )
    values = lines.numbers()
    if values is None:
        line, token = lines.first_not_numeric()
        findings.fail(f"{token!r} is not a number", place=f"line {lines.number[line]}")
    vertices: Floats = values[lines.row_starts()[:, None] + np.arange(3)]
    return vertices


def _faces(statements: Statements, vertices: Floats, findings: Findings) -> tuple[Longs, Longs]:
    """Faces (t, 3) and the face line (t,) of each."""
    lines = statements.faces
    check_corners(lines.tokens, findings, lambda i: f"line {lines.number[i]}")
    small = lines.tokens < 3
    rows = np.flatnonzero(~small)
    if small.any():
        first = int(np.argmax(small))
        findings.problem(
            f"a face has {count(int(lines.tokens[first]), 'corner')}, it needs 3",
            f"dropped {count(int(small.sum()), 'face')} with fewer than 3 corners",
            place=f"line {lines.number[first]}",
        )
    sizes = lines.tokens[rows]
    written = _corner_indices(lines[rows], findings)
    owner = np.repeat(rows, sizes)
    # Negative indices count back from the vertices read so far.
    back = statements.vertices_before[owner] + written
    corners = np.where(written < 0, back, written - 1)
    outside = (corners < 0) | (corners >= len(vertices))
    if outside.any():
        first = int(np.argmax(outside))
        have = f"1 to {len(vertices)} exist" if len(vertices) else "there are no vertices"
        findings.problem(
            f"uses vertex {written[first]}, but {have}",
            f"dropped {count(len(np.unique(owner[outside])), 'face')} with an index out of range",
            place=f"line {lines.number[owner[first]]}",
        )
        kept = ~np.isin(rows, owner[outside])
        corners, rows, sizes = corners[np.repeat(kept, sizes)], rows[kept], sizes[kept]
    del written, owner, back, outside
    faces, polygon = triangulate(vertices, corners, sizes)
    return faces, rows[polygon]


def _corner_indices(lines: Lines, findings: Findings) -> Longs:
    """The vertex index of every corner, as written."""
    expected = int(lines.tokens.sum())
    values = integers(without_attributes(lines.joined()), expected)
    if values is not None:
        return values
    line, token = lines.first_refused(lambda raw, n: integers(without_attributes(raw), n))
    return findings.fail(f"{token!r} is not a vertex index", place=f"line {lines.number[line]}")


def without_attributes(corners: bytes) -> bytes:
    """`1/2/3` as `1`."""
    return re.sub(rb"(?<=[0-9])/\S*", b"", corners) if b"/" in corners else corners


def _partition(statements: Statements) -> tuple[list[str], Longs]:
    """Names of the parts in order of appearance and the part (n,) of every face line."""
    for marks in (statements.objects, statements.groups):
        at = np.array([mark.face for mark in marks], dtype=np.int64)
        names = ["", *(mark.name for mark in marks)]
        mark_of_row = np.searchsorted(at, np.arange(len(statements.faces)), side="right")
        used = np.unique(mark_of_row)
        order: dict[str, int] = {}
        part_of_mark = np.zeros(len(names), dtype=np.int64)
        for mark in used:
            part_of_mark[mark] = order.setdefault(names[mark], len(order))
        if len(order) > 1:
            # cut only now: it is the whole name that tells groups apart
            return [checked_name(name) or "default" for name in order], part_of_mark[mark_of_row]
    return [], np.zeros(0, dtype=np.int64)
