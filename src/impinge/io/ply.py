"""PLY, text and binary: declared elements against the rows that are there.

An own reader, because checking another one's result takes the same parsing again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from impinge.io.checks import Findings, checked_mesh, count
from impinge.io.model import Part, identity
from impinge.io.ply_header import Element, Header, read_header
from impinge.io.ply_rows import BinaryRows, Rows, TextRows
from impinge.io.polygons import strip_triangles, triangulate
from impinge.io.precision import EXACT, FLOAT32, Numbers, numbers_of

if TYPE_CHECKING:
    from impinge._types import Floats, Longs

_INDICES = ("vertex_indices", "vertex_index")


@dataclass
class _Content:
    """What the elements of the file gave."""

    vertices: Floats | None = None
    numbers: Numbers = EXACT
    corners: Longs | None = None
    sizes: Longs | None = None
    strips: Longs | None = None


def read_parts(data: bytes, findings: Findings, split: bool) -> list[Part]:
    """The one mesh of the file."""
    header = read_header(data, findings)
    content = _read(data, header, findings)
    if content.vertices is None:
        findings.fail("the header declares no vertex element")
    faces, face_of = _faces(content, findings)
    name = findings.path.stem
    mesh = checked_mesh(
        findings,
        content.vertices,
        faces,
        name=name,
        numbers=content.numbers,
        vertex_place="element vertex {}".format,
        face_place=lambda i: f"element face {face_of[i]}",
    )
    return [Part(name, mesh, identity(), content.numbers.told(mesh.vertices))]


def _read(data: bytes, header: Header, findings: Findings) -> _Content:
    rows: Rows
    if header.order:
        rows = BinaryRows(data, header.size, header.order, findings)
    else:
        rows = TextRows(data[header.size :], header.lines + 1, findings)
    content = _Content()
    for element in header.elements:
        if element.name == "vertex":
            content.vertices = _vertices(element, rows, findings)
            content.numbers = _numbers(element, header, content.vertices)
        elif element.name == "face" and element.count:
            name = _index_property(element, findings)
            content.corners, content.sizes = rows.lists(element, name)
        elif element.name == "tristrips" and element.count:
            content.strips, _ = rows.lists(element, _index_property(element, findings))
        else:
            rows.skip(element)
        if rows.ended:
            return content
    rows.expect_end()
    return content


def _vertices(element: Element, rows: Rows, findings: Findings) -> Floats:
    scalars = {p.name for p in element.properties if not p.length_kind}
    missing = [axis for axis in ("x", "y", "z") if axis not in scalars]
    if missing:
        findings.fail(f"the vertex element has no property {', '.join(missing)}", place="header")
    return rows.scalars(element, ("x", "y", "z"))


def _numbers(element: Element, header: Header, vertices: Floats) -> Numbers:
    """Binary numbers are as their type says; in text it is what is written that counts."""
    kinds = {p.kind for p in element.properties if p.name in ("x", "y", "z")}
    return FLOAT32 if header.order and "f4" in kinds else numbers_of(vertices)


def _index_property(element: Element, findings: Findings) -> str:
    for p in element.properties:
        if p.name in _INDICES and p.length_kind:
            if p.kind[0] == "f":
                findings.fail(f"{p.name} is a list of {p.kind}, not of integers", place="header")
            return p.name
    return findings.fail(
        f"the {element.name} element has no list property {' or '.join(_INDICES)}", place="header"
    )


def _faces(content: _Content, findings: Findings) -> tuple[Longs, Longs]:
    """Faces (t, 3) of polygons and strips, and the face element of each (t,)."""
    corners, sizes = content.corners, content.sizes
    vertices = content.vertices if content.vertices is not None else np.zeros((0, 3))
    faces, face_of = np.zeros((0, 3), dtype=np.int64), np.zeros(0, dtype=np.int64)
    if corners is not None and sizes is not None:
        numbers = np.arange(len(sizes))
        small = sizes < 3
        if small.any():
            first = int(np.argmax(small))
            findings.problem(
                f"has {count(int(sizes[first]), 'corner')}, a face needs 3",
                f"dropped {count(int(small.sum()), 'face')} with fewer than 3 corners",
                place=f"element face {first}",
            )
            corners, numbers, sizes = (
                corners[~np.repeat(small, sizes)],
                numbers[~small],
                sizes[~small],
            )
        faces, polygon = triangulate(vertices, corners, sizes)
        face_of = numbers[polygon]
    if content.strips is not None:
        strips = _strip_faces(content.strips)
        faces = np.concatenate((faces, strips))
        face_of = np.concatenate((face_of, np.arange(len(strips)) + len(face_of)))
    return faces, face_of


def _strip_faces(indices: Longs) -> Longs:
    """Faces of strips that are divided by -1."""
    strips = np.split(indices, np.flatnonzero(indices == -1))
    faces = [strip_triangles(strip[strip != -1]) for strip in strips]
    return np.concatenate([np.zeros((0, 3), dtype=np.int64), *faces])
