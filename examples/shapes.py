"""Simple meshes for the examples, as (vertices, faces)."""

import numpy as np
from numpy.typing import NDArray

Arrays = tuple[NDArray[np.float64], NDArray[np.int32]]


def wrapped_grid(rows: int, columns: int) -> NDArray[np.int32]:
    """Faces of a grid of points whose rows and columns are closed rings."""
    i, j = np.mgrid[:rows, :columns].astype(np.int32)
    below, right = (i + 1) % rows, (j + 1) % columns
    a, b, c, d = i * columns + j, below * columns + j, below * columns + right, i * columns + right
    return np.stack([a, b, c, a, c, d], axis=-1).reshape(-1, 3)


def torus(radius: float = 1.0, tube: float = 0.35, *, sides: int = 96, rings: int = 48) -> Arrays:
    """A torus around the z axis."""
    u = np.arange(sides)[:, None] * (2.0 * np.pi / sides)
    v = np.arange(rings)[None, :] * (2.0 * np.pi / rings)
    reach = radius + tube * np.cos(v)
    points = [reach * np.cos(u), reach * np.sin(u), tube * np.sin(v) + 0.0 * u]
    return np.stack(points, axis=-1).reshape(-1, 3), wrapped_grid(sides, rings)


def sheet(size: float, *, cells: int, height: float = 0.0) -> Arrays:
    """A square in the xy plane, centred, at a height."""
    x, y = np.meshgrid(*[np.linspace(-size / 2, size / 2, cells + 1)] * 2, indexing="ij")
    i, j = np.mgrid[:cells, :cells].astype(np.int32)
    a, b = i * (cells + 1) + j, (i + 1) * (cells + 1) + j
    faces = np.stack([a, b, b + 1, a, b + 1, a + 1], axis=-1).reshape(-1, 3)
    return np.stack([x, y, np.full_like(x, height)], axis=-1).reshape(-1, 3), faces


def ball(radius: float = 1.0, *, cells: int = 24) -> Arrays:
    """A sphere: the six sheets of a cube, pushed outward."""
    flat, faces = sheet(2.0, cells=cells, height=1.0)
    # even permutations and pairs of reflections keep the faces turned outward
    turns = [flat[:, [0, 1, 2]], flat[:, [2, 0, 1]], flat[:, [1, 2, 0]]]
    turns += [turn[:, [1, 0, 2]] * -1.0 for turn in turns]
    cube = np.concatenate(turns)
    # rounded, so that neighbouring sheets have exactly the same points on their border
    points = np.round(radius * cube / np.linalg.norm(cube, axis=1, keepdims=True), 12)
    return points, np.concatenate([faces + n * len(flat) for n in range(6)]).astype(np.int32)


def box(low: tuple[float, float, float], high: tuple[float, float, float]) -> Arrays:
    """An axis-parallel box."""
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = [t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))]
    points = np.asarray(low) + corners * (np.asarray(high) - np.asarray(low))
    return points, np.asarray(faces, dtype=np.int32)
