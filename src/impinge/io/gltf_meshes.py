"""The meshes of a glTF document: primitives joined, each geometry built once."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from impinge.io.checks import checked_mesh, count, drop_faces_out_of_range
from impinge.io.gltf_accessors import Accessors
from impinge.io.gltf_document import Document
from impinge.io.polygons import fan_triangles, strip_triangles
from impinge.io.precision import Numbers, least_precise
from impinge.io.ragged import used_vertices
from impinge.mesh import Mesh

if TYPE_CHECKING:
    from impinge._types import Floats, Longs

_TRIANGLES, _STRIP, _FAN = 4, 5, 6
_DRACO = "KHR_draco_mesh_compression"


class _Primitive(NamedTuple):
    """Accessors of its positions and of its indices, if it has them, and what it is made of."""

    positions: int
    indices: int | None
    mode: int


class Meshes:
    """Builds each geometry once: meshes of the same accessors, as in other colours, share it."""

    def __init__(self, document: Document, accessors: Accessors) -> None:
        self._document = document
        self._accessors = accessors
        self._built: dict[int, tuple[Mesh, str]] = {}
        self._geometries: dict[tuple[_Primitive | None, ...], tuple[Mesh, str]] = {}
        self._shared = _shared_positions(document)
        self._kept: dict[int, tuple[Floats, Numbers]] = {}
        self._left_out = 0

    def get(self, index: int, user: str) -> tuple[Mesh, str]:
        """A mesh, and how its coordinates are stored, in words."""
        if index not in self._built:
            primitives = self._primitives(index, user)
            if primitives not in self._geometries:
                self._geometries[primitives] = self._build(index, primitives)
            self._built[index] = self._geometries[primitives]
        return self._built[index]

    def name(self, index: int) -> str:
        return self._document.name(self._document.entry("meshes", index, "meshes"))

    def report_left_out(self) -> None:
        if self._left_out:
            text = f"{count(self._left_out, 'primitive')} of points or lines left out"
            self._document.findings.note(text)

    def _primitives(self, index: int, user: str) -> tuple[_Primitive | None, ...]:
        """Of a mesh; None is one without triangles."""
        place = f"meshes[{index}]"
        mesh = self._document.entry("meshes", index, user)
        entries = self._document.items(mesh, "primitives", place)
        found = tuple(
            self._primitive(entry, f"{place}.primitives[{k}]") for k, entry in enumerate(entries)
        )
        self._left_out += found.count(None)
        return found

    def _primitive(self, entry: object, place: str) -> _Primitive | None:
        document = self._document
        if not isinstance(entry, dict):
            document.fail("is not an object", place)
        if _DRACO in document.mapping(entry, "extensions", place):
            document.fail(f"needs the extension {_DRACO}: decompress it first", place)
        mode = document.integer(entry, "mode", place, _TRIANGLES)
        if mode < _TRIANGLES:
            return None
        if mode > _FAN:
            document.fail(f"has the unknown mode {mode}", place)
        attributes = document.mapping(entry, "attributes", place)
        positions = document.integer(attributes, "POSITION", f"{place}.attributes")
        return _Primitive(positions, document.index(entry, "indices", place), mode)

    def _build(self, index: int, primitives: tuple[_Primitive | None, ...]) -> tuple[Mesh, str]:
        """All primitives joined; those on the same positions share their vertices."""
        document, place = self._document, f"meshes[{index}]"
        faces: list[Longs] = []
        users: defaultdict[int, list[int]] = defaultdict(list)
        stored: dict[int, tuple[Floats, Numbers]] = {}
        for k, primitive in enumerate(primitives):
            if primitive is not None:
                at = f"{place}.primitives[{k}]"
                accessor = primitive.positions
                if accessor not in stored:
                    stored[accessor] = self._positions(accessor, at)
                users[accessor].append(len(faces))
                faces.append(self._faces(primitive, len(stored[accessor][0]), at))
        points: list[Floats] = []
        first = 0
        for accessor, (positions, _) in stored.items():
            own = users[accessor]
            used = (
                self._only_used(positions, faces, own, place)
                if accessor in self._shared
                else positions
            )
            for k in own:
                faces[k] = faces[k] + first
            points.append(used)
            first += len(used)
        vertices = points[0] if len(points) == 1 else np.concatenate([np.zeros((0, 3)), *points])
        numbers = least_precise([numbers for _, numbers in stored.values()], vertices)
        built = checked_mesh(
            document.findings,
            vertices,
            np.concatenate([np.zeros((0, 3), dtype=np.int64), *faces]),
            name=self.name(index),
            numbers=numbers,
            vertex_place=lambda i: f"{place}, vertex {i}",
            face_place=lambda i: f"{place}, triangle {i}",
        )
        return built, numbers.told(built.vertices)

    def _positions(self, accessor: int, user: str) -> tuple[Floats, Numbers]:
        """(n, 3), and how they are stored; kept when another mesh has them too."""
        if accessor in self._kept:
            return self._kept[accessor]
        found = self._accessors.positions(accessor, user)
        if accessor in self._shared:
            self._kept[accessor] = found
        return found

    def _only_used(
        self, positions: Floats, faces: list[Longs], users: list[int], place: str
    ) -> Floats:
        """The vertices that a mesh uses of a table for many; its faces get their new numbers."""
        kept, renumbered = used_vertices(np.concatenate([faces[k] for k in users]), len(positions))
        self._document.findings.spend(24 * len(kept), f"{len(kept):,} vertices", place=place)
        ends = np.cumsum([len(faces[k]) for k in users])
        for k, own in zip(users, np.split(renumbered, ends[:-1]), strict=True):
            faces[k] = own
        return positions[kept]

    def _faces(self, primitive: _Primitive, vertices: int, place: str) -> Longs:
        """(t, 3) faces of a list, strip or fan; those out of range are sorted out here."""
        findings = self._document.findings
        if primitive.indices is None:
            findings.spend(8 * vertices, f"{vertices:,} corners", place=place)
            corners = np.arange(vertices)
        else:
            corners = self._accessors.indices(primitive.indices, place)
        if primitive.mode == _TRIANGLES:
            if len(corners) % 3:
                findings.problem(
                    f"has {len(corners):,} corners, not a multiple of 3",
                    f"dropped the last {len(corners) % 3}",
                    place=place,
                )
                corners = corners[: len(corners) - len(corners) % 3]
            faces = corners.reshape(-1, 3)
        else:
            # every corner but two makes a triangle of three
            findings.spend(16 * len(corners), f"{len(corners):,} corners", place=place)
            is_strip = primitive.mode == _STRIP
            faces = strip_triangles(corners) if is_strip else fan_triangles(corners)
        return drop_faces_out_of_range(
            findings, faces, vertices, lambda i: f"{place}, triangle {i}"
        )


def _shared_positions(document: Document) -> set[int]:
    """Accessors of positions that more than one mesh uses."""
    seen: set[int] = set()
    shared: set[int] = set()
    for mesh in document.items(document.root, "meshes", "meshes"):
        own = set()
        primitives = mesh.get("primitives") if isinstance(mesh, dict) else None
        for primitive in primitives if isinstance(primitives, list) else ():
            attributes = primitive.get("attributes") if isinstance(primitive, dict) else None
            accessor = attributes.get("POSITION") if isinstance(attributes, dict) else None
            if isinstance(accessor, int):
                own.add(accessor)
        shared |= seen & own
        seen |= own
    return shared
