"""What the tests of the DOP trees share: nodes, and their DOPs moved in NumPy."""

from __future__ import annotations

import numpy as np

from impinge import _core
from support.meshes import Arrays

SIZES = (6, 14, 18, 24, 26)


def tree(mesh: Arrays, k: int = 24, *, maps: bool = False, workers: int = 1) -> _core.DopTree:
    return _core.DopTree(*mesh, k, maps, workers)


def children(links: np.ndarray) -> np.ndarray:
    """(n, 3): inner nodes with their two children."""
    inner = np.flatnonzero(links > 0)
    return np.stack([inner, 2 * links[inner], 2 * links[inner] + 1], axis=1)


def owners(links: np.ndarray) -> np.ndarray:
    """(n, 2): every node with every face below it."""
    rows = []

    def faces_below(node: int) -> list[int]:
        link = int(links[node])
        found = [-1 - link] if link < 0 else faces_below(2 * link) + faces_below(2 * link + 1)
        rows.extend((node, face) for face in found)
        return found

    faces_below(1)
    return np.array(rows)


def moved(dops: np.ndarray, correspondence: tuple[np.ndarray, ...]) -> np.ndarray:
    """d' of all nodes in float32, in the core's order of operations."""
    c, j, shift = correspondence
    d = dops.astype(np.float32)
    total = c[:, 0] * d[:, j[:, 0]] + c[:, 1] * d[:, j[:, 1]]
    return (total + c[:, 2] * d[:, j[:, 2]]) + shift


def apart(d: np.ndarray, e: np.ndarray) -> np.ndarray:
    """DOP-3: some slab parts them."""
    half = d.shape[-1] // 2
    return ((d[..., :half] < -e[..., half:]) | (e[..., :half] < -d[..., half:])).any(axis=-1)


def in_frame(vertices: np.ndarray, made: _core.DopTree) -> np.ndarray:
    x, y, z, scale = made.frame
    return (vertices - np.array([x, y, z])) * scale
