"""3MF: the build items of the package, each mesh they place as a part.

An own reader, because checking another one's result takes the same parsing again.
"""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from impinge.io.archive import Archive
from impinge.io.budget import PART_BYTES
from impinge.io.checks import Findings, checked_mesh
from impinge.io.model import Part, identity
from impinge.io.precision import Placement, numbers_of, placed
from impinge.io.threemf_xml import Item, ModelXml, ObjectXml, parse_model
from impinge.io.xml import Xml
from impinge.mesh import Mesh

if TYPE_CHECKING:
    from impinge._types import Floats

_DEEPEST = 64
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
    package.check_extent(items, root)
    for item in items:
        package.place(item, root, Placement())
    return placed(package.parts)


def _root_path(archive: Archive, findings: Findings) -> str:
    """The model that the package's relationships name, by default 3D/3dmodel.model."""
    if "_rels/.rels" in archive:
        targets: list[str] = []

        def element(name: str, attributes: dict[str, str]) -> None:
            if attributes.get("Type", "").endswith("/3dmodel"):
                targets.append(attributes.get("Target", ""))

        xml = Xml("_rels/.rels", findings)
        xml.parser.StartElementHandler = element
        xml.parse(archive.pieces("_rels/.rels"))
        if targets:
            return targets[0].lstrip("/")
    if _MODEL not in archive:
        findings.fail(f"is not a 3MF package (no {_MODEL})")
    return _MODEL


def _normal(path: str) -> str:
    return posixpath.normpath(path.lstrip("/"))


def _place(item: Item, path: str) -> str:
    return f"{path[:80]}, line {item.line}"


class _Package:
    """Parses each model part once and builds each mesh once."""

    def __init__(self, archive: Archive, findings: Findings) -> None:
        self.archive = archive
        self.parts: list[tuple[Part, Floats]] = []
        self._findings = findings
        self._models: dict[str, ModelXml] = {}
        self._extents: dict[tuple[str, str], tuple[int, int]] = {}
        self._open: set[tuple[str, str]] = set()
        self._meshes: dict[tuple[str, str], tuple[Mesh, str]] = {}

    def model(self, path: str, user: str) -> ModelXml:
        path = _normal(path)
        if path not in self._models:
            pieces = self.archive.pieces(path, user)
            self._models[path] = parse_model(pieces, path, self._findings)
        return self._models[path]

    def check_extent(self, items: list[Item], path: str) -> None:
        """Refuses what a few components of components would multiply into, before it is made."""
        placements = sum(self._extent(item, path)[0] for item in items)
        self._findings.spend(PART_BYTES * placements, f"{placements:,} placed parts", place=path)

    def _extent(self, item: Item, path: str) -> tuple[int, int]:
        """How often `place` will be called for an item, and how deep; objects are counted once."""
        path = item.path or path
        key = _normal(path), item.object_id
        if key not in self._extents:
            found = self._object(item, path)
            if key in self._open or len(self._open) > _DEEPEST:
                self._nested_without_end(item, path)
            self._open.add(key)
            below = [self._extent(component, path) for component in found.components]
            self._open.remove(key)
            height = 1 + max((height for _, height in below), default=0)
            if height > _DEEPEST:
                self._nested_without_end(item, path)
            self._extents[key] = 1 + sum(placements for placements, _ in below), height
        return self._extents[key]

    def _nested_without_end(self, item: Item, path: str) -> NoReturn:
        self._findings.fail("components are nested without end", place=_place(item, path))

    def _object(self, item: Item, path: str) -> ObjectXml:
        """What an item of a model part, or of the one it names itself, refers to."""
        place = _place(item, path)
        found = self.model(path, place).objects.get(item.object_id)
        if found is None:
            self._findings.fail(
                f"refers to object {item.object_id[:40]!r}, which is missing", place=place
            )
        return found

    def place(self, item: Item, path: str, parent: Placement) -> None:
        """Adds the parts of an item: its object's mesh, or those of the object's components."""
        path = item.path or path
        found = self._object(item, path)
        own = item.placement
        world = parent if own is None else parent @ own
        if own is not None and not np.isfinite(world.pose).all():
            self._findings.fail("its transform is not finite", place=_place(item, path))
        if found.has_mesh:
            self._add(found, item, path, world)
        for component in found.components:
            self.place(component, path, world)

    def _add(self, found: ObjectXml, item: Item, path: str, world: Placement) -> None:
        key = _normal(path), item.object_id
        name = found.name or item.part_number or f"object-{item.object_id[:40]}"
        if key not in self._meshes:
            vertices = found.vertices.array()
            numbers = numbers_of(vertices)
            mesh = checked_mesh(
                self._findings,
                vertices,
                found.triangles.array(),
                name=name,
                numbers=numbers,
                vertex_place=lambda i: f"{path}, object {item.object_id}, vertex {i}",
                face_place=lambda i: f"{path}, object {item.object_id}, triangle {i}",
            )
            self._meshes[key] = mesh, numbers.told(mesh.vertices)
        built, told = self._meshes[key]
        self.parts.append((Part(name, built, world.pose.copy(), told), world.errors))
