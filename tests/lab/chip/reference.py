"""The chip's decisions written down from the formulas in float32, without registers or lanes."""

from __future__ import annotations

import numpy as np

F = np.float32


def moved_dop(d: np.ndarray, c: np.ndarray, places: np.ndarray, shift: np.ndarray) -> np.ndarray:
    """(n, 24): d'_i = C_i0 d_k + C_i1 d_m + C_i2 d_n + c_i, from the left."""
    total = np.zeros_like(d)
    for i in range(24):
        k, m, n = places[i]
        total[:, i] = d[:, k] * c[i, 0]
        total[:, i] += d[:, m] * c[i, 1]
        total[:, i] += d[:, n] * c[i, 2]
        total[:, i] += shift[i]
    return total


def dops_overlap(d: np.ndarray, e: np.ndarray) -> np.ndarray:
    apart = np.zeros(len(d), dtype=bool)
    for i in range(12):
        apart |= (d[:, i] < -e[:, i + 12]) | (e[:, i] < -d[:, i + 12])
    return ~apart


def mapped(corner: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    """Corners (n, 3) by matrices (n, 3, 4), from the left."""
    x, y, z = corner.T
    rows = [matrix[:, r, 0] * x + matrix[:, r, 1] * y for r in range(3)]
    rows = [(row + matrix[:, r, 2] * z) + matrix[:, r, 3] for r, row in enumerate(rows)]
    return np.stack(rows, axis=1)


def edge_hits(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """The printed test of an edge from p to q (n, 3), equation (4) from the left."""
    skipped = ((p[:, 2] >= 0) & (q[:, 2] >= 0)) | ((p[:, 2] <= 0) & (q[:, 2] <= 0))
    px_qz, qx_pz = p[:, 0] * q[:, 2], q[:, 0] * p[:, 2]
    py_qz, qy_pz = p[:, 1] * q[:, 2], q[:, 1] * p[:, 2]
    left, right = px_qz - qx_pz + py_qz - qy_pz, q[:, 2] - p[:, 2]
    up = (px_qz >= qx_pz) & (py_qz >= qy_pz) & (left <= right)
    down = (px_qz <= qx_pz) & (py_qz <= qy_pz) & (left >= right)
    return ~skipped & np.where(right > 0, up, down)


def some_edge_hits(triangle: np.ndarray, pose: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    """Triangles (n, 3, 3) by a pose (3, 4), then by matrices (n, 3, 4)."""
    poses = np.broadcast_to(pose, (len(triangle), 3, 4))
    v = [mapped(mapped(triangle[:, c], poses), matrix) for c in range(3)]
    return edge_hits(v[0], v[1]) | edge_hits(v[1], v[2]) | edge_hits(v[2], v[0])
