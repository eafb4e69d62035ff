"""Another way from a COLLADA document to its triangles: number by number."""

from __future__ import annotations

from collections.abc import Callable
from xml.etree import ElementTree

import numpy as np
from scipy.spatial.transform import Rotation


def triangles(data: bytes) -> np.ndarray:
    """(t, 3, 3) corners in metres, polygons as fans, in the order of the scene."""
    root = ElementTree.fromstring(data)
    for each in root.iter():
        each.tag = each.tag.partition("}")[2] or each.tag
    by_id = {each.get("id"): each for each in root.iter() if each.get("id")}
    unit = root.find("asset/unit")
    metres = float(unit.get("meter", 1)) if unit is not None else 1.0
    found: list[list[np.ndarray]] = []

    def named(url: str) -> ElementTree.Element:
        return by_id[url[1:]]

    def visit(node: ElementTree.Element, pose: np.ndarray) -> None:
        for child in node:
            values = [float(word) for word in (child.text or "").split()] if child.tag in (
                "matrix", "translate", "rotate", "scale"
            ) else []  # fmt: skip
            step = np.eye(4)
            if child.tag == "matrix":
                step = np.array(values).reshape(4, 4)
            elif child.tag == "translate":
                step[:3, 3] = values
            elif child.tag == "scale":
                step = np.diag([*values, 1.0])
            elif child.tag == "rotate":
                axis = np.array(values[:3]) / np.linalg.norm(values[:3])
                step[:3, :3] = Rotation.from_rotvec(np.radians(values[3]) * axis).as_matrix()
            pose = pose @ step
        for child in node:
            if child.tag == "node":
                visit(child, pose)
            elif child.tag == "instance_node":
                visit(named(child.get("url")), pose)
            elif child.tag == "instance_geometry":
                for corners in _mesh(named(child.get("url")).find("mesh"), named):
                    found.append([metres * (pose @ [*xyz, 1.0])[:3] for xyz in corners])

    scene = named(root.find("scene/instance_visual_scene").get("url"))
    for node in scene.findall("node"):
        visit(node, np.eye(4))
    return np.array(found).reshape(-1, 3, 3)


def _mesh(element: ElementTree.Element, named: Callable[[str], ElementTree.Element]):
    """Corners of each triangle."""
    for primitive in element:
        if primitive.tag not in ("triangles", "polylist", "polygons"):
            continue
        inputs = primitive.findall("input")
        stride = 1 + max(int(each.get("offset", 0)) for each in inputs)
        (vertex,) = (each for each in inputs if each.get("semantic") == "VERTEX")
        (positions,) = (
            each for each in named(vertex.get("source")) if each.get("semantic") == "POSITION"
        )
        accessor = named(positions.get("source")).find("technique_common/accessor")
        numbers = [float(word) for word in named(accessor.get("source")).text.split()]
        step = int(accessor.get("stride", 1))
        indices = [[int(w) for w in p.text.split()] for p in primitive.findall("p") if p.text]
        rows = [row[int(vertex.get("offset")) :: stride] for row in indices]
        joined = [index for row in rows for index in row]
        if primitive.tag == "triangles":
            polygons = [joined[at : at + 3] for at in range(0, len(joined), 3)]
        elif primitive.tag == "polygons":
            polygons = rows
        else:
            counts = [int(word) for word in (primitive.find("vcount").text or "").split()]
            ends = np.cumsum(counts)
            polygons = [joined[end - n : end] for end, n in zip(ends, counts, strict=True)]
        for polygon in polygons:
            points = [numbers[step * i : step * i + 3] for i in polygon]
            for k in range(1, len(points) - 1):
                yield points[0], points[k], points[k + 1]
