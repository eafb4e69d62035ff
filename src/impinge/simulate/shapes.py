"""Solids made to measure: box, ball, torus and the ring of a chain."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

from impinge._surfaces import sphere
from impinge.errors import InputError
from impinge.simulate.solids import Solid

if TYPE_CHECKING:
    from impinge._types import AnyArray, Floats


def box(size: object = (1.0, 1.0, 1.0), *, cells: object = (4, 4, 4)) -> Solid:
    """A box around the origin.

    Parameters
    ----------
    size : float or (3,) array_like
        Lengths of its sides.
    cells : int or (3,) array_like of int
        Cuboids along its sides, of six tetrahedra each.

    Returns
    -------
    Solid

    See Also
    --------
    impinge.simulate.ball, impinge.simulate.torus, impinge.simulate.ring

    Examples
    --------
    >>> from impinge import simulate
    >>> simulate.box((1, 2, 3), cells=2)
    Solid('box', 48 tetrahedra, 48 faces)
    """
    sides = np.broadcast_to(np.asarray(size, dtype=np.float64), 3)
    counts = np.broadcast_to(np.asarray(cells), 3)
    if not (sides > 0.0).all() or not (counts >= 1).all():
        raise InputError(f"size and cells must be positive, got {size!r} and {cells!r}")
    index = np.stack(np.meshgrid(*[np.arange(n + 1) for n in counts], indexing="ij"), axis=-1)
    number = np.arange(index[..., 0].size).reshape(index.shape[:3])
    # a path from the low to the high corner of a cube, for every order of the three directions
    tetrahedra = []
    for order in permutations(range(3)):
        at, corners = [0, 0, 0], []
        for axis in (*order, None):
            ends = [slice(k, n + k) for k, n in zip(at, counts, strict=True)]
            corners.append(number[tuple(ends)].reshape(-1))
            if axis is not None:
                at[axis] = 1
        tetrahedra.append(np.stack(corners, axis=1))
    points = (index.reshape(-1, 3) / counts - 0.5) * sides
    return Solid.of(points, np.concatenate(tetrahedra), name="box")


def ball(radius: float = 1.0, *, frequency: int = 4, layers: int = 2) -> Solid:
    """A ball around the origin.

    Parameters
    ----------
    radius : float
        Of the outer vertices.
    frequency : int
        20 frequency^2 outer faces.
    layers : int
        Shells of tetrahedra around the middle.

    Returns
    -------
    Solid

    See Also
    --------
    impinge.simulate.box

    Examples
    --------
    >>> from impinge import simulate
    >>> simulate.ball(frequency=2, layers=1)
    Solid('ball', 80 tetrahedra, 80 faces)
    """
    _check(radius=radius, frequency=frequency, layers=layers)
    points, faces = sphere(frequency)
    count = len(points)
    shells = [points * (radius * (k + 1) / layers) for k in range(layers)]
    middle = layers * count
    sorted_faces = np.sort(faces, axis=1)
    tetrahedra = [np.concatenate([faces, np.full((len(faces), 1), middle)], axis=1)]
    for k in range(layers - 1):
        tetrahedra.append(_prisms(sorted_faces + k * count, sorted_faces + (k + 1) * count))
    return Solid.of(
        np.concatenate([*shells, np.zeros((1, 3))]), np.concatenate(tetrahedra), name="ball"
    )


def torus(
    major: float = 1.0, minor: float = 0.3, *, around: int = 40, across: int = 20, layers: int = 1
) -> Solid:
    """A torus about the z axis, around the origin.

    Parameters
    ----------
    major : float
        Radius of the middle of the tube.
    minor : float
        Radius of the tube.
    around, across : int
        Vertices along and across the tube: 2 around across outer faces.
    layers : int
        Rings of tetrahedra around the middle of the tube.

    Returns
    -------
    Solid

    See Also
    --------
    impinge.simulate.ring

    Examples
    --------
    >>> from impinge import simulate
    >>> simulate.torus(1.0, 0.3, around=20, across=10)
    Solid('torus', 600 tetrahedra, 400 faces)
    """
    angle = np.arange(around) * (2.0 * np.pi / max(around, 1))
    direction = np.stack([np.cos(angle), np.sin(angle), np.zeros(around)], axis=1)
    return _tube(major * direction, direction, minor, across, layers, name="torus")


def ring(
    length: float = 3.0,
    width: float = 1.6,
    thickness: float = 0.4,
    *,
    around: int = 40,
    across: int = 12,
    layers: int = 1,
) -> Solid:
    """A link of a chain in the plane z = 0, long in x: two half circles joined by straight sides.

    Parameters
    ----------
    length, width : float
        Measured outside.
    thickness : float
        Diameter of the tube.
    around, across, layers : int
        As for `torus`.

    Returns
    -------
    Solid

    See Also
    --------
    impinge.simulate.torus

    Examples
    --------
    >>> from impinge import simulate
    >>> simulate.ring(3.0, 1.6, 0.4)
    Solid('ring', 1,440 tetrahedra, 960 faces)
    """
    _check(length=length, width=width, thickness=thickness)
    radius, straight = (width - thickness) / 2.0, length - width
    if radius <= thickness / 2.0 or straight < 0.0:
        raise InputError(
            "a ring needs width > 2 thickness and length >= width, "
            f"got length {length}, width {width}, thickness {thickness}"
        )
    outline = 2.0 * np.pi * radius + 2.0 * straight
    # from the middle of the right half circle, equal steps along the outline
    s = np.arange(around) * (outline / max(around, 1))
    quarter = np.pi * radius / 2.0
    ends = np.cumsum([quarter, straight, 2.0 * quarter, straight])
    part = np.searchsorted(ends, s, side="right")
    begin = np.concatenate([[0.0], ends])[part]
    turned = np.where(part == 4, s - ends[3] - quarter, np.where(part == 0, s, s - begin + quarter))
    angle = np.where(part == 1, quarter, np.where(part == 3, 3.0 * quarter, turned)) / radius
    along = np.where(part == 1, straight / 2.0 - (s - begin), s - begin - straight / 2.0)
    side = np.where((part == 0) | (part == 4), 1.0, -1.0) * straight / 2.0
    center = np.where((part == 1) | (part == 3), along, side)
    direction = np.stack([np.cos(angle), np.sin(angle), np.zeros(around)], axis=1)
    path = radius * direction + center[:, None] * (1.0, 0.0, 0.0)
    return _tube(path, direction, thickness / 2.0, across, layers, name="ring")


def _tube(
    path: Floats, outward: Floats, radius: float, across: int, layers: int, *, name: str
) -> Solid:
    """A closed tube along `path` (n, 3) in the plane z = 0; `outward` (n, 3) are unit vectors."""
    _check(radius=radius, layers=layers)
    if len(path) < 3 or across < 3:
        raise InputError(f"around and across must be at least 3, got {len(path)} and {across}")
    if radius >= np.linalg.norm(path, axis=1).min():
        raise InputError(f"the tube is too thick for its ring: radius {radius}")
    disc, triangles = _disc(across, layers)
    up = np.array([0.0, 0.0, 1.0])
    points = path[:, None] + radius * (disc[:, :1] * outward[:, None] + disc[:, 1:] * up)
    starts = np.arange(len(path)) * len(disc)
    triangles = np.sort(triangles, axis=1)
    low = (starts[:, None, None] + triangles).reshape(-1, 3)
    high = (np.roll(starts, -1)[:, None, None] + triangles).reshape(-1, 3)
    return Solid.of(points.reshape(-1, 3), _prisms(low, high), name=name)


def _disc(across: int, layers: int) -> tuple[Floats, AnyArray]:
    """Points (n, 2) of a unit disc and its triangles: the middle first, then rings."""
    angle = np.arange(across) * (2.0 * np.pi / across)
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    rings = [circle * (k + 1) / layers for k in range(layers)]
    ids = np.arange(across)
    following = np.roll(ids, -1)
    triangles = [np.stack([np.zeros_like(ids), ids + 1, following + 1], axis=1)]
    for k in range(layers - 1):
        inner, outer = 1 + k * across, 1 + (k + 1) * across
        triangles.append(np.stack([ids + inner, ids + outer, following + outer], axis=1))
        triangles.append(np.stack([ids + inner, following + outer, following + inner], axis=1))
    return np.concatenate([np.zeros((1, 2)), *rings]), np.concatenate(triangles)


def _prisms(low: AnyArray, high: AnyArray) -> AnyArray:
    """Tetrahedra of the prisms between triangles (n, 3) and (n, 3).

    With the vertices of each triangle in one common order, neighbours cut their common side alike.
    """
    (a, b, c), (d, e, f) = low.T, high.T
    rows = ((a, b, c, f), (a, b, e, f), (a, d, e, f))
    return np.concatenate([np.stack(row, axis=1) for row in rows])


def _check(**positive: float) -> None:
    for name, value in positive.items():
        if not value > 0:
            raise InputError(f"{name} must be positive, got {value!r}")
