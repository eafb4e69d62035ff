"""GLB and glTF files."""

from __future__ import annotations

import json
import struct

import numpy as np
import pytest

from impinge.io import gltf_document as gltf_document_module
from support import mesh_files, meshes

BOX = meshes.box()
TETRAHEDRON = meshes.tetrahedron()


def document(*shapes, nodes=None, kind="<u2"):
    return mesh_files.gltf_document(list(shapes or [BOX]), nodes, kind=kind)


def changed(*path, value):
    """A GLB of a box with one entry of its document replaced (or removed for `...`)."""
    doc, data = document()
    owner = doc
    for key in path[:-1]:
        owner = owner[key]
    if value is ...:
        del owner[path[-1]]
    else:
        owner[path[-1]] = value
    return mesh_files.glb(doc, data)


@pytest.mark.parametrize("kind", ["u1", "<u2", "<u4"])
def test_glb(load, kind):
    (part,) = load("box.glb", mesh_files.glb(*document(kind=kind))).parts
    assert part.name == "part-0"
    assert np.array_equal(part.mesh.vertices, BOX[0])
    assert np.array_equal(part.mesh.faces, BOX[1])
    assert np.array_equal(part.pose, np.eye(4))


def test_gltf_with_embedded_buffer(load):
    (part,) = load("box.gltf", mesh_files.gltf(*document())).parts
    assert np.array_equal(part.mesh.faces, BOX[1])


def test_gltf_with_a_buffer_beside_it(load, put):
    doc, data = document()
    doc["buffers"][0]["uri"] = "the%20box.bin"
    put("the box.bin", data)
    assert load("box.gltf", json.dumps(doc)).triangles == 12


