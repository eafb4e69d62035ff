"""Where a glTF node stands in its parent, and how far its numbers may be off."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from impinge.io.gltf_document import Document, Object
from impinge.io.precision import Placement, numbers_of, placement_of

if TYPE_CHECKING:
    from impinge._types import Floats


def local_placement(document: Document, node: Object, place: str) -> Placement | None:
    """Of a node's matrix, or of its translation, rotation and scale; None if it has none."""
    if "matrix" in node:
        columns = document.floats(node, "matrix", place, [0.0] * 16)
        pose = columns.reshape(4, 4).T.copy()
        if not np.array_equal(pose[3], (0, 0, 0, 1)):
            document.fail("its matrix is not affine (last row must be 0 0 0 1)", place)
        return placement_of(pose)
    if not {"translation", "rotation", "scale"} & node.keys():
        return None
    translation = document.floats(node, "translation", place, [0.0, 0.0, 0.0])
    rotation = document.floats(node, "rotation", place, [0.0, 0.0, 0.0, 1.0])
    scale = document.floats(node, "scale", place, [1.0, 1.0, 1.0])
    pose, errors = np.eye(4), np.zeros((4, 4))
    turned = _rotation(document, rotation, place)
    pose[:3, :3] = turned * scale
    pose[:3, 3] = translation
    # a rotation is off by at most twice the angle between the two quaternions
    angle = 2 * float(np.linalg.norm(numbers_of(rotation).errors(rotation)))
    errors[:3, :3] = angle * np.abs(scale) + np.abs(turned) * numbers_of(scale).errors(scale)
    errors[:3, 3] = numbers_of(translation).errors(translation)
    return Placement(pose, errors)


def _rotation(document: Document, quaternion: Floats, place: str) -> Floats:
    """(3, 3) of a quaternion x, y, z, w."""
    with np.errstate(over="ignore"):
        norm = float(quaternion @ quaternion)
    if not 0.5 < norm < 2:
        document.fail("its rotation is not a unit quaternion", place)
    x, y, z, w = quaternion
    s = 2.0 / norm
    return np.array(
        [
            [1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)],
            [s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)],
            [s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)],
        ]
    )
