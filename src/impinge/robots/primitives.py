"""Boxes, cylinders, balls and capsules as closed meshes that hold them, within a stated error.

A mesh stands around what it stands for: it touches it from outside, and none of its points is
farther from it than the error. So a robot that is free as a mesh is free as it was meant.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from impinge.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from impinge._types import AnyArray, Floats, Ints

    Arrays = tuple[Floats, Ints]

_MOST_SEGMENTS = 4096
_MOST_RINGS = 256
# vertices are rounded; so much larger, no face comes to lie inside
_ROUNDING = 1.0 + 1e-14

_BOX_FACES = (
    (0, 2, 3), (0, 3, 1), (4, 5, 7), (4, 7, 6), (0, 1, 5), (0, 5, 4),
    (2, 6, 7), (2, 7, 3), (0, 4, 6), (0, 6, 2), (1, 3, 7), (1, 7, 5),
)  # fmt: skip


def box(size: tuple[float, ...]) -> Arrays:
    """A box about the origin: as it is, without an error."""
    corners = np.array([(x, y, z) for z in (-0.5, 0.5) for y in (-0.5, 0.5) for x in (-0.5, 0.5)])
    return corners * size, np.array(_BOX_FACES, dtype=np.int32)


def cylinder(radius: float, length: float, error: float) -> Arrays:
    """A prism around a cylinder along z, about the origin."""
    sides = _sides(radius, error)
    # the corners of a polygon whose sides touch the circle
    angle = 2.0 * np.pi * np.arange(sides) / sides
    outer = radius * _ROUNDING / math.cos(math.pi / sides)
    ring = outer * np.column_stack((np.cos(angle), np.sin(angle)))
    half = 0.5 * length
    levels = [np.column_stack((ring, np.full(sides, z))) for z in (-half, half)]
    vertices = np.concatenate((*levels, [(0.0, 0.0, -half), (0.0, 0.0, half)]))
    i = np.arange(sides)
    j = (i + 1) % sides
    low, high = np.full(sides, 2 * sides), np.full(sides, 2 * sides + 1)
    triples = (
        (i, j, j + sides),
        (i, j + sides, i + sides),
        (low, j, i),
        (high, i + sides, j + sides),
    )
    faces = np.concatenate([np.column_stack(triple) for triple in triples])
    return vertices, faces.astype(np.int32)


def sphere(radius: float, error: float) -> Arrays:
    """An octahedron, each face divided, around a ball about the origin."""
    return _around(radius, error)


def capsule(radius: float, length: float, error: float) -> Arrays:
    """The same, its halves moved apart along z: length is that of the cylinder between them."""
    vertices, faces = _around(radius, error)
    half = 0.5 * length
    # the equator twice: below and above
    on = vertices[:, 2] == 0.0
    upper = np.arange(len(vertices))
    upper[on] = len(vertices) + np.arange(np.count_nonzero(on))
    lift = np.where(vertices[:, 2] > 0.0, half, -half)
    moved = np.concatenate((vertices, vertices[on]))
    moved[:, 2] += np.concatenate((lift, np.full(len(moved) - len(lift), half)))
    above = (vertices[faces, 2] >= 0.0).all(axis=1)
    ring = np.flatnonzero(on)
    ring = ring[np.argsort(np.arctan2(vertices[ring, 1], vertices[ring, 0]))]
    after = np.roll(ring, -1)
    walls = (
        np.column_stack((ring, after, upper[after])),
        np.column_stack((ring, upper[after], upper[ring])),
    )
    split = np.where(above[:, None], upper[faces], faces)
    return moved, np.concatenate((split, *walls)).astype(np.int32)


def _around(radius: float, error: float) -> Arrays:
    count = _rings(radius, error)
    vertices, faces, inner = _octahedral(count)
    return vertices * (radius * _ROUNDING / inner), faces


def _sides(radius: float, error: float) -> int:
    """Sides of a polygon around a circle whose corners are no farther out than the error."""
    half_angle = math.acos(radius / (radius + error))
    wanted = math.pi / half_angle if half_angle > 0.0 else math.inf
    if not wanted <= _MOST_SEGMENTS:
        raise _too_fine(radius, error, radius / math.cos(math.pi / _MOST_SEGMENTS) - radius)
    # the quotient may be rounded down to a whole number
    sides = max(4, math.ceil(wanted))
    return sides if radius / math.cos(math.pi / sides) - radius <= error else sides + 1


def _rings(radius: float, error: float) -> int:
    """Parts of each edge of the octahedron, so that no corner is farther out than the error."""

    def fits(count: int) -> bool:
        return radius / _octahedral(count)[2] - radius <= error

    count = 1
    while not fits(count):
        count *= 2
        if count > _MOST_RINGS:
            raise _too_fine(radius, error, radius / _octahedral(_MOST_RINGS)[2] - radius)
    return _least(fits, count // 2, count)


def _least(fits: Callable[[int], bool], no: int, yes: int) -> int:
    while yes - no > 1:
        middle = (no + yes) // 2
        no, yes = (no, middle) if fits(middle) else (middle, yes)
    return yes


def _octahedral(count: int) -> tuple[Floats, Ints, float]:
    """Points on the unit sphere, faces between them, and how far these are from the centre."""
    # points are whole numbers with |x| + |y| + |z| = n, and found by them: so all edges are shared
    span = np.arange(-count, count + 1)
    x, y = (axis.ravel() for axis in np.meshgrid(span, span, indexing="ij"))
    rest = count - np.abs(x) - np.abs(y)
    on = rest >= 0
    lattice = np.concatenate(
        (
            np.column_stack((x, y, rest))[on],
            np.column_stack((x, y, -rest))[on & (rest > 0)],
        )
    )
    order = np.lexsort(lattice.T[::-1])
    lattice = lattice[order]
    width = 2 * count + 1
    keys = _keys(lattice, width)
    faces = []
    i, j = (axis.ravel() for axis in np.meshgrid(np.arange(count), np.arange(count)))
    up = i + j < count
    down = i + j < count - 1
    for signs in ((a, b, c) for a in (1, -1) for b in (1, -1) for c in (1, -1)):
        corners = [
            _triangle(i[up], j[up], ((0, 0), (1, 0), (0, 1)), count),
            _triangle(i[down], j[down], ((1, 0), (1, 1), (0, 1)), count),
        ]
        placed = np.concatenate(corners) * signs
        rows = np.searchsorted(keys, _keys(placed.reshape(-1, 3), width)).reshape(-1, 3)
        faces.append(rows if np.prod(signs) > 0 else rows[:, ::-1])
    # along great circles in equal angles: the faces are more even than those of a flat grid
    spread = np.sin(0.5 * np.pi * lattice / count)
    points = spread / np.linalg.norm(spread, axis=1)[:, None]
    joined = np.concatenate(faces).astype(np.int32)
    a, b, c = (points[joined[:, k]] for k in range(3))
    normal = np.cross(b - a, c - a)
    inner = float((np.abs((normal * a).sum(axis=1)) / np.linalg.norm(normal, axis=1)).min())
    return points, joined, inner


def _triangle(i: AnyArray, j: AnyArray, steps: tuple[tuple[int, int], ...], count: int) -> Ints:
    """(n, 3, 3): corners in the first octant, in whole numbers."""
    corners = [np.column_stack((i + a, j + b, count - i - a - j - b)) for a, b in steps]
    return np.stack(corners, axis=1)


def _keys(lattice: Ints, width: int) -> Ints:
    half = width // 2
    shifted = lattice.astype(np.int64) + half
    keys: Ints = (shifted[:, 0] * width + shifted[:, 1]) * width + shifted[:, 2]
    return keys


def _too_fine(radius: float, error: float, least: float) -> InputError:
    return InputError(
        f"primitive_error {error:g} is too small for a radius of {radius:g}; the least that is "
        f"possible is {least:.2g}"
    )
