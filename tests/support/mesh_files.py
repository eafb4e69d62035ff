"""Writers of small mesh files for the tests; each returns the bytes of a file."""

from __future__ import annotations

import base64
import io
import json
import struct
import zipfile

import numpy as np

Arrays = tuple[np.ndarray, np.ndarray]

RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
PRODUCTION = "http://schemas.microsoft.com/3dmanufacturing/production/2015/06"
MODEL_TYPE = "http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
CONTENT_TYPES = (
    f'<Types xmlns="{PACKAGE}/content-types">'
    '<Default Extension="rels" '
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="model" '
    'ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/></Types>'
)
IDENTITY = np.eye(4)


def binary_stl(mesh: Arrays, *, header: bytes = b"made by a test", declared: int = -1) -> bytes:
    vertices, faces = mesh
    records = np.zeros(len(faces), RECORD)
    records["corners"] = vertices[faces]
    count = len(faces) if declared < 0 else declared
    return header.ljust(80) + struct.pack("<I", count) + records.tobytes()


def text_stl(*meshes: Arrays, names: tuple[str, ...] = ()) -> bytes:
    lines = []
    for i, (vertices, faces) in enumerate(meshes):
        name = names[i] if names else f"solid-{i}"
        lines.append(f"solid {name}")
        for triangle in vertices[faces]:
            lines.append("  facet normal 0 0 0\n    outer loop")
            lines += [f"      vertex {x!r} {y!r} {z!r}" for x, y, z in triangle.tolist()]
            lines.append("    endloop\n  endfacet")
        lines.append(f"endsolid {name}")
    return "\n".join([*lines, ""]).encode()


def ply(mesh: Arrays, *, order: str = "", kind: str = "f8", polygons: object = None) -> bytes:
    """order: "" for text, "<" or ">". polygons: lists of corners instead of the faces."""
    vertices, faces = mesh
    rows = faces.tolist() if polygons is None else polygons
    form = {"": "ascii", "<": "binary_little_endian", ">": "binary_big_endian"}[order]
    word = {"f4": "float", "f8": "double"}[kind]
    header = (
        f"ply\nformat {form} 1.0\ncomment made by a test\nelement vertex {len(vertices)}\n"
        f"property {word} x\nproperty {word} y\nproperty {word} z\nproperty uchar red\n"
        f"element face {len(rows)}\nproperty list uchar int vertex_indices\nend_header\n"
    ).encode()
    if not order:
        body = [f"{x!r} {y!r} {z!r} 7" for x, y, z in vertices.tolist()]
        body += [" ".join(map(str, [len(row), *row])) for row in rows]
        return header + "\n".join([*body, ""]).encode()
    record = np.zeros(len(vertices), np.dtype([("xyz", order + kind, 3), ("red", "u1")]))
    record["xyz"] = vertices
    packed = [struct.pack(f"{order}B{len(row)}i", len(row), *row) for row in rows]
    return header + record.tobytes() + b"".join(packed)


def off(mesh: Arrays) -> bytes:
    vertices, faces = mesh
    lines = ["OFF", "# made by a test", f"{len(vertices)} {len(faces)} 0"]
    lines += [f"{x!r} {y!r} {z!r}" for x, y, z in vertices.tolist()]
    lines += [f"3 {a} {b} {c}" for a, b, c in faces.tolist()]
    return "\n".join([*lines, ""]).encode()


def obj(*meshes: Arrays, names: tuple[str, ...] = (), keyword: str = "o") -> bytes:
    lines, first = ["# made by a test"], 1
    for i, (vertices, faces) in enumerate(meshes):
        if names:
            lines.append(f"{keyword} {names[i]}")
        lines += [f"v {x!r} {y!r} {z!r}" for x, y, z in vertices.tolist()]
        lines += [f"f {a} {b} {c}" for a, b, c in (faces + first).tolist()]
        first += len(vertices)
    return "\n".join([*lines, ""]).encode()