def test_instances_share_their_mesh_and_have_world_poses(load):
    half = float(np.sqrt(0.5))
    nodes = [
        {"name": "group", "translation": [10, 0, 0], "children": [1, 2]},
        {"name": "left", "mesh": 0, "rotation": [0, 0, half, half], "scale": [2, 2, 2]},
        {"mesh": 0, "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1]},
        {"name": "alone", "mesh": 1},
    ]
    left, right, alone = load(
        "tree.glb", mesh_files.glb(*document(BOX, TETRAHEDRON, nodes=nodes))
    ).parts
    assert [left.name, right.name, alone.name] == ["left", "mesh-0", "alone"]
    assert left.mesh is right.mesh
    assert np.allclose(left.pose @ [1, 0, 0, 1], [10, 2, 0, 1])
    assert np.array_equal(right.pose @ [0, 0, 0, 1], [15, 6, 7, 1])
    assert np.array_equal(alone.pose, np.eye(4))


def test_only_the_default_scene_counts(load):
    doc, data = document(BOX, TETRAHEDRON)
    doc["scenes"] = [{"nodes": [0]}, {"nodes": [1]}]
    doc["scene"] = 1
    model = load("two.glb", mesh_files.glb(doc, data))
    assert [part.name for part in model.parts] == ["part-1"]
    assert model.warnings == ("1 mesh node outside of the default scene left out",)


def test_without_scenes_every_root_counts(load):
    doc, data = document(BOX, TETRAHEDRON)
    del doc["scenes"], doc["scene"]
    assert load("two.glb", mesh_files.glb(doc, data)).triangles == 16


def test_primitives_on_the_same_positions_share_vertices(load):
    doc, data = document()
    doc["meshes"][0]["primitives"] *= 2
    (part,) = load("twice.glb", mesh_files.glb(doc, data)).parts
    assert part.mesh.faces.shape == (24, 3)
    assert part.mesh.vertices.shape == (8, 3)


@pytest.mark.parametrize(
    ("mode", "faces"), [(5, [[0, 1, 2], [1, 3, 2]]), (6, [[0, 1, 2], [0, 2, 3]])]
)
def test_strips_and_fans(load, mode, faces):
    doc, data = document((BOX[0], np.arange(4)))
    doc["meshes"][0]["primitives"][0]["mode"] = mode
    (part,) = load("strip.glb", mesh_files.glb(doc, data)).parts
    assert part.mesh.faces.tolist() == faces


def test_triangles_without_indices(load):
    doc, data = document(meshes.unwelded(BOX))
    del doc["meshes"][0]["primitives"][0]["indices"]
    (part,) = load("soup.glb", mesh_files.glb(doc, data)).parts
    assert np.array_equal(part.mesh.vertices[part.mesh.faces], BOX[0][BOX[1]])


def test_points_and_lines_are_left_out_and_told(load):
    doc, data = document()
    primitive = doc["meshes"][0]["primitives"][0]
    doc["meshes"][0]["primitives"].append({**primitive, "mode": 1})
    model = load("lines.glb", mesh_files.glb(doc, data))
    assert model.triangles == 12
    assert model.warnings == ("1 primitive of points or lines left out",)


def test_interleaved_positions(load):
    doc, data = document()
    rows = np.zeros(8, np.dtype([("xyz", "<f4", 3), ("normal", "<f4", 3)]))
    rows["xyz"] = BOX[0]
    start = len(data)
    doc["bufferViews"].append(
        {"buffer": 0, "byteOffset": start, "byteLength": rows.nbytes, "byteStride": 24}
    )
    doc["accessors"][0]["bufferView"] = 2
    doc["buffers"][0]["byteLength"] = start + rows.nbytes
    (part,) = load("mixed.glb", mesh_files.glb(doc, data + rows.tobytes())).parts
    assert np.array_equal(part.mesh.vertices, BOX[0])


@pytest.mark.parametrize(
    ("component", "kind", "expected"), [(5122, "<i2", 1.0), (5121, "u1", 1.0), (5120, "i1", 1.0)]
)
def test_quantised_positions(load, component, kind, expected):
    rows = (BOX[0] * np.iinfo(kind).max).astype(kind)
    doc, data = document()
    start = len(data)
    doc["bufferViews"].append({"buffer": 0, "byteOffset": start, "byteLength": rows.nbytes})
    doc["accessors"][0] |= {"bufferView": 2, "componentType": component, "normalized": True}
    doc["buffers"][0]["byteLength"] = start + rows.nbytes
    doc["extensionsRequired"] = ["KHR_mesh_quantization"]
    (part,) = load("small.glb", mesh_files.glb(doc, data + rows.tobytes())).parts
    assert part.mesh.vertices.max() == expected


def test_sparse_positions(load):
    doc, data = document()
    moved = np.array([[9, 9, 9]], "<f4").tobytes()
    start = len(data)
    extra = struct.pack("<H", 7) + bytes(2) + moved
    doc["bufferViews"] += [
        {"buffer": 0, "byteOffset": start, "byteLength": 2},
        {"buffer": 0, "byteOffset": start + 4, "byteLength": 12},
    ]
    doc["accessors"][0]["sparse"] = {
        "count": 1,
        "indices": {"bufferView": 2, "componentType": 5123},
        "values": {"bufferView": 3},
    }
    doc["buffers"][0]["byteLength"] = start + len(extra)
    (part,) = load("sparse.glb", mesh_files.glb(doc, data + extra)).parts
    assert part.mesh.vertices[7].tolist() == [9, 9, 9]
    assert np.array_equal(part.mesh.vertices[:7], BOX[0][:7])


def test_truncated_glb(refused):
    data = mesh_files.glb_of(BOX)
    assert refused("box.glb", data[:-40]) == (
        f"byte 8: declares {len(data):,} bytes but has {len(data) - 40:,} (truncated?)"
    )
    assert "is truncated" in refused("box.glb", data[:10])


def test_more_bytes_than_declared(refused, load):
    data = mesh_files.glb_of(BOX) + bytes(8)
    assert refused("box.glb", data).startswith("byte 8: declares")
    assert load("box.glb", data, lenient=True).triangles == 12


def test_chunk_beyond_the_end(refused):
    data = bytearray(mesh_files.glb_of(BOX))
    data[12:16] = struct.pack("<I", len(data))
    assert "reaches beyond the file's end" in refused("box.glb", bytes(data))


def test_index_out_of_range(refused, load):
    faces = BOX[1].copy()
    faces[5, 1] = 8
    data = mesh_files.glb_of((BOX[0], faces))
    message = refused("box.glb", data)
    assert message == ("meshes[0].primitives[0], triangle 5: uses vertex 8, but only 0 to 7 exist")
    model = load("box.glb", data, lenient=True)
    assert model.triangles == 11
    assert "dropped 1 face" in model.warnings[0]


def test_nan(refused):
    vertices = BOX[0].copy()
    vertices[2, 2] = np.nan
    message = refused("box.glb", mesh_files.glb_of((vertices, BOX[1])))
    assert message == "meshes[0], vertex 2: a coordinate is not a finite number (0, 1, nan)"


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("asset", "version"), "1.0", "asset: is glTF of version '1.0'"),
        (("asset",), ..., "asset: is glTF of no version"),
        (("nodes", 0, "mesh"), 7, "nodes[0]: refers to meshes[7], but there are 1"),
        (("nodes", 0, "mesh"), "0", "nodes[0]: mesh is 0, expected a whole number"),
        (("nodes", 0, "scale"), [1, 1], "nodes[0]: scale is not a list of 3"),
        (("nodes", 0, "translation"), [1, 1, "x"], "nodes[0]: translation is not a list of 3"),
        (("nodes", 0, "rotation"), [0, 0, 0, 0], "nodes[0]: its rotation is not a unit quat"),
        (("nodes", 0, "matrix"), [1.0] * 16, "nodes[0]: its matrix is not affine"),
        (("nodes", 0, "children"), [0], "nodes[0]: is reached twice"),
        (("nodes", 0, "children"), [5], "scenes: refers to nodes[5]"),
        (("nodes",), 5, "nodes: nodes is not an array"),
        (("accessors", 0, "count"), 9, "accessors[0]: needs 108 bytes but bufferViews[0] has 96"),
        (("accessors", 0, "count"), -1, "accessors[0]: count is -1"),
        (("accessors", 0, "count"), 10**30, "accessors[0]: count is 1000000"),
        (("accessors", 0, "type"), "VEC2", "accessors[0]: is of type 'VEC2'"),
        (("accessors", 0, "componentType"), 1, "accessors[0]: has an unknown componentType 1"),
        (("accessors", 1, "componentType"), 5122, "accessors[1]: is used as indices but is not"),
        (("accessors", 1, "count"), 35, "meshes[0].primitives[0]: has 35 corners, not a mult"),
        (("accessors", 1, "count"), 0, "contains no triangles"),
        (("bufferViews", 0, "byteLength"), 999, "bufferViews[0]: ends at byte 999 of a buffer"),
        (("bufferViews", 0, "byteStride"), 4, "bufferViews[0]: byteStride 4 is less than"),
        (("bufferViews", 0, "buffer"), 1, "bufferViews[0]: refers to buffers[1]"),
        (("buffers", 0, "byteLength"), 9999, "buffers[0]: declares 9,999 bytes but has 168"),
        (("buffers", 0, "uri"), "gone.bin", "buffers[0]: the buffer file 'gone.bin' is missing"),
        (("buffers", 0, "uri"), "../secret.bin", "buffers[0]: '../secret.bin' lies outside"),
        (("buffers", 0, "uri"), "%2e%2e/secret.bin", "buffers[0]: '%2e%2e/secret.bin' lies out"),
        (("buffers", 0, "uri"), "/etc/passwd", "buffers[0]: '/etc/passwd' lies outside"),
        (("buffers", 0, "uri"), "https://a.b/c.bin", "buffers[0]: 'https://a.b/c.bin' is not a"),
        (("buffers", 0, "uri"), "file:///etc/passwd", "buffers[0]: 'file:///etc/passwd' is not"),
        (("buffers", 0, "uri"), "a\0b", "buffers[0]: 'a\\x00b' is not a file name"),
        (("buffers", 0, "uri"), ".", "buffers[0]: the buffer file '.' is a directory"),
        (("buffers", 0, "uri"), "data:;base64,@@", "buffers[0]: its base64 data is damaged"),
        (("buffers", 0, "uri"), "data:text,hi", "buffers[0]: its data URI is not base64"),
        (("meshes", 0, "primitives", 0, "mode"), 9, "meshes[0].primitives[0]: has the unknown m"),
        (("meshes", 0, "primitives", 0, "attributes"), {}, "meshes[0].primitives[0].attributes: "),
        (("meshes", 0, "primitives", 0, "extensions"), {"KHR_draco_mesh_compression": {}},
         "meshes[0].primitives[0]: needs the extension KHR_draco_mesh_compression"),
        (("extensionsRequired",), ["KHR_draco_mesh_compression"],
         "extensionsRequired: needs the extension KHR_draco_mesh_compression"),
        (("extensionsRequired",), ["ACME_magic"], "extensionsRequired: needs the extension ACME"),
    ],
)  # fmt: skip
def test_broken_document(refused, path, value, message):
    assert refused("box.glb", changed(*path, value=value)).startswith(message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "line 1: is not valid glTF JSON"),
        ("[]", "is not glTF: its JSON is not an object"),
        ('{"asset": NaN}', "the JSON holds NaN"),
        (b"\xff\xfe{}", "byte 0: is not glTF: its JSON is not UTF-8"),
        ("[" * 100_000, "its JSON cannot be read"),
        ('{"asset": {"version": "2.0"}}', "contains no triangles"),
    ],
)
def test_broken_json(refused, text, message):
    assert refused("box.gltf", text).startswith(message)


