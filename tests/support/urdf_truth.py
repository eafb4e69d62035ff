"""Another way from a URDF to where its links are: one configuration, one matrix at a time."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
from scipy.spatial.transform import Rotation


def link_poses(path: Path, values: dict[str, float]) -> dict[str, np.ndarray]:
    """(4, 4) of every link, for values of the joints that are given one."""
    root = ElementTree.parse(path).getroot()
    joints = {each.find("child").get("link"): each for each in root.findall("joint")}
    by_name = {each.get("name"): each for each in joints.values()}

    def value(joint: ElementTree.Element) -> float:
        mimic = joint.find("mimic")
        if mimic is None:
            return values.get(joint.get("name"), 0.0)
        leader = value(by_name[mimic.get("joint")])
        return float(mimic.get("multiplier", 1)) * leader + float(mimic.get("offset", 0))

    def pose(link: str) -> np.ndarray:
        if link not in joints:
            return np.eye(4)
        joint = joints[link]
        return (
            pose(joint.find("parent").get("link")) @ _origin(joint) @ _motion(joint, value(joint))
        )

    return {each.get("name"): pose(each.get("name")) for each in root.findall("link")}


def _origin(joint: ElementTree.Element) -> np.ndarray:
    result = np.eye(4)
    origin = joint.find("origin")
    if origin is not None:
        result[:3, :3] = Rotation.from_euler("xyz", _triple(origin.get("rpy"))).as_matrix()
        result[:3, 3] = _triple(origin.get("xyz"))
    return result


def _motion(joint: ElementTree.Element, value: float) -> np.ndarray:
    result = np.eye(4)
    kind = joint.get("type")
    if kind == "fixed":
        return result
    found = joint.find("axis")
    axis = np.array(_triple(found.get("xyz")) if found is not None else (1.0, 0.0, 0.0))
    axis = axis / np.linalg.norm(axis)
    if kind == "prismatic":
        result[:3, 3] = value * axis
    else:
        result[:3, :3] = Rotation.from_rotvec(value * axis).as_matrix()
    return result


def _triple(text: str | None) -> list[float]:
    return [float(word) for word in (text or "0 0 0").split()]