def gltf_document(
    meshes: list[Arrays], nodes: list[dict[str, object]] | None = None, *, kind: str = "<u2"
) -> tuple[dict[str, object], bytes]:
    """A document with one primitive for each mesh, and its buffer."""
    data, views, accessors, entries = b"", [], [], []
    component = {"u1": 5121, "<u2": 5123, "<u4": 5125}[kind]
    for i, (vertices, faces) in enumerate(meshes):
        for array, width in ((vertices.astype("<f4"), "VEC3"), (faces.astype(kind), "SCALAR")):
            raw = array.tobytes()
            data += bytes(-len(data) % 4)
            views.append({"buffer": 0, "byteOffset": len(data), "byteLength": len(raw)})
            accessors.append(
                {
                    "bufferView": len(views) - 1,
                    "componentType": 5126 if width == "VEC3" else component,
                    "count": len(vertices) if width == "VEC3" else faces.size,
                    "type": width,
                }
            )
            data += raw
        primitive = {"attributes": {"POSITION": 2 * i}, "indices": 2 * i + 1}
        entries.append({"name": f"mesh-{i}", "primitives": [primitive]})
    if nodes is None:
        nodes = [{"mesh": i, "name": f"part-{i}"} for i in range(len(meshes))]
    document = {
        "asset": {"version": "2.0"},
        "buffers": [{"byteLength": len(data)}],
        "bufferViews": views,
        "accessors": accessors,
        "meshes": entries,
        "nodes": nodes,
        "scenes": [{"nodes": roots(nodes)}],
        "scene": 0,
    }
    return document, data


def roots(nodes: list[dict[str, object]]) -> list[int]:
    children = {child for node in nodes for child in node.get("children", [])}
    return [i for i in range(len(nodes)) if i not in children]


def glb(document: dict[str, object], data: bytes) -> bytes:
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    data += bytes(-len(data) % 4)
    chunks = struct.pack("<II", len(text), 0x4E4F534A) + text
    chunks += struct.pack("<II", len(data), 0x004E4942) + data
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def glb_of(*meshes: Arrays) -> bytes:
    return glb(*gltf_document(list(meshes)))


def gltf(document: dict[str, object], data: bytes) -> bytes:
    """The document as JSON with its buffer embedded."""
    uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    document["buffers"][0]["uri"] = uri
    return json.dumps(document).encode()


def threemf_mesh(mesh: Arrays) -> str:
    vertices = "".join(f'<vertex x="{x!r}" y="{y!r}" z="{z!r}"/>' for x, y, z in mesh[0].tolist())
    rows = "".join(f'<triangle v1="{a}" v2="{b}" v3="{c}"/>' for a, b, c in mesh[1].tolist())
    return f"<mesh><vertices>{vertices}</vertices><triangles>{rows}</triangles></mesh>"


def threemf_xml(resources: str, build: str, *, attributes: str = "", prolog: str = "") -> str:
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n{prolog}<model unit="millimeter" '
        f'xmlns="{CORE}" xmlns:p="{PRODUCTION}" {attributes}>'
        f"<resources>{resources}</resources><build>{build}</build></model>"
    )


def threemf_archive(xml: str | bytes, **others: str | bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", CONTENT_TYPES)
        relation = f'<Relationship Target="/3D/3dmodel.model" Id="rel0" Type="{MODEL_TYPE}"/>'
        opened = f'<Relationships xmlns="{PACKAGE}/relationships">'
        archive.writestr("_rels/.rels", f"{opened}{relation}</Relationships>")
        archive.writestr("3D/3dmodel.model", xml)
        for name, content in others.items():
            archive.writestr(f"3D/{name}.model", content)
    return packed.getvalue()


def threemf(*meshes: Arrays, name: str = "") -> bytes:
    resources = "".join(
        f'<object id="{i}" name="{name or f"part-{i}"}" type="model">{threemf_mesh(mesh)}</object>'
        for i, mesh in enumerate(meshes, start=1)
    )
    build = "".join(f'<item objectid="{i}"/>' for i in range(1, len(meshes) + 1))
    return threemf_archive(threemf_xml(resources, build))
