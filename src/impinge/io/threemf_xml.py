"""The XML of a 3MF model part: objects with meshes or components, and build items."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Generic

import numpy as np

from impinge.io.budget import MESH_BYTES
from impinge.io.checks import Findings, checked_name
from impinge.io.model import identity
from impinge.io.precision import Placement, placement_of
from impinge.io.text import Number, listed, numbers
from impinge.io.xml import Xml

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from impinge._types import Floats

_CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
_PRODUCTION = "http://schemas.microsoft.com/3dmanufacturing/production/2015/06"
_BEAM_LATTICE = "http://schemas.microsoft.com/3dmanufacturing/beamlattice/2017/02 beamlattice"

# Required extensions that leave the triangles where they are.
_HARMLESS = (
    _PRODUCTION,
    "http://schemas.microsoft.com/3dmanufacturing/material/",
    "http://schemas.microsoft.com/3dmanufacturing/slice/",
    "http://schemas.microsoft.com/3dmanufacturing/trianglesets/",
)

Attributes = dict[str, str]

# Texts of numbers that are kept until they are made numbers.
_BLOCK = 3 * (1 << 14)
# What is kept for an element, by the parser or here.
_ELEMENT_BYTES = 128


@dataclass(frozen=True, eq=False)
class Item:
    """A build item or component: the object it places. pose: (4, 4). path: other model part."""

    object_id: str
    path: str
    pose: Floats
    line: int
    part_number: str

    @cached_property
    def placement(self) -> Placement | None:
        """The pose, and by how much its numbers may be off; None if it changes nothing."""
        return None if np.array_equal(self.pose, identity()) else placement_of(self.pose)


class Triples(Generic[Number]):
    """Rows of three numbers, taken as text and made numbers block by block."""

    def __init__(self, kind: type[Number], defect: str) -> None:
        self._kind: type[Number] = kind
        self._defect = defect
        self.texts: list[str] = []
        self._blocks: list[NDArray[Number]] = []

    def close(self, findings: Findings, place: str) -> None:
        """Makes numbers of the texts; `place` is that of the object."""
        if not self.texts:
            return
        block = listed(self.texts, self._kind)
        if block is None:
            bad = next((text for text in self.texts if listed([text], self._kind) is None), "")
            findings.fail(f"{self._defect} ({bad[:40]!r})", place=place)
        findings.spend(block.nbytes, "what it holds", place=place)
        self.texts.clear()
        self._blocks.append(block.reshape(-1, 3))

    def array(self) -> NDArray[Number]:
        """(n, 3)."""
        return np.concatenate([np.zeros((0, 3), self._kind), *self._blocks])


def _coordinates() -> Triples[np.float64]:
    return Triples(np.float64, "a vertex coordinate is not a number")


def _corners() -> Triples[np.int64]:
    return Triples(np.int64, "a triangle's vertex is not an index")


@dataclass(eq=False)
class ObjectXml:
    """vertices: x, y, z of each vertex. triangles: v1, v2, v3 of each triangle."""

    name: str
    place: str
    has_mesh: bool = False
    vertices: Triples[np.float64] = field(default_factory=_coordinates)
    triangles: Triples[np.int64] = field(default_factory=_corners)
    components: list[Item] = field(default_factory=list)


@dataclass(eq=False)
class ModelXml:
    objects: dict[str, ObjectXml] = field(default_factory=dict)
    items: list[Item] = field(default_factory=list)


def parse_model(pieces: Iterable[bytes], path: str, findings: Findings) -> ModelXml:
    """The objects and build items of a model part."""
    reader = _Reader(Xml(path, findings), findings)
    reader.parse(pieces)
    return reader.model


def _nothing(_: Attributes) -> None:
    """For an element that only holds others."""


class _Reader:
    """Takes what matters out of the stream of XML elements."""

    def __init__(self, xml: Xml, findings: Findings) -> None:
        self.model = ModelXml()
        self._xml = xml
        self._findings = findings
        self._current = ObjectXml("", "")
        # What an element stands in: elsewhere it would be lost, or taken for another's.
        self._rules: dict[str, tuple[str, Callable[[Attributes], None]]] = {
            f"{_CORE} {name}": (f"{_CORE} {parent}" if parent else "", handler)
            for name, parent, handler in (
                ("model", "", self._on_model),
                ("resources", "model", _nothing),
                ("object", "resources", self._on_object),
                ("mesh", "object", self._on_mesh),
                ("vertices", "mesh", _nothing),
                ("vertex", "vertices", self._on_vertex),
                ("triangles", "mesh", _nothing),
                ("triangle", "triangles", self._on_triangle),
                ("components", "object", _nothing),
                ("component", "components", self._on_component),
                ("build", "model", _nothing),
                ("item", "build", self._on_item),
            )
        }
        self._misplaced = False
        self._open = [""]
        close = self._open.pop
        xml.parser.StartElementHandler = self._on_element
        xml.parser.EndElementHandler = lambda _: close()

    def parse(self, pieces: Iterable[bytes]) -> None:
        self._xml.parse(pieces)
        self._close()

    def _close(self) -> None:
        self._current.vertices.close(self._findings, self._current.place)
        self._current.triangles.close(self._findings, self._current.place)

    def _on_element(self, name: str, attributes: Attributes) -> None:
        parent = self._open[-1]
        self._open.append(name)
        rule = self._rules.get(name)
        if rule is None:
            self._xml.spend(_ELEMENT_BYTES)
            if name == _BEAM_LATTICE:
                self._on_beams()
            return
        wanted, handler = rule
        if parent != wanted:
            self._on_misplaced(name, parent, wanted)
            return
        try:
            handler(attributes)
        except KeyError as error:
            self._xml.fail(f"<{name.rpartition(' ')[2]}> has no attribute {error.args[0]!r}")

    def _on_misplaced(self, name: str, parent: str, wanted: str) -> None:
        self._xml.spend(_ELEMENT_BYTES)
        if self._misplaced:
            return
        self._misplaced = True
        own, around, right = (
            f"<{one.rpartition(' ')[2][:40]}>" if one else "no element"
            for one in (name, parent, wanted)
        )
        self._findings.problem(
            f"{own} stands in {around}, expected in {right}",
            "left out all that is out of place",
            place=self._xml.place(),
        )

    def _on_model(self, attributes: Attributes) -> None:
        for prefix in attributes.get("requiredextensions", "").split():
            uri = self._xml.namespaces.get(prefix, prefix)
            if not uri.startswith(_HARMLESS):
                self._findings.problem(
                    f"needs the extension {uri[:80]}, which is not supported",
                    "went on without it",
                    place=self._xml.place(),
                )

    def _on_object(self, attributes: Attributes) -> None:
        key = attributes["id"].strip()
        if key in self.model.objects:
            self._xml.fail(f"object {key[:40]!r} is defined twice")
        self._close()
        self._xml.spend(MESH_BYTES)
        place = f"{self._xml.path}, object of line {self._xml.line()}"
        self._current = ObjectXml(checked_name(attributes.get("name", "")), place)
        self.model.objects[key] = self._current

    def _on_mesh(self, _: Attributes) -> None:
        if self._current.has_mesh:
            self._xml.fail("an object has a second mesh")
        self._current.has_mesh = True

    def _on_vertex(self, attributes: Attributes) -> None:
        vertices = self._current.vertices
        vertices.texts += attributes["x"], attributes["y"], attributes["z"]
        if len(vertices.texts) >= _BLOCK:
            self._close()

    def _on_triangle(self, attributes: Attributes) -> None:
        triangles = self._current.triangles
        triangles.texts += attributes["v1"], attributes["v2"], attributes["v3"]
        if len(triangles.texts) >= _BLOCK:
            self._close()

    def _on_component(self, attributes: Attributes) -> None:
        self._current.components.append(self._item(attributes))

    def _on_item(self, attributes: Attributes) -> None:
        self.model.items.append(self._item(attributes))

    def _on_beams(self) -> None:
        self._findings.problem(
            "holds a beam lattice, not triangles", "left it out", place=self._xml.place()
        )

    def _item(self, attributes: Attributes) -> Item:
        self._xml.spend(_ELEMENT_BYTES)
        return Item(
            attributes["objectid"].strip(),
            attributes.get(f"{_PRODUCTION} path", "").lstrip("/"),
            self._pose(attributes.get("transform", "")),
            self._xml.line(),
            checked_name(attributes.get("partnumber", "")),
        )

    def _pose(self, transform: str) -> Floats:
        """(4, 4) of twelve numbers that stand for row vectors: v' = v M."""
        pose = identity()
        if transform.strip():
            values = numbers(transform.encode(), len(transform.split()))
            if values is None or len(values) != 12 or not np.isfinite(values).all():
                self._xml.fail(f"transform is not 12 finite numbers: {transform[:60]!r}")
            pose[:3] = values.reshape(4, 3).T
        return pose
