"""Small scenes in whole numbers, closed and open, with ties, slivers and steep triangles."""

from __future__ import annotations

import numpy as np

from detectors.peel.reference import SUB, Scene, covered, fragment_intervals, setups
from impinge.detectors.image.geometry import Geometry

DEEPEST = 2**23 - 16
BOX_FACES = np.array(
    [
        *[(0, 2, 1), (1, 2, 3), (4, 5, 6), (5, 7, 6), (0, 1, 4), (1, 5, 4)],
        *[(2, 6, 3), (3, 6, 7), (0, 4, 2), (2, 4, 6), (1, 3, 5), (3, 7, 5)],
    ]
)


def scene_of(
    bodies: list[tuple[np.ndarray, np.ndarray]],
    resolution: int,
    closed: bool | list[bool] = True,
    alone: bool | list[bool] = False,
) -> Scene:
    """Bodies as (corners, faces), put together."""
    offsets = np.cumsum([0, *(len(corners) for corners, _ in bodies)])
    return Scene(
        np.concatenate([corners for corners, _ in bodies]).astype(np.int32),
        np.concatenate([faces + o for (_, faces), o in zip(bodies, offsets, strict=False)]).astype(
            np.int32
        ),
        np.repeat(np.arange(len(bodies)), [len(faces) for _, faces in bodies]).astype(np.int32),
        np.broadcast_to(np.array(closed, dtype=bool), len(bodies)).copy(),
        np.broadcast_to(np.array(alone, dtype=bool), len(bodies)).copy(),
        resolution,
    )


def geometry_of(scene: Scene) -> Geometry:
    face = np.arange(len(scene.faces), dtype=np.int32)
    return Geometry(scene.snapped, scene.faces, scene.body, face, scene.closed, scene.alone)


def box(low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    bits = np.array([(i & 1, i >> 1 & 1, i >> 2) for i in range(8)])
    return np.where(bits, high, low), BOX_FACES


def boxes(rng: np.random.Generator, resolution: int, count: int = 8) -> list:
    """Axis-parallel boxes on a coarse grid: many equal depths, edges through pixel middles."""
    found = []
    for _ in range(count):
        side = 4 * resolution
        low = rng.integers((4, 4, 0), (side - 8, side - 8, 4))
        high = low + rng.integers(1, (side // 3, side // 3, 4))
        high = np.minimum(high, (side - 4, side - 4, 8))
        found.append(box(low * (64, 64, 1000) + (0, 0, 16), high * (64, 64, 1000) + (0, 0, 16)))
    return found


def blobs(rng: np.random.Generator, resolution: int, count: int = 3) -> list:
    """Octahedra split once, with corners moved at random: closed, of no simple shape."""
    corners = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]
    faces = [(0, 2, 4), (2, 1, 4), (1, 3, 4), (3, 0, 4), (2, 0, 5), (1, 2, 5), (3, 1, 5), (0, 3, 5)]
    found = []
    for _ in range(count):
        points, known, split = [np.array(c, float) for c in corners], {}, []

        def between(i: int, j: int, points=points, known=known) -> int:
            key = min(i, j), max(i, j)
            if key not in known:
                middle = points[i] + points[j]
                known[key] = len(points)
                points.append(middle / np.linalg.norm(middle))
            return known[key]

        for a, b, c in faces:
            ab, bc, ca = between(a, b), between(b, c), between(c, a)
            split += [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
        shape = np.array(points) * rng.uniform(0.6, 1.2, (len(points), 1))
        middle = rng.uniform(0.35, 0.65, 3) * (SUB * resolution, SUB * resolution, 2**22)
        size = rng.uniform(0.1, 0.25) * np.array([SUB * resolution, SUB * resolution, 2**22])
        found.append((np.rint(middle + shape * size).astype(np.int64), np.array(split)))
    return found


def soup(rng: np.random.Generator, resolution: int, count: int = 60) -> list:
    """Open triangles of all sizes: slivers, edge-on and steep ones, some over the whole image."""
    most = SUB * (resolution - 1)
    found = []
    for kind in rng.integers(0, 6, count):
        corners = rng.integers((SUB, SUB, 16), (most, most, DEEPEST), (3, 3))
        if kind == 1:  # small
            corners = corners[:1] + rng.integers(-300, 300, (3, 3))
        elif kind == 2:  # sliver, nearly edge-on
            corners[2] = (corners[0] + corners[1]) // 2 + rng.integers(-1, 2, 3)
        elif kind == 3:  # edge-on
            corners[2, :2] = corners[1, :2]
        elif kind == 4:  # level, on the grid
            corners = corners // 128 * 128
            corners[:, 2] = 5 * 2**16
        elif kind == 5:  # a point
            corners[:] = corners[0]
        corners = np.clip(corners, (SUB, SUB, 16), (most, most, DEEPEST))
        found.append((corners, np.array([[0, 1, 2]])))
    return found


def whole(resolution: int) -> list:
    """Two triangles over all of the image, crossing."""
    low, high = SUB, SUB * (resolution - 1)
    one = np.array([(low, low, 16), (high, low, DEEPEST), (low, high, 4000)])
    two = np.array([(low, low, DEEPEST), (high, high, 16), (low, high, 4000)])
    return [(one, np.array([[0, 1, 2]])), (two, np.array([[0, 2, 1]]))]


def steep() -> list:
    """Triangles at the very limit of what is steep, and so far beyond that 32 bits do not tell."""
    found = []
    for rise in (2**14 - 1, 2**14, 2**14 + 1, 2**17, 2**17 + 1, 2**22):
        corners = np.array([(500, 500, 16), (501, 500, 16 + rise), (500, 501, 16)])
        found += [(corners, np.array([[0, 1, 2]])), (corners, np.array([[0, 2, 1]]))]
    return found


def sheets(rng: np.random.Generator, resolution: int) -> list:
    """Pairs of parallel triangles, each in a square of its own, on the verge of overlapping."""
    side, found = 8 * SUB, []
    for tile in range((resolution // 8) ** 2):
        row, column = divmod(tile, resolution // 8)
        inset = rng.integers(2, side - 2, (3, 2))
        rise = rng.integers(0, rng.choice([2, 100, 30_000]), 3)
        start = rng.choice([0, 5, 2**20])
        corners = np.column_stack([inset + np.array([side * column, side * row]), rise + start])
        (setup,) = setups(corners, np.array([[0, 1, 2]]))
        low, high = fragment_intervals(setup, *covered(setup, resolution))
        apart = np.median(high - low) + rng.integers(-2, 4)
        found += [
            (corners, np.array([[0, 1, 2]])),
            (corners + np.array([0, 0, apart]), np.array([[0, 2, 1]])),
        ]
    return found
