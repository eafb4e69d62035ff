"""Files of every format with one thing wrong, each of which a reader can tell.

The undamaged file of a format stands beside them. Text is damaged by words, binary data by
structure, so that all else in the file is as it should be.
"""

from __future__ import annotations

import copy
import io
import json
import struct
import zipfile
from collections.abc import Callable

import numpy as np

from support import mesh_files, meshes

Files = dict[str, bytes]
"""By what is wrong."""

MESH = meshes.sphere(6)
VERTICES, FACES = MESH
FAR = 10 * len(VERTICES)
ITEM = '<item objectid="1"/>'


def with_vertex(value: float) -> mesh_files.Arrays:
    vertices = VERTICES.copy()
    vertices[5, 1] = value
    return vertices, FACES


def with_corner(value: int) -> mesh_files.Arrays:
    faces = FACES.copy()
    faces[7, 2] = value
    return VERTICES, faces


def cut(whole: bytes) -> Files:
    return {"cut in half": whole[: len(whole) // 2], "last bytes missing": whole[:-9]}


def lines_changed(whole: bytes, change: Callable[[list[bytes]], object]) -> bytes:
    lines = whole.split(b"\n")
    change(lines)
    return b"\n".join(lines)


def replaced(whole: bytes, old: bytes, new: bytes) -> bytes:
    assert old in whole
    return whole.replace(old, new, 1)


def last_line_missing(whole: bytes) -> bytes:
    return whole[: whole.rstrip().rindex(b"\n") + 1]


def geometry(write: Callable[[mesh_files.Arrays], bytes], *, indexed: bool = True) -> Files:
    """What can be wrong with the numbers, in any format."""
    found = {
        "a coordinate is not a number": write(with_vertex(np.nan)),
        "a coordinate is infinite": write(with_vertex(np.inf)),
    }
    if indexed:
        found["an index is too large"] = write(with_corner(FAR))
        found["an index is negative"] = write(
            with_corner(-7 if write is not mesh_files.obj else -FAR)
        )
    return found


def binary_stl() -> Files:
    write = mesh_files.binary_stl
    return {
        **cut(write(MESH)),
        **geometry(write, indexed=False),
        "declares one triangle more": write(MESH, declared=len(FACES) + 1),
        "declares one triangle less": write(MESH, declared=len(FACES) - 1),
        "declares none": write(MESH, declared=0),
    }


def text_stl() -> Files:
    whole = mesh_files.text_stl(MESH)
    return {
        "cut in half": whole[: len(whole) // 2],
        "last line missing": last_line_missing(whole),
        **geometry(mesh_files.text_stl, indexed=False),
        "a word for a number": lines_changed(whole, lambda s: s.__setitem__(3, b"vertex 0 zero 0")),
        "a corner has two numbers": lines_changed(whole, lambda s: s.__setitem__(3, b"vertex 0 1")),
        "a facet has two corners": lines_changed(whole, lambda s: s.__delitem__(3)),
    }


def _counted_text(whole: bytes, vertex_line: int) -> Files:
    """Vertices from that line on, and faces behind them."""
    face_line = vertex_line + len(VERTICES)
    return {
        "cut in half": whole[: len(whole) // 2],
        "last line missing": last_line_missing(whole),
        "a line too much": whole + b"3 0 1 2\n",
        "a vertex line missing": lines_changed(whole, lambda s: s.__delitem__(vertex_line + 2)),
        "a word for a number": lines_changed(
            whole, lambda s: s.__setitem__(vertex_line, s[vertex_line].replace(b".", b"x", 1))
        ),
        "a face has a corner too few": lines_changed(
            whole, lambda s: s.__setitem__(face_line, s[face_line].rpartition(b" ")[0])
        ),
    }


def text_ply() -> Files:
    whole = mesh_files.ply(MESH)
    header = whole[: whole.index(b"end_header\n")].count(b"\n") + 1
    return {**_counted_text(whole, header), **geometry(mesh_files.ply)}


def binary_ply() -> Files:
    def write(mesh: mesh_files.Arrays) -> bytes:
        return mesh_files.ply(mesh, order="<")

    whole = write(MESH)
    count, row = f"vertex {len(VERTICES)}\n".encode(), 13 * (len(FACES) - 3)
    return {
        **cut(whole),
        **geometry(write),
        "declares one vertex more": replaced(
            whole, count, f"vertex {len(VERTICES) + 1}\n".encode()
        ),
        "declares one face less": replaced(
            whole, f"face {len(FACES)}\n".encode(), f"face {len(FACES) - 1}\n".encode()
        ),
        "a face has 200 corners": whole[: -13 * 3 - row] + b"\xc8" + whole[1 - 13 * 3 - row :],
    }


def off() -> Files:
    return {**_counted_text(mesh_files.off(MESH), 3), **geometry(mesh_files.off)}


def obj() -> Files:
    """Nothing in OBJ tells how much there should be."""
    whole = mesh_files.obj(MESH)
    face_line = 1 + len(VERTICES)
    return {
        "cut within a line": whole[: whole.rindex(b"v ") + 9],
        **geometry(mesh_files.obj),
        "an index is zero": lines_changed(whole, lambda s: s.__setitem__(face_line, b"f 0 1 2")),
        "a word for a number": lines_changed(whole, lambda s: s.__setitem__(2, b"v 0 zero 0")),
        "a vertex has two numbers": lines_changed(whole, lambda s: s.__setitem__(2, b"v 0 1")),
        "a face has two corners": lines_changed(
            whole, lambda s: s.__setitem__(face_line, b"f 1 2")
        ),
    }


def _documents(write: Callable[[dict[str, object], bytes], bytes]) -> Files:
    """What can be wrong with a glTF document, whichever way it is written."""

    def changed(*path: object) -> bytes:
        *keys, last, value = path
        document, data = copy.deepcopy(mesh_files.gltf_document([MESH]))
        place = document
        for key in keys:
            place = place[key]
        place[last] = value
        return write(document, data)

    def plain(mesh: mesh_files.Arrays) -> bytes:
        return write(*mesh_files.gltf_document([mesh]))

    found = geometry(plain)
    # indices have no sign
    del found["an index is negative"]
    return {
        **found,
        "more numbers than the view holds": changed("accessors", 0, "count", 3 * len(VERTICES)),
        "a view beyond the buffer": changed("bufferViews", 1, "byteLength", 10**6),
        "a count below zero": changed("accessors", 1, "count", -3),
        "a mesh that does not exist": changed("nodes", 0, "mesh", 9),
        "an accessor that does not exist": changed(
            "meshes", 0, "primitives", 0, "attributes", "POSITION", 9
        ),
        "a node below itself": changed("nodes", 0, "children", [0]),
    }


def glb() -> Files:
    whole = mesh_files.glb_of(MESH)
    return {
        **cut(whole),
        **_documents(mesh_files.glb),
        "a wrong length in the header": whole[:8] + struct.pack("<I", 999) + whole[12:],
    }


def gltf() -> Files:
    whole = mesh_files.gltf(*mesh_files.gltf_document([MESH]))
    document = json.loads(whole)
    buffer = document["buffers"][0]
    buffer["uri"] = buffer["uri"][: len(buffer["uri"]) // 2 // 4 * 4]
    return {
        **cut(whole),
        **_documents(mesh_files.gltf),
        "a buffer shorter than declared": json.dumps(document).encode(),
    }


def plain_threemf(mesh: mesh_files.Arrays) -> bytes:
    return _archive(_object(mesh), ITEM)


def _object(mesh: mesh_files.Arrays) -> str:
    return f'<object id="1" type="model">{mesh_files.threemf_mesh(mesh)}</object>'


def _archive(resources: str, build: str, *, share: float = 1.0) -> bytes:
    """Without the extension for production, which asks for more names than there are."""
    xml = mesh_files.threemf_xml(resources, build)
    xml = xml.replace(f'xmlns:p="{mesh_files.PRODUCTION}"', "")
    return mesh_files.threemf_archive(xml[: int(share * len(xml))])


def threemf() -> Files:
    whole, model = plain_threemf(MESH), _object(MESH)
    loop = '<object id="1"><components><component objectid="1"/></components></object>'
    return {
        **cut(whole),
        **geometry(plain_threemf),
        "a changed byte": _flipped(whole),
        "XML that ends early": _archive(model, ITEM, share=0.5),
        "a triangle without a corner": _archive(model.replace(' v3="', ' w3="', 1), ITEM),
        "an object that does not exist": _archive(model, '<item objectid="9"/>'),
        "an object made of itself": _archive(loop, ITEM),
        "no model": _without_model(whole),
    }


def _flipped(archive: bytes) -> bytes:
    """One byte of the stored model is another one; its checksum tells."""
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as old, zipfile.ZipFile(packed, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name))
    data = packed.getvalue()
    digit = data.index(b'<triangle v1="') + 14
    return data[:digit] + (b"1" if data[digit : digit + 1] != b"1" else b"2") + data[digit + 1 :]


def _without_model(archive: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as old, zipfile.ZipFile(packed, "w") as new:
        new.writestr("_rels/.rels", old.read("_rels/.rels"))
    return packed.getvalue()


WHOLE: Files = {
    "binary.stl": mesh_files.binary_stl(MESH),
    "text.stl": mesh_files.text_stl(MESH),
    "text.obj": mesh_files.obj(MESH),
    "text.ply": mesh_files.ply(MESH),
    "binary.ply": mesh_files.ply(MESH, order="<"),
    "text.off": mesh_files.off(MESH),
    "scene.glb": mesh_files.glb_of(MESH),
    "scene.gltf": mesh_files.gltf(*mesh_files.gltf_document([MESH])),
    "scene.3mf": plain_threemf(MESH),
}
DAMAGED: dict[str, Files] = {
    "binary.stl": binary_stl(),
    "text.stl": text_stl(),
    "text.obj": obj(),
    "text.ply": text_ply(),
    "binary.ply": binary_ply(),
    "text.off": off(),
    "scene.glb": glb(),
    "scene.gltf": gltf(),
    "scene.3mf": threemf(),
}
