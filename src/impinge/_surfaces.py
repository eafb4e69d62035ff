"""Surfaces made from numbers alone: the same on every machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from impinge._types import Floats, Ints, Longs

_GOLDEN = (1 + 5**0.5) / 2
_CORNERS = np.array(
    [
        [-1, _GOLDEN, 0], [1, _GOLDEN, 0], [-1, -_GOLDEN, 0], [1, -_GOLDEN, 0],
        [0, -1, _GOLDEN], [0, 1, _GOLDEN], [0, -1, -_GOLDEN], [0, 1, -_GOLDEN],
        [_GOLDEN, 0, -1], [_GOLDEN, 0, 1], [-_GOLDEN, 0, -1], [-_GOLDEN, 0, 1],
    ]
)  # fmt: skip
_SIDES = np.array(
    [
        [0, 11, 5], [0, 5, 1], [0, 1, 7], [0, 7, 10], [0, 10, 11], [1, 5, 9], [5, 11, 4],
        [11, 10, 2], [10, 7, 6], [7, 1, 8], [3, 9, 4], [3, 4, 2], [3, 2, 6], [3, 6, 8],
        [3, 8, 9], [4, 9, 5], [2, 4, 11], [6, 2, 10], [8, 6, 7], [9, 8, 1],
    ]
)  # fmt: skip


def sphere(frequency: int) -> tuple[Floats, Ints]:
    """Unit sphere of 20 frequency^2 triangles: an icosahedron, each side split."""
    i, j = np.divmod(np.arange((frequency + 1) ** 2), frequency + 1)
    inside = i + j <= frequency
    i, j = i[inside], j[inside]
    weights = np.stack([frequency - i - j, i, j], axis=1)
    number = np.full((frequency + 1, frequency + 1), -1)
    number[i, j] = np.arange(len(i))

    # a corner with its weight names a point in the same way from every side it lies on
    names = np.where(weights[None] > 0, _SIDES[:, None, :], len(_CORNERS))
    names = np.sort(names * (frequency + 1) + weights[None], axis=2).reshape(-1, 3)
    scale = (len(_CORNERS) + 1) * (frequency + 1)
    keys = (names[:, 0] * scale + names[:, 1]) * scale + names[:, 2]
    _, first, point = np.unique(keys, return_index=True, return_inverse=True)
    side, grid = np.divmod(first, len(i))
    points = np.einsum("nk,nkd->nd", weights[grid].astype(float), _CORNERS[_SIDES[side]])
    points /= np.linalg.norm(points, axis=1)[:, None]

    up = i + j < frequency
    down = i + j < frequency - 1
    corners = np.concatenate(
        [
            np.stack([number[i, j][up], number[i[up] + 1, j[up]], number[i[up], j[up] + 1]], 1),
            np.stack(
                [
                    number[i[down] + 1, j[down]],
                    number[i[down] + 1, j[down] + 1],
                    number[i[down], j[down] + 1],
                ],
                1,
            ),
        ]
    )
    faces = point.reshape(len(_SIDES), -1)[:, corners].reshape(-1, 3)
    return points, faces.astype(np.int32)


def blob(frequency: int, *, seed: int, height: float = 0.25) -> tuple[Floats, Ints]:
    """A sphere of 20 frequency^2 triangles with some wide hills and many small ones."""
    points, faces = sphere(frequency)
    random = np.random.default_rng(seed)
    wide, small = random.normal(size=(5, 3)) * 2.0, random.normal(size=(8, 3)) * 9.0
    phases = random.uniform(0, 2 * np.pi, 13)
    hills = np.sin(points @ wide.T + phases[:5]).mean(axis=1)
    bumps = np.sin(points @ small.T + phases[5:]).mean(axis=1)
    return points * (1 + height * (hills + 0.25 * bumps))[:, None], faces


def box(size: tuple[float, float, float]) -> tuple[Floats, Ints]:
    """A box around the origin, of twelve triangles."""
    corners = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    quads = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    a, b, c, d = np.array(quads).T
    return corners * size, split(a, b, c, d).astype(np.int32)


def globe(bands: int, around: int) -> tuple[Floats, Ints]:
    """Unit sphere of 2 around (bands - 1) triangles in bands of latitude, poles on the z axis."""
    polar = np.arange(1, bands) * (np.pi / bands)
    angle = np.arange(around) * (2 * np.pi / around)
    z, radius = np.cos(polar)[:, None], np.sin(polar)[:, None]
    rings = np.stack(
        np.broadcast_arrays(radius * np.cos(angle), radius * np.sin(angle), z), axis=-1
    )
    return capped(rings, np.array([0.0, 0.0, 1.0]), np.array([0.0, 0.0, -1.0]))


def tube(along: int, sides: int, radius: Floats) -> tuple[Floats, Ints]:
    """Closed tube around the z axis, from z = 0 to 1, of 2 sides (along + 1) triangles.

    radius: (along + 1,), one for each ring.
    """
    height = np.linspace(1.0, 0.0, along + 1)[:, None]
    angle = np.arange(sides) * (2 * np.pi / sides)
    ring = radius[::-1, None]
    rings = np.stack(
        np.broadcast_arrays(ring * np.cos(angle), ring * np.sin(angle), height), axis=-1
    )
    return capped(rings, np.array([0.0, 0.0, 1.0]), np.zeros(3))


def capped(rings: Floats, top: Floats, bottom: Floats) -> tuple[Floats, Ints]:
    """Closed surface through (k, n, 3) rings from top to bottom, counter-clockwise from above."""
    k, n = rings.shape[:2]
    index = np.arange(k * n).reshape(k, n)
    following = np.roll(index, -1, axis=1)
    wall = split(index[:-1], index[1:], following[1:], following[:-1])
    ends = [np.full(n, k * n), np.full(n, k * n + 1)]
    lid = np.stack([ends[0], index[0], following[0]], axis=-1)
    floor = np.stack([ends[1], following[-1], index[-1]], axis=-1)
    points = np.concatenate([rings.reshape(-1, 3), top[None], bottom[None]])
    return points, np.concatenate([wall, lid, floor]).astype(np.int32)


def wrapped(rows: int, columns: int) -> Ints:
    """Faces of a torus of rows x columns vertices, two for each: closed in both directions."""
    index = np.arange(rows * columns).reshape(rows, columns)
    right, below = np.roll(index, -1, axis=1), np.roll(index, -1, axis=0)
    return split(index, below, np.roll(below, -1, axis=1), right).astype(np.int32)


def sheet(cells: int) -> tuple[Floats, Ints]:
    """Open square from -1 to 1 in z = 0, of 2 cells^2 triangles, seen from above."""
    steps = np.linspace(-1.0, 1.0, cells + 1)
    x, y = np.meshgrid(steps, steps, indexing="ij")
    index = np.arange((cells + 1) ** 2).reshape(cells + 1, cells + 1)
    faces = split(index[:-1, :-1], index[1:, :-1], index[1:, 1:], index[:-1, 1:])
    return np.stack([x, y, 0 * x], axis=-1).reshape(-1, 3), faces.astype(np.int32)


def split(a: Longs, b: Longs, c: Longs, d: Longs) -> Longs:
    """Two triangles for each quadrangle a b c d."""
    quads = np.stack([a, b, c, d], axis=-1).reshape(-1, 4)
    return quads[:, [[0, 1, 2], [0, 2, 3]]].reshape(-1, 3)
