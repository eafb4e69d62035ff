"""The header of a PLY file: its encoding and its elements with their properties."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from impinge.io.checks import Findings

_TYPES = {
    "char": "i1", "int8": "i1", "uchar": "u1", "uint8": "u1",
    "short": "i2", "int16": "i2", "ushort": "u2", "uint16": "u2",
    "int": "i4", "int32": "i4", "uint": "u4", "uint32": "u4",
    "float": "f4", "float32": "f4", "double": "f8", "float64": "f8",
}  # fmt: skip

# Byte order of the numbers; text has none.
_FORMATS = {"ascii": "", "binary_little_endian": "<", "binary_big_endian": ">"}

_END = re.compile(rb"^end_header[ \t]*\r?(\n|\Z)", re.MULTILINE)

# No file has more rows than a number of so many digits.
_MOST_DIGITS = 18

# Elements that hold geometry, with the properties that do; a second one of a name is ambiguous.
GEOMETRY = {
    "vertex": ("x", "y", "z"),
    "face": ("vertex_indices", "vertex_index"),
    "tristrips": ("vertex_indices", "vertex_index"),
}


@dataclass(frozen=True)
class Property:
    """A scalar of NumPy type `kind`, or a list of them when `length_kind` is given."""

    name: str
    kind: str
    length_kind: str = ""


@dataclass(frozen=True)
class Element:
    name: str
    count: int
    properties: tuple[Property, ...]


@dataclass(frozen=True)
class Header:
    """order: "" for text, "<" or ">". size: bytes of the header. lines: lines of the header."""

    order: str
    elements: tuple[Element, ...]
    size: int
    lines: int


def read_header(data: bytes, findings: Findings) -> Header:
    """The header, or an error that names the line."""
    if not re.match(rb"ply[ \t]*\r?\n", data):
        findings.fail("is not a PLY file (it does not start with 'ply')", place="line 1")
    end = _END.search(data)
    if end is None:
        findings.fail("the header has no end_header line (truncated?)")
    lines = data[: end.start()].decode("ascii", "replace").split("\n")
    order: str | None = None
    elements: list[Element] = []
    properties: list[list[Property]] = []
    for number, line in enumerate(lines[1:], start=2):
        words = line.split()
        if not words or words[0] in ("comment", "obj_info"):
            continue
        place = f"line {number}"
        if words[0] == "format" and len(words) >= 2 and words[1] in _FORMATS:
            if order is not None:
                findings.fail("the header has a second format line", place=place)
            order = _FORMATS[words[1]]
        elif words[0] == "element":
            elements.append(_element(words, place, findings))
            properties.append([])
        elif words[0] == "property" and elements:
            properties[-1].append(_property(words, place, findings))
        else:
            findings.fail(f"not understood: {line.strip()[:60]!r}", place=place)
    if order is None:
        findings.fail("the header has no format line")
    whole = tuple(
        replace(element, properties=tuple(own))
        for element, own in zip(elements, properties, strict=True)
    )
    _check_names(whole, findings)
    return Header(order, whole, end.end(), len(lines))


def _check_names(elements: tuple[Element, ...], findings: Findings) -> None:
    """Every element that has rows has properties, and geometry is declared once."""
    seen = set()
    for element in elements:
        if element.count and not element.properties:
            findings.fail(f"element {element.name} has no properties", place="header")
        if element.name not in GEOMETRY:
            continue
        if element.name in seen:
            findings.fail(f"declares the element {element.name} twice", place="header")
        seen.add(element.name)
        names = [p.name for p in element.properties]
        for name in GEOMETRY[element.name]:
            if names.count(name) > 1:
                findings.fail(
                    f"element {element.name} has the property {name} twice", place="header"
                )


def _element(words: list[str], place: str, findings: Findings) -> Element:
    if len(words) != 3 or not words[2].isascii() or not words[2].isdigit():
        found = " ".join(words[:4])[:60]
        findings.fail(f"expected 'element NAME COUNT', found {found!r}", place=place)
    if len(words[2]) > _MOST_DIGITS:
        findings.fail(
            f"element {words[1][:40]} has a count of {len(words[2]):,} digits", place=place
        )
    return Element(words[1], int(words[2]), ())


def _property(words: list[str], place: str, findings: Findings) -> Property:
    if len(words) == 3 and words[1] in _TYPES:
        return Property(words[2], _TYPES[words[1]])
    if len(words) == 5 and words[1] == "list" and {words[2], words[3]} <= _TYPES.keys():
        length_kind = _TYPES[words[2]]
        if length_kind[0] != "f":
            return Property(words[4], _TYPES[words[3]], length_kind)
    found = " ".join(words[:6])[:60]
    return findings.fail(f"property not understood: {found!r}", place=place)
