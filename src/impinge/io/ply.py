"""PLY, text and binary: declared elements against the rows that are there.

An own reader, because checking another one's result takes the same parsing again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from impinge.io.checks import Findings, checked_mesh, count
from impinge.io.model import Part, identity
from impinge.io.ply_header import GEOMETRY, Element, Header, read_header
from impinge.io.ply_rows import BinaryRows, Rows, TextRows
from impinge.io.polygons import check_corners, split_strips, triangulate
from impinge.io.precision import EXACT, FLOAT32, Numbers, numbers_of

if TYPE_CHECKING:
    from impinge._types import Floats, Longs

# Corners one after the other, and how many each row has.
_Lists: TypeAlias = "tuple[Longs, Longs]"


@dataclass
class _Content:
    """What the elements of the file gave."""

    vertices: Floats | None = None
    numbers: Numbers = EXACT
    polygons: _Lists | None = None
    strips: _Lists | None = None


def read_parts(data: bytes, findings: Findings, split: bool) -> list[Part]:
    """The one mesh of the file."""
    header = read_header(data, findings)
    content = _read(data, header, findings)
    if content.vertices is None:
        findings.fail("the header declares no vertex element")
    faces, row_of = _polygon_faces(content.polygons, content.vertices, findings)
    polygon_faces = len(faces)
    if content.strips is not None:
        strip_faces, strip_of = split_strips(*content.strips)
        faces = np.concatenate((faces, strip_faces))
        row_of = np.concatenate((row_of, strip_of))
    name = findings.stem
    mesh = checked_mesh(
        findings,
        content.vertices,
        faces,
        name=name,
        numbers=content.numbers,
        vertex_place="element vertex {}".format,
        face_place=lambda i: f"element {'face' if i < polygon_faces else 'tristrips'} {row_of[i]}",
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
            content.polygons = rows.lists(element, _index_property(element, findings))
        elif element.name == "tristrips" and element.count:
            content.strips = rows.lists(element, _index_property(element, findings))
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
    """Binary numbers are as their type says; in text it is what is written that counts.

    Text that is declared `float` keeps all its digits: writers declare so and write float64 too,
    and rounding would move what the file tells exactly.
    """
    kinds = {p.kind for p in element.properties if p.name in ("x", "y", "z")}
    return FLOAT32 if header.order and "f4" in kinds else numbers_of(vertices)


def _index_property(element: Element, findings: Findings) -> str:
    names = GEOMETRY[element.name]
    found = [p for p in element.properties if p.name in names and p.length_kind]
    if not found:
        findings.fail(
            f"the {element.name} element has no list property {' or '.join(names)}", place="header"
        )
    if len(found) > 1:
        findings.fail(f"the {element.name} element has both {' and '.join(names)}", place="header")
    if found[0].kind[0] == "f":
        findings.fail(
            f"{found[0].name} is a list of {found[0].kind}, not of integers", place="header"
        )
    return found[0].name


def _polygon_faces(
    polygons: _Lists | None, vertices: Floats, findings: Findings
) -> tuple[Longs, Longs]:
    """Faces (t, 3) of the rows of the face element, and the row of each (t,)."""
    if polygons is None:
        return np.zeros((0, 3), dtype=np.int64), np.zeros(0, dtype=np.int64)
    corners, sizes = polygons
    rows = np.arange(len(sizes))
    check_corners(sizes, findings, "element face {}".format)
    small = sizes < 3
    if small.any():
        first = int(np.argmax(small))
        findings.problem(
            f"has {count(int(sizes[first]), 'corner')}, a face needs 3",
            f"dropped {count(int(small.sum()), 'face')} with fewer than 3 corners",
            place=f"element face {first}",
        )
        corners, rows, sizes = corners[~np.repeat(small, sizes)], rows[~small], sizes[~small]
    faces, polygon = triangulate(vertices, corners, sizes)
    return faces, rows[polygon]
