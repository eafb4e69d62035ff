"""glTF: a JSON document and its buffers, in a GLB or beside each other."""

from __future__ import annotations

import json
import struct
from typing import Any

from fuzz import mutate, trees
from fuzz.counting import require
from fuzz.layers import Layer, Layers

_JSON, _BIN = 0x4E4F534A, 0x004E4942
KEYS = [
    "asset",
    "version",
    "scene",
    "scenes",
    "nodes",
    "children",
    "mesh",
    "meshes",
    "primitives",
    "attributes",
    "POSITION",
    "indices",
    "mode",
    "accessors",
    "bufferView",
    "byteOffset",
    "byteLength",
    "byteStride",
    "count",
    "componentType",
    "type",
    "normalized",
    "sparse",
    "values",
    "buffers",
    "buffer",
    "bufferViews",
    "uri",
    "name",
    "matrix",
    "translation",
    "rotation",
    "scale",
    "skin",
    "weights",
    "extensions",
    "extensionsRequired",
    "extensionsUsed",
    "targets",
    "KHR_node_visibility",
    "EXT_mesh_gpu_instancing",
    "visible",
    "KHR_draco_mesh_compression",
    "EXT_meshopt_compression",
]
VALUES = json.loads(
    """[0, 1, 2, 3, 4, 5, 6, 12, 255, 65535, -1, 0.5, 1e300, 1e-300, -0.0, 2147483648,
    9007199254740992, 9223372036854775808, true, false, null, "", "name", "\\ud800", "\\u001b[31m",
    "SCALAR", "VEC3", "VEC2", "MAT4", 5120, 5121, 5122, 5123, 5125, 5126, [], {}, [0], [[]], [{}],
    [0, 0, 0], [0, 0, 0, 1], [0.6, 0, 0, 0.8], [1, 2, 3], [0, 0, 0, 0], [1e300, 1e300, 1e300],
    [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 0, 0, 1], {"mesh": 0}, {"nodes": [0]},
    {"visible": false}, {"KHR_node_visibility": {"visible": false}}, {"byteLength": 12},
    {"EXT_mesh_gpu_instancing": {}}, {"mesh": 0, "translation": [1, 2, 3]},
    {"attributes": {"POSITION": 0}}, {"attributes": {"POSITION": 0}, "indices": 1, "mode": 5},
    {"attributes": {"POSITION": 0}, "mode": 6}, {"componentType": 5126, "count": 3, "type": "VEC3"},
    {"count": 1, "indices": {"bufferView": 1, "componentType": 5123}, "values": {"bufferView": 0}},
    {"buffer": 0, "byteLength": 48}, "beside.bin", "missing.bin", "../x.bin", "/etc/hostname",
    "http://x/y", "data:,x", "data:;base64,AAAA", "%00", "2.0", "2.1", "1.0", "input.gltf",
    "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    "KHR_draco_mesh_compression", "KHR_mesh_quantization", "KHR_materials_unlit", "EXT_unknown"]"""
)
VALUES.append(10**400)


def extension(data: bytes) -> str:
    return ".glb" if data[:4] == b"glTF" else ".gltf"


def count(data: bytes) -> int:
    document = json.loads(
        (_chunks(data)[_JSON] if data[:4] == b"glTF" else data).decode("utf-8-sig")
    )
    nodes = document.get("nodes", [])
    if document.get("scenes"):
        roots = document["scenes"][document.get("scene", 0)].get("nodes", [])
    else:
        below = {child for node in nodes for child in node.get("children", [])}
        roots = [i for i in range(len(nodes)) if i not in below]
    found, stack = 0, list(roots)
    seen: set[int] = set()
    while stack:
        index = stack.pop()
        require(index not in seen, "a node reached twice")
        seen.add(index)
        stack += nodes[index].get("children", [])
        if "mesh" in nodes[index]:
            mesh = document["meshes"][nodes[index]["mesh"]]
            found += sum(_triangles(document, one) for one in mesh.get("primitives", []))
    return found


def _chunks(data: bytes) -> dict[int, bytes]:
    found: dict[int, bytes] = {}
    _, version, length = struct.unpack_from("<4sII", data)
    require(version == 2 and length == len(data), "another header")
    at = 12
    while at < length:
        size, kind = struct.unpack_from("<II", data, at)
        require(at + 8 + size <= length, "a chunk beyond the end")
        found.setdefault(kind, data[at + 8 : at + 8 + size])
        at += 8 + size
    return found


def _triangles(document: dict[str, Any], primitive: dict[str, Any]) -> int:
    corners = primitive.get("indices", primitive["attributes"]["POSITION"])
    items, mode = document["accessors"][corners]["count"], primitive.get("mode", 4)
    require(mode in (4, 5, 6), "a mode without triangles")
    if mode == 4:
        require(items % 3 == 0, "corners that are left over")
        return int(items // 3)
    return max(0, int(items) - 2)


def layers(data: bytes) -> Layers:
    document = trees.json_of(KEYS, VALUES)
    if data[:4] != b"glTF":
        yield Layer(data, document, bytes, weight=8)
        return
    (size,) = struct.unpack_from("<I", data, 12)
    text, binary = data[20 : 20 + size], data[28 + size :]
    yield Layer(text, document, lambda changed: glb(changed, binary), weight=8)
    yield Layer(binary, mutate.records(12), lambda changed: glb(text, changed), weight=2)


def glb(text: bytes, binary: bytes) -> bytes:
    text += b" " * (-len(text) % 4)
    binary += bytes(-len(binary) % 4)
    chunks = struct.pack("<II", len(text), _JSON) + text
    if binary:
        chunks += struct.pack("<II", len(binary), _BIN) + binary
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks
