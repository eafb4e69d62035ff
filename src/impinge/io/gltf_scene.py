"""The scene graph of a glTF document: every mesh instance with its world pose."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from impinge.io.checks import checked_mesh, count, drop_faces_out_of_range
from impinge.io.gltf_accessors import Accessors
from impinge.io.gltf_document import Buffers, Document, Object
from impinge.io.gltf_node import local_placement
from impinge.io.model import Part
from impinge.io.polygons import fan_triangles, strip_triangles
from impinge.io.precision import Placement, least_precise, placed
from impinge.mesh import Mesh

if TYPE_CHECKING:
    from impinge._types import Longs

_TRIANGLES, _STRIP, _FAN = 4, 5, 6
_DRACO = "KHR_draco_mesh_compression"


def scene_parts(document: Document, buffers: Buffers) -> list[Part]:
    """Parts in the order of the scene graph; instances of a mesh share it."""
    meshes = _Meshes(document, Accessors(document, buffers))
    parts = []
    seen: set[int] = set()
    stack = [(node, Placement()) for node in reversed(_roots(document))]
    while stack:
        index, parent = stack.pop()
        place = f"nodes[{index}]"
        if index in seen:
            document.fail("is reached twice; the scene graph is not a tree", place)
        seen.add(index)
        node = document.entry("nodes", index, "scenes")
        world = parent @ local_placement(document, node, place)
        if not np.isfinite(world.pose).all():
            document.fail("its world pose is not finite", place)
        mesh_index = document.index(node, "mesh", place)
        if mesh_index is not None:
            mesh, numbers = meshes.get(mesh_index, place)
            _warn_of_deformation(document, node, place)
            name = document.name(node) or mesh.name or f"node-{index}"
            parts.append((Part(name, mesh, world.pose, numbers), world.errors))
        children = document.indices(node, "children", place)
        stack.extend((child, world) for child in reversed(children))
    meshes.report_left_out()
    _warn_of_unplaced(document, seen)
    return placed(parts)


def _roots(document: Document) -> list[int]:
    scenes = document.items(document.root, "scenes", "scenes")
    if scenes:
        chosen = document.integer(document.root, "scene", "scene", 0)
        scene = document.entry("scenes", chosen, "scene")
        return document.indices(scene, "nodes", f"scenes[{chosen}]")
    nodes = document.items(document.root, "nodes", "nodes")
    children: set[int] = set()
    for i in range(len(nodes)):
        node = document.entry("nodes", i, "nodes")
        children.update(document.indices(node, "children", f"nodes[{i}]"))
    return [i for i in range(len(nodes)) if i not in children]


def _warn_of_deformation(document: Document, node: Object, place: str) -> None:
    if "skin" in node:
        document.findings.note(f"{place}: skinned mesh taken in its bind pose")
    if any(document.items(node, "weights", place)):
        document.findings.note(f"{place}: morph target weights not applied")
    if "EXT_mesh_gpu_instancing" in document.mapping(node, "extensions", place):
        document.findings.problem(
            "needs the extension EXT_mesh_gpu_instancing, which is not supported",
            "took the mesh once instead of its instances",
            place=place,
        )


def _warn_of_unplaced(document: Document, seen: set[int]) -> None:
    nodes = document.items(document.root, "nodes", "nodes")
    unplaced = sum(
        1
        for i, node in enumerate(nodes)
        if i not in seen and isinstance(node, dict) and "mesh" in node
    )
    if unplaced:
        document.findings.note(
            f"{count(unplaced, 'mesh node')} outside of the default scene left out"
        )


class _Meshes:
    """Builds each mesh once."""

    def __init__(self, document: Document, accessors: Accessors) -> None:
        self._document = document
        self._accessors = accessors
        self._built: dict[int, tuple[Mesh, str]] = {}
        self._left_out = 0

    def get(self, index: int, user: str) -> tuple[Mesh, str]:
        """A mesh, and how its coordinates are stored, in words."""
        if index not in self._built:
            self._built[index] = self._build(index, user)
        return self._built[index]

    def report_left_out(self) -> None:
        if self._left_out:
            text = f"{count(self._left_out, 'primitive')} of points or lines left out"
            self._document.findings.note(text)

    def _build(self, index: int, user: str) -> tuple[Mesh, str]:
        """All primitives of a mesh joined; those on the same positions share their vertices."""
        document, place = self._document, f"meshes[{index}]"
        mesh = document.entry("meshes", index, user)
        points, triangles = [np.zeros((0, 3))], [np.zeros((0, 3), dtype=np.int64)]
        stored = []
        first_of: dict[int, int] = {}
        sizes: dict[int, int] = {}
        total = 0
        for k, primitive in enumerate(document.items(mesh, "primitives", place)):
            at = f"{place}.primitives[{k}]"
            accessor = self._position_accessor(primitive, at)
            if accessor is None:
                continue
            if accessor not in first_of:
                positions, numbers = self._accessors.positions(accessor, at)
                stored.append(numbers)
                first_of[accessor], sizes[accessor] = total, len(positions)
                points.append(positions)
                total += len(positions)
            faces = self._faces(primitive, sizes[accessor], at)
            triangles.append(faces + first_of[accessor])
        vertices = np.concatenate(points)
        numbers = least_precise(stored, vertices)
        built = checked_mesh(
            document.findings,
            vertices,
            np.concatenate(triangles),
            name=document.name(mesh),
            numbers=numbers,
            vertex_place=lambda i: f"{place}, vertex {i}",
            face_place=lambda i: f"{place}, triangle {i}",
        )
        return built, numbers.told(built.vertices)

    def _position_accessor(self, primitive: object, place: str) -> int | None:
        """The positions of a primitive that has triangles."""
        document = self._document
        if not isinstance(primitive, dict):
            document.fail("is not an object", place)
        if _DRACO in document.mapping(primitive, "extensions", place):
            document.fail(f"needs the extension {_DRACO}: decompress it first", place)
        if document.integer(primitive, "mode", place, _TRIANGLES) < _TRIANGLES:
            self._left_out += 1
            return None
        attributes = document.mapping(primitive, "attributes", place)
        return document.integer(attributes, "POSITION", f"{place}.attributes")

    def _faces(self, primitive: Object, vertices: int, place: str) -> Longs:
        """(t, 3) faces of a list, strip or fan; those out of range are sorted out here."""
        document = self._document
        accessor = document.index(primitive, "indices", place)
        corners = (
            np.arange(vertices) if accessor is None else self._accessors.indices(accessor, place)
        )
        mode = document.integer(primitive, "mode", place, _TRIANGLES)
        if mode == _TRIANGLES:
            if len(corners) % 3:
                document.findings.problem(
                    f"has {len(corners):,} corners, not a multiple of 3",
                    f"dropped the last {len(corners) % 3}",
                    place=place,
                )
                corners = corners[: len(corners) - len(corners) % 3]
            faces = corners.reshape(-1, 3)
        elif mode in (_STRIP, _FAN):
            faces = strip_triangles(corners) if mode == _STRIP else fan_triangles(corners)
        else:
            document.fail(f"has the unknown mode {mode}", place)
        return drop_faces_out_of_range(
            document.findings, faces, vertices, lambda i: f"{place}, triangle {i}"
        )