def test_zeros_without_storage_are_limited(refused):
    doc, data = document()
    del doc["accessors"][0]["bufferView"]
    doc["accessors"][0]["count"] = 10**12
    message = refused("zeros.glb", mesh_files.glb(doc, data))
    assert message.startswith("accessors[0]: 1,000,000,000,000 values would take 24,000,000,000,")
    assert "the limit for a file of" in message


def test_links_out_of_the_folder_are_not_followed(refused, put, tmp_path):
    folder = tmp_path / "inner"
    folder.mkdir()
    doc, data = document()
    put("outside.bin", data)
    (folder / "inside.bin").symlink_to(tmp_path / "outside.bin")
    doc["buffers"][0]["uri"] = "inside.bin"
    assert "lies outside" in refused("inner/box.gltf", json.dumps(doc))


def test_meshes_of_the_same_accessors_share_one_mesh(load):
    doc, data = document()
    doc["meshes"] = [{**doc["meshes"][0], "name": name} for name in ("red", "green")]
    doc["nodes"] = [{"mesh": 0}, {"mesh": 1}]
    doc["scenes"] = [{"nodes": [0, 1]}]
    red, green = load("two.glb", mesh_files.glb(doc, data)).parts
    assert (red.name, green.name) == ("red", "green")
    assert red.mesh is green.mesh


