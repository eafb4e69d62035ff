"""OFF text: declared counts against the lines that are there.

An own reader, because checking another one's result takes the same parsing again.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from impinge.io.checks import Findings, checked_mesh, count
from impinge.io.model import Part, identity
from impinge.io.polygons import check_corners, triangulate
from impinge.io.precision import numbers_of
from impinge.io.ragged import spans, whole_numbers
from impinge.io.text import Lines, substituted, unix_newlines

if TYPE_CHECKING:
    from impinge._types import Bools, Floats, Longs

_COMMENT = re.compile(rb"#[^\n]*")
# Colours, normals and texture coordinates stand behind x y z and do not matter here.
_KEYWORD = re.compile(rb"(ST)?(C)?(N)?OFF(?=\s|$)")


def read_parts(data: bytes, findings: Findings, split: bool) -> list[Part]:
    """The one mesh of the file."""
    lines = _lines(data, findings)
    declared_vertices, declared_faces = _counts(lines, findings)
    rows = lines[1:]
    vertex_rows = rows[:declared_vertices]
    face_rows = rows[declared_vertices : declared_vertices + declared_faces]
    _check_delivery("vertex", declared_vertices, vertex_rows, findings)
    _check_delivery("face", declared_faces, face_rows, findings)
    left = rows[declared_vertices + declared_faces :]
    if len(left):
        findings.problem(
            f"{count(len(left), 'line')} more than the {declared_vertices:,} vertices and "
            f"{declared_faces:,} faces declared",
            "ignored them",
            place=f"line {left.number[0]}",
        )
    vertices = _vertices(vertex_rows, findings)
    faces, row_of = _faces(face_rows, vertices, findings)
    numbers = numbers_of(vertices)
    name = findings.stem
    mesh = checked_mesh(
        findings,
        vertices,
        faces,
        name=name,
        numbers=numbers,
        vertex_place=lambda i: f"line {vertex_rows.number[i]}: vertex {i}",
        face_place=lambda i: f"line {face_rows.number[row_of[i]]}: face {row_of[i]}",
    )
    return [Part(name, mesh, identity(), numbers.told(mesh.vertices))]


def _lines(data: bytes, findings: Findings) -> Lines:
    """The lines without keyword and comments; the first one holds the counts."""
    text = unix_newlines(data)
    text = substituted(_COMMENT, b"", text) if b"#" in text else text
    start = len(text) - len(text.lstrip())
    keyword = _KEYWORD.match(text, start)
    if keyword is None:
        word = text[start : start + 20].split()[0:1] or [b""]
        found = word[0].decode("utf-8", "replace")
        findings.fail(f"is not an OFF file of 3D points (starts with {found!r})", place="line 1")
    if re.match(rb"[ \t]*BINARY", text[keyword.end() : keyword.end() + 20]):
        findings.fail("is a binary OFF file, which is not supported", place="line 1")
    # Spaces instead of the keyword keep the line numbers.
    return Lines.of(text[: keyword.start()] + b" " * len(keyword[0]) + text[keyword.end() :])


def _counts(lines: Lines, findings: Findings) -> tuple[int, int]:
    if not len(lines):
        findings.fail("has no line with the counts of vertices and faces")
    found = lines[:1].numbers()
    if (
        found is None
        or len(found) not in (2, 3)
        or not whole_numbers(found)[1].all()
        or (found < 0).any()
    ):
        findings.fail(
            f"expected the counts of vertices, faces and edges, found {lines.text(0)[:60]!r}",
            place=f"line {lines.number[0]}",
        )
    return int(found[0]), int(found[1])


def _check_delivery(noun: str, declared: int, rows: Lines, findings: Findings) -> None:
    if len(rows) < declared:
        findings.problem(
            f"declares {count(declared, noun)} but delivers {len(rows):,} (truncated?)",
            f"dropped {count(declared - len(rows), noun)}",
        )


def _vertices(rows: Lines, findings: Findings) -> Floats:
    _check_rows(rows, rows.tokens >= 3, "a vertex needs 3 numbers", findings)
    values = _numbers(rows, findings)
    vertices: Floats = values[rows.row_starts()[:, None] + np.arange(3)]
    return vertices


def _faces(rows: Lines, vertices: Floats, findings: Findings) -> tuple[Longs, Longs]:
    """Faces (t, 3) and the row of each (t,)."""
    values = _numbers(rows, findings)
    starts = rows.row_starts()
    corner_count, whole = whole_numbers(values[starts])
    good = whole & (corner_count >= 0)
    _check_rows(rows, good, "a face starts with its number of corners", findings)
    _check_rows(rows, corner_count < rows.tokens, "fewer corners than announced", findings)
    small = corner_count < 3
    kept = np.arange(len(rows))
    if small.any():
        first = int(np.argmax(small))
        findings.problem(
            f"a face has {count(int(corner_count[first]), 'corner')}, it needs 3",
            f"dropped {count(int(small.sum()), 'face')} with fewer than 3 corners",
            place=f"line {rows.number[first]}",
        )
        kept, starts, corner_count = kept[~small], starts[~small], corner_count[~small]
    check_corners(corner_count, findings, lambda i: f"line {rows.number[kept[i]]}")
    corners, whole = whole_numbers(values[spans(starts + 1, corner_count)])
    if not whole.all():
        row = kept[np.repeat(np.arange(len(kept)), corner_count)[np.argmin(whole)]]
        findings.fail("a vertex index is not an integer", place=f"line {rows.number[row]}")
    faces, polygon = triangulate(vertices, corners, corner_count)
    return faces, kept[polygon]


def _numbers(rows: Lines, findings: Findings) -> Floats:
    values = rows.numbers()
    if values is None:
        line, token = rows.first_not_numeric()
        findings.fail(f"{token!r} is not a number", place=f"line {rows.number[line]}")
    return values


def _check_rows(rows: Lines, good: Bools, cause: str, findings: Findings) -> None:
    if not good.all():
        row = int(np.argmin(good))
        findings.fail(f"{cause}: {rows.text(row)[:60]!r}", place=f"line {rows.number[row]}")
