"""A small writer of binary glTF: float32 positions, 16-bit indices, named nodes, plain colours."""

import json
import struct

import numpy as np
from numpy.typing import NDArray

from gearbox.assembly import Part

Arrays = tuple[NDArray[np.float32], NDArray[np.uint16]]

COLOURS = {
    "housing": (0.36, 0.45, 0.52),
    "cover": (0.46, 0.56, 0.62),
    "base-plate": (0.30, 0.33, 0.36),
    "gear": (0.78, 0.62, 0.32),
    "pinion": (0.78, 0.62, 0.32),
    "shaft": (0.72, 0.74, 0.77),
    "bearing": (0.55, 0.62, 0.70),
    "sleeve": (0.62, 0.50, 0.38),
    "key": (0.35, 0.55, 0.45),
}
STEEL = (0.28, 0.30, 0.33)


def glb(meshes: dict[str, Arrays], parts: list[Part]) -> bytes:
    """The bytes of a GLB file with one node for each part; equal meshes are stored once."""
    index = {name: n for n, name in enumerate(meshes)}
    binary, views, accessors = b"", [], []
    for vertices, faces in meshes.values():
        for array, target in ((vertices, 34962), (faces, 34963)):
            block = np.ascontiguousarray(array).tobytes()
            views.append(
                {"buffer": 0, "byteOffset": len(binary), "byteLength": len(block), "target": target}
            )
            binary += block + bytes(-len(block) % 4)
        accessors += [_positions(vertices, len(accessors)), _indices(faces, len(accessors) + 1)]
    document = {
        "asset": {"version": "2.0", "generator": "impinge examples/make_gearbox.py"},
        "extras": {"unit": "mm"},
        "scene": 0,
        "scenes": [{"name": "gearbox", "nodes": list(range(len(parts)))}],
        "nodes": [_node(part, index[part.mesh]) for part in parts],
        "meshes": [_mesh(name, n) for n, name in enumerate(meshes)],
        "materials": [_material(name) for name in meshes],
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{"byteLength": len(binary)}],
    }
    text = json.dumps(document, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    length = 12 + 8 + len(text) + 8 + len(binary)
    head = struct.pack("<4sII", b"glTF", 2, length)
    return b"".join(
        [
            head,
            struct.pack("<I4s", len(text), b"JSON"),
            text,
            struct.pack("<I4s", len(binary), b"BIN\0"),
            binary,
        ]
    )


def _positions(vertices: NDArray[np.float32], view: int) -> dict[str, object]:
    low, high = (bound.astype(np.float64).tolist() for bound in (vertices.min(0), vertices.max(0)))
    return {
        "bufferView": view,
        "componentType": 5126,
        "count": len(vertices),
        "type": "VEC3",
        "min": low,
        "max": high,
    }


def _indices(faces: NDArray[np.uint16], view: int) -> dict[str, object]:
    return {"bufferView": view, "componentType": 5123, "count": faces.size, "type": "SCALAR"}


def _mesh(name: str, n: int) -> dict[str, object]:
    primitive = {"attributes": {"POSITION": 2 * n}, "indices": 2 * n + 1, "material": n}
    return {"name": name, "primitives": [primitive]}


def _material(name: str) -> dict[str, object]:
    colour = next((rgb for word, rgb in COLOURS.items() if word in name), STEEL)
    surface = {"baseColorFactor": [*colour, 1.0], "metallicFactor": 0.3, "roughnessFactor": 0.6}
    return {"name": name, "pbrMetallicRoughness": surface}


def _node(part: Part, mesh: int) -> dict[str, object]:
    node: dict[str, object] = {"name": part.name, "mesh": mesh}
    if part.rotation is not None:
        pose = np.eye(4)
        pose[:3, :3], pose[:3, 3] = part.rotation, part.translation
        node["matrix"] = pose.T.ravel().tolist()
    elif any(part.translation):
        node["translation"] = list(part.translation)
    return node
