"""COLLADA: the geometry that a scene places. Only the links of robots are read from it.

Lengths become metres, as the file tells its unit. Axes stay as they are, whatever `up_axis` says:
so ROS takes them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from impinge.io.budget import PART_BYTES
from impinge.io.checks import Findings, checked_name
from impinge.io.collada_mesh import read_mesh
from impinge.io.collada_xml import Node, parse
from impinge.io.model import Part, identity
from impinge.io.precision import Placement, numbers_of, placed, placement_of
from impinge.io.text import numbers

if TYPE_CHECKING:
    from impinge._types import Floats
    from impinge.mesh import Mesh

_DEEPEST = 64


def read_parts(data: bytes, findings: Findings, split: bool) -> list[Part]:
    """The placed geometries in the order of the scene; instances share a mesh."""
    root = parse(data, findings)
    if root.tag != "COLLADA":
        root.fail(f"begins with <{root.tag[:60]}>, expected <COLLADA>")
    return _Document(root, findings).parts()


class _Document:
    def __init__(self, root: Node, findings: Findings) -> None:
        self._root, self._findings = root, findings
        self._by_id: dict[str, Node] = {}
        for node in root.walk():
            key = node.attributes.get("id")
            if key is not None:
                self._by_id.setdefault(key, node)
        self._meshes: dict[Node, Mesh] = {}
        self._parts: list[tuple[Part, Floats]] = []

    def parts(self) -> list[Part]:
        scene = self._root.one("scene")
        instance = scene.one("instance_visual_scene") if scene else None
        if instance is None:
            self._root.fail("has no scene that places its geometry")
        unit = identity()
        unit[:3, :3] *= _metres(self._root)
        for node in self._target(instance, "visual_scene").all("node"):
            self._place(node, Placement(unit), 0)
        return placed(self._parts)

    def _target(self, node: Node, tag: str) -> Node:
        """The element that the url of another names."""
        url = node.attributes.get("url", "")
        found = self._by_id.get(url.removeprefix("#"))
        if not url.startswith("#") or found is None or found.tag != tag:
            node.fail(f"refers to the {tag} {url[:80]!r}, which is missing")
        return found

    def _place(self, node: Node, outer: Placement, depth: int) -> None:
        """A node and all that stands in it."""
        if depth > _DEEPEST:
            node.fail(f"nodes stand in each other more than {_DEEPEST} deep")
        self._findings.spend(PART_BYTES, "its nodes", place=node.place)
        here = outer
        for child in node.children:
            pose = _transform(child)
            if pose is not None:
                here = here @ placement_of(pose)
        for child in node.children:
            if child.tag == "node":
                self._place(child, here, depth + 1)
            elif child.tag == "instance_node":
                self._place(self._target(child, "node"), here, depth + 1)
            elif child.tag == "instance_geometry":
                self._add(self._target(child, "geometry"), child, here)
            elif child.tag == "instance_controller":
                self._findings.problem(
                    "places a geometry by a controller, which is not supported",
                    "left it out",
                    place=child.place,
                )

    def _add(self, geometry: Node, instance: Node, placement: Placement) -> None:
        if not np.isfinite(placement.pose).all():
            instance.fail("the transforms above it are not finite")
        self._findings.spend(PART_BYTES, "its parts", place=instance.place)
        name = checked_name(geometry.attributes.get("name", "")) or self._findings.stem
        if geometry not in self._meshes:
            found = geometry.one("mesh")
            if found is None:
                geometry.fail("a geometry has no <mesh>")
            self._meshes[geometry] = read_mesh(found, name, self._by_id, self._findings)
        mesh = self._meshes[geometry]
        told = numbers_of(mesh.vertices).told(mesh.vertices)
        self._parts.append((Part(name, mesh, placement.pose, told), placement.errors))


def _metres(root: Node) -> float:
    """Of one unit of length."""
    asset = root.one("asset")
    unit = asset.one("unit") if asset else None
    text = unit.attributes.get("meter") if unit else None
    if unit is None or text is None:
        return 1.0
    found = numbers(text.encode("utf-8", "replace"), 1)
    if found is None or not 0.0 < found[0] < np.inf:
        unit.fail(f"a unit of {text[:40]!r} metres is no length")
    return float(found[0])


def _transform(node: Node) -> Floats | None:
    """(4, 4) of an element that moves what stands beside it; None of any other."""
    pose = identity()
    if node.tag == "matrix":
        values = node.floats(16).reshape(4, 4)
        if not np.array_equal(values[3], (0.0, 0.0, 0.0, 1.0)):
            node.fail("the last row of a matrix must be 0 0 0 1")
        return values
    if node.tag == "translate":
        pose[:3, 3] = node.floats(3)
    elif node.tag == "scale":
        pose[[0, 1, 2], [0, 1, 2]] = node.floats(3)
    elif node.tag == "rotate":
        *axis, angle = node.floats(4)
        pose[:3, :3] = _turn(np.array(axis), np.radians(angle))
    elif node.tag in ("lookat", "skew"):
        node.fail(f"<{node.tag}> is not supported")
    else:
        return None
    return pose


def _turn(axis: Floats, angle: float) -> Floats:
    """(3, 3): a rotation about an axis of any length; none has no axis."""
    length = np.linalg.norm(axis)
    if not length > 0.0:
        return np.eye(3)
    x, y, z = axis / length
    across = np.array([(0.0, -z, y), (z, 0.0, -x), (-y, x, 0.0)])
    turn: Floats = np.eye(3) + np.sin(angle) * across + (1.0 - np.cos(angle)) * (across @ across)
    return turn
