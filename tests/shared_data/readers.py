"""Readers for the files of the shared data: face order kept, nothing merged, nothing dropped."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import numpy as np

from support.meshes import Arrays, arrays, soup

PLY_TYPES = {
    "char": "i1",
    "uchar": "u1",
    "uint8": "u1",
    "int": "i4",
    "int32": "i4",
    "float": "f4",
    "double": "f8",
}


@cache
def read(path: Path) -> Arrays:
    """Vertices (n, 3) float64 and faces (m, 3) int32 of a mesh file."""
    return {".ply": _ply, ".obj": _obj, ".off": _off, ".stl": _stl}[path.suffix.lower()](path)


def bodies(path: Path) -> list[tuple[str, Arrays]]:
    """Name and mesh of each body of a PLY with its .bodies.txt beside it."""
    vertices, faces = read(path)
    parts = []
    for line in path.with_suffix(".bodies.txt").read_text().splitlines():
        if line.startswith("#"):
            continue
        _, f, nf, v, nv, name = line.split(None, 5)
        first_face, first_vertex = int(f), int(v)
        own = faces[first_face : first_face + int(nf)] - first_vertex
        parts.append((name, arrays(vertices[first_vertex : first_vertex + int(nv)], own)))
    return parts


def pair_table(path: Path) -> np.ndarray:
    """(n, columns) int64 rows of a reference file; (0, 0) when it lists nothing."""
    return np.array([line.split(",") for line in path.read_text().split()], dtype=np.int64, ndmin=2)


def _element_types(header: str) -> dict[str, tuple[int, list[tuple[str, str]]]]:
    elements: dict[str, tuple[int, list[tuple[str, str]]]] = {}
    for line in header.splitlines():
        word = line.split()
        if word[0] == "element":
            elements[word[1]] = int(word[2]), []
            fields = elements[word[1]][1]
        elif word[:2] == ["property", "list"]:
            fields += [("count", PLY_TYPES[word[2]]), ("index", f"3{PLY_TYPES[word[3]]}")]
        elif word[0] == "property":
            fields.append((word[2], PLY_TYPES[word[1]]))
    return elements


def _ply(path: Path) -> Arrays:
    raw = path.read_bytes()
    end = raw.index(b"end_header\n") + len(b"end_header\n")
    header = raw[:end].decode()
    elements = _element_types(header)
    n, vertex_fields = elements["vertex"]
    m, face_fields = elements["face"]
    if "format ascii" in header:
        lines = raw[end:].decode().splitlines()
        points = np.array([line.split()[:3] for line in lines[:n]], dtype=np.float32)
        return arrays(points, [line.split()[1:4] for line in lines[n : n + m]])
    order = ">" if "big_endian" in header else "<"
    vertex_type = np.dtype(vertex_fields).newbyteorder(order)
    face_type = np.dtype(face_fields).newbyteorder(order)
    points = np.frombuffer(raw, vertex_type, n, end)
    faces = np.frombuffer(raw, face_type, m, end + n * vertex_type.itemsize)
    assert np.all(faces["count"] == 3), path
    return arrays(np.stack([points[axis] for axis in "xyz"], axis=-1), faces["index"])


def _obj(path: Path) -> Arrays:
    """Polygons become fans."""
    lines = path.read_text().replace("\\\n", " ").splitlines()
    points = [line.split()[1:4] for line in lines if line.startswith("v ")]
    faces = []
    for line in lines:
        if line.startswith("f "):
            corner = [int(word.partition("/")[0]) for word in line.split()[1:]]
            corner = [c - 1 if c > 0 else c + len(points) for c in corner]
            faces += [(corner[0], corner[k], corner[k + 1]) for k in range(1, len(corner) - 1)]
    return arrays(np.array(points, dtype=np.float64), faces)


def _off(path: Path) -> Arrays:
    word = path.read_text().split()
    n, m = int(word[1]), int(word[2])
    points = np.array(word[4 : 4 + 3 * n], dtype=np.float64)
    rows = np.array(word[4 + 3 * n : 4 + 3 * n + 4 * m], dtype=np.int64).reshape(m, 4)
    assert np.all(rows[:, 0] == 3), path
    return arrays(points, rows[:, 1:])


def _stl(path: Path) -> Arrays:
    """Unwelded triangles in file order; binary or text."""
    raw = path.read_bytes()
    record = np.dtype([("normal", "<f4", 3), ("corner", "<f4", (3, 3)), ("attribute", "<u2")])
    count = int(np.frombuffer(raw, "<u4", 1, 80)[0]) if len(raw) >= 84 else 0
    if len(raw) == 84 + count * record.itemsize:
        return soup(np.frombuffer(raw, record, count, 84)["corner"])
    corner = re.findall(r"vertex\s+(\S+)\s+(\S+)\s+(\S+)", raw.decode())
    return soup(np.array(corner, dtype=np.float32).reshape(-1, 3, 3))


def contact_model(path: Path) -> tuple[list[Arrays], list[list[np.ndarray]]]:
    """The two objects of an FCL contact scenario, and for each frame their (4, 4) poses."""
    text = path.read_text()
    objects = []
    for part in text.split("<OBJECT")[1:]:
        grid = re.findall(r'<GRID id="(\d+)" x="(\S+)" y="(\S+)" z="(\S+)"', part)
        number = {row[0]: k for k, row in enumerate(grid)}
        corner = re.findall(r'g1="(\d+)" g2="(\d+)" g3="(\d+)"', part)
        faces = [[number[g] for g in row] for row in corner]
        objects.append(arrays(np.array([row[1:] for row in grid], dtype=np.float64), faces))
    frames = []
    for part in text.split("<FRAME")[1:]:
        matrices = [np.eye(4), np.eye(4)]
        for k, matrix in enumerate(matrices, start=1):
            rotation = re.search(rf'obj{k}_dc="([^"]*)"', part)[1].split()
            matrix[:3, :3] = np.array(rotation, dtype=np.float64).reshape(3, 3)
            position = re.search(rf'obj{k}_pos="([^"]*)"', part)[1].split()
            matrix[:3, 3] = np.array(position, dtype=np.float64)
        frames.append(matrices)
    return objects, frames
