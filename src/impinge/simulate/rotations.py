"""Rotations, one or many."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from impinge.errors import InputError

if TYPE_CHECKING:
    from impinge._types import Floats


def skew(vectors: Floats) -> Floats:
    """(..., 3, 3) matrices that take the cross product with vectors (..., 3) from the left."""
    result = np.zeros((*vectors.shape, 3))
    result[..., [2, 0, 1], [1, 2, 0]] = vectors
    result[..., [1, 2, 0], [2, 0, 1]] = -vectors
    return result


def about_axis(axis: object, angle: float) -> Floats:
    """(3, 3) rotation by `angle` [radians]."""
    direction = np.asarray(axis, dtype=np.float64)
    length = np.linalg.norm(direction)
    if direction.shape != (3,) or not length > 0.0:
        raise InputError(f"axis must be three numbers, not all zero, got {axis!r}")
    return rotation(direction / length * angle)


def rotation(vector: Floats) -> Floats:
    """(3, 3) rotation about `vector` by its length [radians]."""
    angle = float(np.linalg.norm(vector))
    cross = skew(vector)
    # sin(a)/a and (1 - cos(a))/a^2, also for tiny angles
    first = np.sinc(angle / np.pi)
    second = 0.5 * np.sinc(angle / (2.0 * np.pi)) ** 2
    return np.asarray(np.eye(3) + first * cross + second * cross @ cross)
