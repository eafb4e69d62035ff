"""3MF: the build items of the package, each mesh they place as a part.

An own reader, because checking another one's result takes the same parsing again.
"""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING
from xml.parsers import expat

import numpy as np

from impinge.io.archive import Archive
from impinge.io.checks import Findings, checked_mesh
from impinge.io.model import Part, identity
from impinge.io.precision import Placement, numbers_of, placed, placement_of
from impinge.io.threemf_xml import Item, ModelXml, ObjectXml, parse_model
from impinge.mesh import Mesh

if TYPE_CHECKING:
    from impinge._types import Floats

_DEEPEST = 64
_MOST_PARTS = 1_000_000
_MODEL = "3D/3dmodel.model"


def read_parts(data: bytes, findings: Findings, split: bool) -> list[Part]:
    """The placed meshes in the order of the build; instances share a mesh."""
    package = _Package(Archive(data, findings), findings)
    root = _root_path(package.archive, findings)
    model = package.model(root, "")
    if not model.items:
        findings.problem(
            "its build section places no object",
            "placed every object as it is",
            place=root,
        )
    items = model.items or [Item(key, "", identity(), 0, "") for key in model.objects]
    for item in items:
        package.place(item, root, Placement(), 0)
    return placed(package.parts)


def _root_path(archive: Archive, findings: Findings) -> str:
    """The model that the package's relationships name, by default 3D/3dmodel.model."""
    if "_rels/.rels" in archive:
        targets: list[str] = []

        def element(name: str, attributes: dict[str, str]) -> None:
            if attributes.get("Type", "").endswith("/3dmodel"):
                targets.append(attributes.get("Target", ""))

        parser = expat.ParserCreate()
        parser.StartElementHandler = element
        parser.StartDoctypeDeclHandler = lambda *_: findings.fail(
            "declares a document type, which is refused", place="_rels/.rels"
        )
        try:
            parser.Parse(archive.read("_rels/.rels"), True)
        except expat.ExpatError as error:
            findings.fail(f"is not valid XML ({error})", place="_rels/.rels")
        if targets:
            return targets[0].lstrip("/")
    if _MODEL not in archive:
        findings.fail(f"is not a 3MF package (no {_MODEL})")
    return _MODEL


class _Package:
    """Parses each model part once and builds each mesh once."""

    def __init__(self, archive: Archive, findings: Findings) -> None:
        self.archive = archive
        self.parts: list[tuple[Part, Floats]] = []
        self._findings = findings
        self._models: dict[str, ModelXml] = {}
        self._placed = 0
        self._meshes: dict[tuple[str, str], tuple[Mesh, str]] = {}

    def model(self, path: str, user: str) -> ModelXml:
        path = posixpath.normpath(path.lstrip("/"))
        if path not in self._models:
            self._models[path] = parse_model(self.archive.read(path, user), path, self._findings)
        return self._models[path]

    def place(self, item: Item, path: str, parent: Placement, depth: int) -> None:
        """Adds the parts of an item: its object's mesh, or those of the object's components."""
        path = item.path or path
        place = f"{path}, line {item.line}"
        self._placed += 1
        if depth > _DEEPEST or self._placed > _MOST_PARTS:
            self._findings.fail("components are nested without end", place=place)
        found = self.model(path, place).objects.get(item.object_id)
        if found is None:
            self._findings.fail(
                f"refers to object {item.object_id!r}, which is missing", place=place
            )
        world = parent @ placement_of(item.pose)
        if not np.isfinite(world.pose).all():
            self._findings.fail("its transform is not finite", place=place)
        if found.has_mesh:
            self._add(found, item, path, world)
        for component in found.components:
            self.place(component, path, world, depth + 1)

    def _add(self, found: ObjectXml, item: Item, path: str, world: Placement) -> None:
        key = (path, item.object_id)
        name = found.name or item.part_number or f"object-{item.object_id}"
        if key not in self._meshes:
            vertices = found.vertex_array(self._findings, path)
            numbers = numbers_of(vertices)
            mesh = checked_mesh(
                self._findings,
                vertices,
                found.face_array(self._findings, path),
                name=name,
                numbers=numbers,
                vertex_place=lambda i: f"{path}, object {item.object_id}, vertex {i}",
                face_place=lambda i: f"{path}, object {item.object_id}, triangle {i}",
            )
            self._meshes[key] = mesh, numbers.told(mesh.vertices)
        built, told = self._meshes[key]
        self.parts.append((Part(name, built, world.pose, told), world.errors))
