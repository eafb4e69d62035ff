"""The XML of a 3MF model part: objects with meshes or components, and build items."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NoReturn
from xml.parsers import expat

import numpy as np

from impinge.io.checks import Findings
from impinge.io.model import identity
from impinge.io.text import numbers

if TYPE_CHECKING:
    from collections.abc import Callable

    from impinge._types import Floats, Longs

_CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
_PRODUCTION = "http://schemas.microsoft.com/3dmanufacturing/production/2015/06"
_BEAMS = "http://schemas.microsoft.com/3dmanufacturing/beamlattice/2017/02"

# Required extensions that leave the triangles where they are.
_HARMLESS = (
    _PRODUCTION,
    "http://schemas.microsoft.com/3dmanufacturing/material/",
    "http://schemas.microsoft.com/3dmanufacturing/slice/",
    "http://schemas.microsoft.com/3dmanufacturing/trianglesets/",
)

Attributes = dict[str, str]


@dataclass(frozen=True, eq=False)
class Item:
    """A build item or component: the object it places. pose: (4, 4). path: other model part."""

    object_id: str
    path: str
    pose: Floats
    line: int
    part_number: str


@dataclass(eq=False)
class ObjectXml:
    """coordinates: x, y, z of each vertex as text. corners: v1, v2, v3 of each triangle."""

    name: str
    line: int
    has_mesh: bool = False
    coordinates: list[str] = field(default_factory=list)
    corners: list[str] = field(default_factory=list)
    components: list[Item] = field(default_factory=list)

    def vertex_array(self, findings: Findings, path: str) -> Floats:
        """(n, 3) float64."""
        try:
            values = np.fromiter(map(float, self.coordinates), np.float64, len(self.coordinates))
        except ValueError as error:
            self._fail(findings, path, f"a vertex coordinate is not a number ({error})")
        return values.reshape(-1, 3)

    def face_array(self, findings: Findings, path: str) -> Longs:
        """(m, 3) int64."""
        try:
            values = np.fromiter(map(int, self.corners), np.int64, len(self.corners))
        except (ValueError, OverflowError) as error:
            self._fail(findings, path, f"a triangle's vertex is not an index ({error})")
        return values.reshape(-1, 3)

    def _fail(self, findings: Findings, path: str, cause: str) -> NoReturn:
        findings.fail(cause, place=f"{path}, object of line {self.line}")


@dataclass(eq=False)
class ModelXml:
    objects: dict[str, ObjectXml] = field(default_factory=dict)
    items: list[Item] = field(default_factory=list)


def parse_model(xml: bytes, path: str, findings: Findings) -> ModelXml:
    """The objects and build items of a model part; document types and entities are refused."""
    reader = _Reader(path, findings)
    try:
        reader.parser.Parse(xml, True)
    except expat.ExpatError as error:
        reason = expat.errors.messages.get(error.code, "malformed")
        findings.fail(f"is not valid XML ({reason})", place=f"{path}, line {error.lineno}")
    return reader.model


class _Reader:
    """Takes what matters out of the stream of XML elements."""

    def __init__(self, path: str, findings: Findings) -> None:
        self.model = ModelXml()
        self._path = path
        self._findings = findings
        self._current = ObjectXml("", 0)
        self._namespaces: dict[str | None, str] = {}
        self._handlers: dict[str, Callable[[Attributes], None]] = {
            f"{_CORE} model": self._on_model,
            f"{_CORE} object": self._on_object,
            f"{_CORE} mesh": self._on_mesh,
            f"{_CORE} vertex": self._on_vertex,
            f"{_CORE} triangle": self._on_triangle,
            f"{_CORE} component": lambda a: self._current.components.append(self._item(a)),
            f"{_CORE} item": lambda a: self.model.items.append(self._item(a)),
            f"{_BEAMS} beamlattice": self._on_beams,
        }
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.StartElementHandler = self._on_element
        self.parser.StartNamespaceDeclHandler = self._on_namespace
        self.parser.StartDoctypeDeclHandler = self._on_doctype

    def _on_element(self, name: str, attributes: Attributes) -> None:
        handler = self._handlers.get(name)
        if handler is not None:
            try:
                handler(attributes)
            except KeyError as error:
                self._fail(f"<{name.rpartition(' ')[2]}> has no attribute {error.args[0]!r}")

    def _on_namespace(self, prefix: str | None, uri: str) -> None:
        self._namespaces[prefix] = uri

    def _on_doctype(self, *_: object) -> None:
        self._fail("declares a document type, which is refused")

    def _on_model(self, attributes: Attributes) -> None:
        for prefix in attributes.get("requiredextensions", "").split():
            uri = self._namespaces.get(prefix, prefix)
            if not uri.startswith(_HARMLESS):
                self._findings.problem(
                    f"needs the extension {uri}, which is not supported",
                    "went on without it",
                    place=self._place(),
                )

    def _on_object(self, attributes: Attributes) -> None:
        key = attributes["id"].strip()
        if key in self.model.objects:
            self._fail(f"object {key!r} is defined twice")
        self._current = ObjectXml(attributes.get("name", "").strip(), self._line())
        self.model.objects[key] = self._current

    def _on_mesh(self, _: Attributes) -> None:
        self._current.has_mesh = True

    def _on_vertex(self, attributes: Attributes) -> None:
        self._current.coordinates += (attributes["x"], attributes["y"], attributes["z"])

    def _on_triangle(self, attributes: Attributes) -> None:
        self._current.corners += (attributes["v1"], attributes["v2"], attributes["v3"])

    def _on_beams(self, _: Attributes) -> None:
        self._findings.problem(
            "holds a beam lattice, not triangles", "left it out", place=self._place()
        )

    def _item(self, attributes: Attributes) -> Item:
        return Item(
            attributes["objectid"].strip(),
            attributes.get(f"{_PRODUCTION} path", "").lstrip("/"),
            self._pose(attributes.get("transform", "")),
            self._line(),
            attributes.get("partnumber", "").strip(),
        )

    def _pose(self, transform: str) -> Floats:
        """(4, 4) of twelve numbers that stand for row vectors: v' = v M."""
        pose = identity()
        if transform.strip():
            values = numbers(transform.encode(), len(transform.split()))
            if values is None or len(values) != 12 or not np.isfinite(values).all():
                self._fail(f"transform is not 12 finite numbers: {transform[:60]!r}")
            pose[:3] = values.reshape(4, 3).T
        return pose

    def _fail(self, cause: str) -> NoReturn:
        self._findings.fail(cause, place=self._place())

    def _line(self) -> int:
        return self.parser.CurrentLineNumber

    def _place(self) -> str:
        return f"{self._path}, line {self._line()}"
