"""The <mesh> of a COLLADA geometry: sources of numbers, and the primitives that use them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from impinge.io.checks import Findings, checked_mesh
from impinge.io.collada_xml import Node
from impinge.io.polygons import check_corners, fan_triangles, strip_triangles, triangulate
from impinge.io.precision import numbers_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from impinge._types import Floats, Longs
    from impinge.mesh import Mesh

_SURFACES = ("triangles", "polylist", "polygons", "trifans", "tristrips")


def read_mesh(mesh: Node, name: str, by_id: Mapping[str, Node], findings: Findings) -> Mesh:
    """The triangles of all primitives of a <mesh>; lines have none."""
    starts: dict[Node, int] = {}
    points: list[Floats] = [np.zeros((0, 3))]
    faces: list[Longs] = [np.zeros((0, 3), dtype=np.int64)]
    for primitive in mesh.children:
        if primitive.tag not in _SURFACES:
            continue
        source, offset, stride = _vertex_input(primitive, by_id)
        if source not in starts:
            starts[source] = sum(map(len, points))
            points.append(_positions(source, by_id))
            findings.spend(points[-1].nbytes, "its vertices", place=source.place)
        own = points[1 + list(starts).index(source)]
        made = _faces(primitive, own, offset, stride, findings)
        findings.spend(made.nbytes, "its faces", place=primitive.place)
        faces.append(made + starts[source])
    vertices = np.concatenate(points)
    numbers = numbers_of(vertices)
    return checked_mesh(findings, vertices, np.concatenate(faces), name=name, numbers=numbers)


def _vertex_input(primitive: Node, by_id: Mapping[str, Node]) -> tuple[Node, int, int]:
    """The source of positions, where its indices stand in a corner, and how long a corner is."""
    inputs = list(primitive.all("input"))
    stride = 1 + max((each.number("offset", 0) for each in inputs), default=0)
    for each in inputs:
        if each.attributes.get("semantic") == "VERTEX":
            vertices = _named(each, "vertices", by_id)
            for inner in vertices.all("input"):
                if inner.attributes.get("semantic") == "POSITION":
                    return _named(inner, "source", by_id), each.number("offset", 0), stride
            vertices.fail("<vertices> has no input of positions")
    primitive.fail(f"<{primitive.tag}> has no input of vertices")


def _named(node: Node, tag: str, by_id: Mapping[str, Node]) -> Node:
    text = node.attributes.get("source", "")
    found = by_id.get(text.removeprefix("#"))
    if not text.startswith("#") or found is None or found.tag != tag:
        node.fail(f"refers to the {tag} {text[:80]!r}, which is missing")
    return found


def _positions(source: Node, by_id: Mapping[str, Node]) -> Floats:
    """(n, 3) of a source, as its accessor reads its array."""
    common = source.one("technique_common")
    accessor = common.one("accessor") if common else None
    if accessor is None:
        source.fail("a source of positions has no accessor")
    values = _named(accessor, "float_array", by_id).floats()
    count, stride = accessor.number("count", 0), accessor.number("stride", 1)
    offset = accessor.number("offset", 0)
    names = [each.attributes.get("name", "").upper() for each in accessor.all("param")]
    # a param without a name is skipped
    if [name for name in names if name] not in (["X", "Y", "Z"], []) or stride < 3:
        accessor.fail(f"positions must be X, Y, Z, got {', '.join(names)[:60] or stride}")
    columns = [at for at, name in enumerate(names) if name] or [0, 1, 2]
    if count and offset + (count - 1) * stride + columns[-1] >= len(values):
        accessor.fail(f"asks for {count:,} positions, but the array has {len(values):,} numbers")
    rows = offset + stride * np.arange(count)
    positions: Floats = values[rows[:, None] + np.array(columns)]
    return positions


def _faces(primitive: Node, points: Floats, offset: int, stride: int, findings: Findings) -> Longs:
    """(t, 3) faces of a primitive."""
    rows = [node.indices() for node in primitive.all("p")]
    if primitive.one("ph") is not None:
        findings.problem("has polygons with holes", "left them out", place=primitive.place)
    for row in rows:
        if len(row) % stride:
            primitive.fail(f"has {len(row):,} indices, not a multiple of {stride}")
    corners = [row[offset::stride] for row in rows]
    joined = np.concatenate([np.zeros(0, np.int64), *corners])
    _check_range(primitive, joined, len(points))
    if primitive.tag in ("tristrips", "trifans"):
        split = strip_triangles if primitive.tag == "tristrips" else fan_triangles
        return np.concatenate([np.zeros((0, 3), np.int64), *(split(row) for row in corners)])
    sizes = _sizes(primitive, corners, len(joined))
    if sizes.sum() != len(joined) or (len(sizes) and sizes.min() < 0):
        primitive.fail(f"has {len(joined):,} corners, but its polygons have {sizes.sum():,}")
    if len(sizes) and sizes.min() < 3:
        findings.problem(
            f"has {np.count_nonzero(sizes < 3):,} polygons of fewer than 3 corners",
            "left them out",
            place=primitive.place,
        )
        kept = sizes >= 3
        joined, sizes = joined[np.repeat(kept, sizes)], sizes[kept]
    check_corners(sizes, findings, lambda _: primitive.place)
    _check_count(primitive, len(sizes))
    return triangulate(points, joined, sizes)[0]


def _sizes(primitive: Node, corners: list[Longs], count: int) -> Longs:
    """Corners of each polygon."""
    if primitive.tag == "triangles":
        return np.full(-(-count // 3), 3, dtype=np.int64)
    if primitive.tag == "polygons":
        return np.array([len(row) for row in corners], dtype=np.int64)
    counts = primitive.one("vcount")
    if counts is None:
        primitive.fail("<polylist> has no <vcount>")
    return counts.indices()


def _check_range(primitive: Node, corners: Longs, count: int) -> None:
    if len(corners) and (corners.min() < 0 or corners.max() >= count):
        bad = corners[(corners < 0) | (corners >= count)][0]
        primitive.fail(f"uses vertex {bad}, but only {count:,} exist")


def _check_count(primitive: Node, polygons: int) -> None:
    """A file that ends early, or lost a line, has fewer than it says."""
    told = primitive.number("count", polygons)
    if told != polygons:
        primitive.fail(f"says it has {told:,} polygons, but has {polygons:,}")