def test_meshes_take_what_they_use_of_a_common_table_of_vertices(load):
    both = meshes.merge(BOX, meshes.moved(meshes.tetrahedron(), (5, 0, 0)))
    doc, data = mesh_files.gltf_document([both, both])
    for i, (first, corners) in enumerate(((0, 36), (36, 12))):
        doc["meshes"][i]["primitives"][0]["attributes"]["POSITION"] = 0
        doc["accessors"][2 * i + 1].update(byteOffset=2 * first, count=corners)
    box, tetrahedron = load("two.glb", mesh_files.glb(doc, data)).parts
    assert np.array_equal(box.mesh.vertices, BOX[0])
    assert np.array_equal(box.mesh.faces, BOX[1])
    assert np.array_equal(tetrahedron.mesh.vertices, both[0][8:].astype("f4"))
    assert np.array_equal(tetrahedron.mesh.faces, meshes.tetrahedron()[1])


def test_a_key_that_is_there_twice(refused):
    text = '{"asset": {"version": "2.0"}, "nodes": [], "nodes": [{"mesh": 0}]}'
    assert refused("x.gltf", text) == "an object of the JSON has 'nodes' twice"


@pytest.mark.parametrize("name", [[], {}, 7, None])
def test_a_required_extension_is_a_name(refused, name):
    doc, data = document()
    doc["extensionsRequired"] = [name]
    message = refused("x.glb", mesh_files.glb(doc, data))
    assert message == "extensionsRequired: holds something that is not a name"


def test_one_buffer_file_for_many_buffers_is_read_once(load, put, monkeypatch):
    doc, data = document()
    put("x.bin", data)
    doc["buffers"] = [{"byteLength": len(data), "uri": "x.bin"}] * 2
    doc["bufferViews"][1]["buffer"] = 1
    reads = []
    read_regular = gltf_document_module.read_regular
    monkeypatch.setattr(
        gltf_document_module, "read_regular", lambda path: reads.append(path) or read_regular(path)
    )
    assert load("x.gltf", json.dumps(doc)).triangles == 12
    assert len(reads) == 1
