"""Animated glTF files."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from support import mesh_files, meshes

Keys = tuple[int, str, str, Sequence[float], object]
"""Node, path, interpolation, times, values."""


def glb(bodies: list[meshes.Arrays], nodes: list[dict[str, object]] | None, *keys: Keys) -> bytes:
    """Meshes below nodes, with a channel for each of the keys."""
    return mesh_files.glb(*document(bodies, nodes, *keys))


def document(
    bodies: list[meshes.Arrays], nodes: list[dict[str, object]] | None, *keys: Keys
) -> tuple[dict, bytes]:
    root, data = mesh_files.gltf_document(bodies, nodes)
    channels, samplers = [], []
    for node, path, interpolation, times, values in keys:
        refs = []
        for array, kind in ((times, "SCALAR"), (values, "VEC4" if path == "rotation" else "VEC3")):
            raw = np.asarray(array, "<f4")
            data += bytes(-len(data) % 4)
            root["bufferViews"].append(
                {"buffer": 0, "byteOffset": len(data), "byteLength": raw.nbytes}
            )
            root["accessors"].append(
                {
                    "bufferView": len(root["bufferViews"]) - 1,
                    "componentType": 5126,
                    "count": raw.size // {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[kind],
                    "type": kind,
                }
            )
            refs.append(len(root["accessors"]) - 1)
            data += raw.tobytes()
        samplers.append({"input": refs[0], "output": refs[1], "interpolation": interpolation})
        channels.append({"sampler": len(samplers) - 1, "target": {"node": node, "path": path}})
    root["animations"] = [{"name": "move", "channels": channels, "samplers": samplers}]
    root["buffers"][0]["byteLength"] = len(data)
    return root, data


def turn(axis: int, degrees: float) -> list[float]:
    """A quaternion x, y, z, w."""
    half = np.radians(degrees) / 2
    result = [0.0, 0.0, 0.0, float(np.cos(half))]
    result[axis] = float(np.sin(half))
    return result
