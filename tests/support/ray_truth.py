"""The truth about rays in fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from support.meshes import Arrays

Vector = tuple[Fraction, Fraction, Fraction]


def _vector(row: np.ndarray) -> Vector:
    x, y, z = (Fraction(float(value)) for value in row)
    return x, y, z


def _minus(p: Vector, q: Vector) -> Vector:
    return p[0] - q[0], p[1] - q[1], p[2] - q[2]


def _cross(p: Vector, q: Vector) -> Vector:
    return p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]


def _dot(p: Vector, q: Vector) -> Fraction:
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2]


def truth(mesh: Arrays, origin: np.ndarray, direction: np.ndarray) -> dict[int, Fraction]:
    """t by face, for every face that the line passes outside its plane."""
    start, along = _vector(origin), _vector(direction)
    found = {}
    for face, triangle in enumerate(mesh[0][mesh[1]]):
        a, b, c = (_minus(_vector(corner), start) for corner in triangle)
        sides = [_dot(along, _cross(*edge)) for edge in ((a, b), (b, c), (c, a))]
        if (min(sides) >= 0 or max(sides) <= 0) and any(sides):
            normal = _cross(_minus(b, a), _minus(c, a))
            found[face] = _dot(normal, a) / _dot(normal, along)
    return found
