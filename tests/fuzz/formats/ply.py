"""PLY: a header that declares elements, then their rows as lines or as binary records."""

from __future__ import annotations

import struct

from fuzz import mutate
from fuzz.counting import numbers, polygon, require, whole
from fuzz.layers import Layer, Layers

WORDS = (
    b"char|uchar|short|ushort|int|uint|float|double|int8|uint8|int16|uint16|int32|uint32|float32|"
    b"float64|list|x|y|z|property|property uchar red\n|property list uchar int vertex_indices\n|"
    b"property list int int vertex_index\n|property list uchar float texcoord\n|element|"
    b"element face 1\n|element vertex 3\n|element tristrips 1\n|element edge 2\n|"
    b"element edge 0\n|property float x\n|comment c\n|obj_info i\n|format ascii 1.0\n|ascii|"
    b"binary_little_endian|binary_big_endian|end_header\n|vertex|face|vertex_indices|tristrips|"
    b"ply\n|3 0 1 2\n|4 0 1 2 -1\n|0 0 0\n"
).split(b"|")

_END = b"end_header"
_TYPES = {
    "char": "b", "int8": "b", "uchar": "B", "uint8": "B", "short": "h", "int16": "h",
    "ushort": "H", "uint16": "H", "int": "i", "int32": "i", "uint": "I", "uint32": "I",
    "float": "f", "float32": "f", "double": "d", "float64": "d",
}  # fmt: skip
_ORDERS = {"ascii": "", "binary_little_endian": "<", "binary_big_endian": ">"}
_INDICES = ("vertex_indices", "vertex_index")
_GEOMETRY = ("x", "y", "z", *_INDICES)
_USED = ("vertex", "face", "tristrips")

# name, count, and of each property: name, type of its length ("" for a scalar), type
Element = tuple[str, int, list[tuple[str, str, str]]]


def extension(data: bytes) -> str:
    return ".ply"


def count(data: bytes) -> int:
    at, order, elements = _header(data)
    for used in _USED:
        found = [properties for name, _, properties in elements if name == used]
        require(len(found) <= 1, "two elements of one name")
        names = [name for properties in found for name, *_ in properties]
        require(all(names.count(name) <= 1 for name in _GEOMETRY), "a property twice")
    if order:
        return _binary(data, at, order, elements)
    return _text(data[at:], elements)


def _header(data: bytes) -> tuple[int, str, list[Element]]:
    at, order = 0, None
    elements: list[Element] = []
    require(data[:3] == b"ply", "no magic word")
    while True:
        end = data.find(b"\n", at)
        line = data[at:] if end < 0 else data[at:end]
        at = len(data) if end < 0 else end + 1
        words = line.decode("ascii", "replace").split()
        if words == [_END.decode()]:
            require(order is not None, "no format")
            return at, order or "", elements
        require(end >= 0, "no end of the header")
        if not words or words[0] in ("ply", "comment", "obj_info"):
            continue
        if words[0] == "format":
            require(order is None, "two formats")
            require(len(words) > 1, "a format without a name")
            order = _ORDERS.get(words[1])
        elif words[0] == "element":
            require(len(words) == 3, "an element of other words")
            elements.append((words[1], whole(words[2].encode()), []))
        else:
            require(words[0] == "property" and elements, f"header line {words[0][:40]!r}")
            kinds = words[2:4] if words[1] == "list" else ["", words[1]]
            require(len(words) == (5 if kinds[0] else 3), "a property of other words")
            length = _TYPES[kinds[0]] if kinds[0] else ""
            elements[-1][2].append((words[-1], length, _TYPES[kinds[1]]))


def _triangles(element: str, corners: list[int]) -> int:
    """Triangles of a row's list."""
    if element == "face":
        return polygon(len(corners))
    found, run = 0, 0
    for corner in [*corners, -1]:
        run = run + 1 if corner != -1 else 0
        found += run >= 3
    return found


def _text(body: bytes, elements: list[Element]) -> int:
    lines = [line.split() for line in body.splitlines()]
    lines = [line for line in lines if line]
    require(len(lines) == sum(rows for _, rows, _ in elements), "other lines than declared")
    found, at = 0, 0
    for element, rows, properties in elements:
        for line in lines[at : at + rows]:
            found += _text_row(line, element, properties)
        at += rows
    return found


def _text_row(line: list[bytes], element: str, properties: list[tuple[str, str, str]]) -> int:
    if element not in _USED:
        return 0
    numbers(line)
    found, at = 0, 0
    for name, length, _ in properties:
        size = int(float(line[at])) if length else 1
        at += 1 if length else 0
        if element != "vertex" and name in _INDICES and length:
            found += _triangles(element, [int(float(word)) for word in line[at : at + size]])
        at += size
    require(at == len(line), "other numbers than declared")
    return found


def _binary(data: bytes, at: int, order: str, elements: list[Element]) -> int:
    found = 0
    for element, rows, properties in elements:
        if not properties:
            continue
        for _ in range(rows):
            for name, length, kind in properties:
                size = 1
                if length:
                    size = struct.unpack_from(order + length, data, at)[0]
                    at += struct.calcsize(length)
                    require(size >= 0, "a list of negative length")
                bytes_each = struct.calcsize(kind)
                require(at + size * bytes_each <= len(data), "the file ends early")
                if element in ("face", "tristrips") and name in _INDICES and length:
                    corners = struct.unpack_from(f"{order}{size}{kind}", data, at)
                    found += _triangles(element, list(corners))
                at += size * bytes_each
    require(at == len(data), "bytes behind the last row")
    return found


def layers(data: bytes) -> Layers:
    end = data.find(b"\n", data.find(_END)) + 1
    head, body = data[:end], data[end:]
    yield Layer(head, mutate.text(WORDS), lambda changed: changed + body, weight=3)
    if b"ascii" in head:
        yield Layer(body, mutate.text(WORDS), lambda changed: head + changed, weight=4)
        return
    for size in (12, 13):
        yield Layer(body, mutate.records(size), lambda changed: head + changed, weight=2)
