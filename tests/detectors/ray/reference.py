"""Rays, contacts and forces in plain NumPy, every face against every ray."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from impinge.results.contact_points import ContactPoints
from support.meshes import Arrays

TOLERANCE = 1e-9


class Hits(NamedTuple):
    """Nearest hit of each ray: face -1 and t infinite for none."""

    face: np.ndarray
    t: np.ndarray


def crossings(mesh: Arrays, origins: np.ndarray, directions: np.ndarray) -> np.ndarray:
    """(rays, faces) t of Möller and Trumbore; infinite where a face is not hit."""
    a, b, c = (mesh[0][mesh[1][:, k]] for k in range(3))
    u, v = b - a, c - a
    w = origins[:, None] - a
    p = np.cross(directions[:, None], v)
    q = np.cross(w, u)
    det = (u * p).sum(axis=-1)
    flat = np.abs(det) <= 1e-14 * np.linalg.norm(u, axis=1) * np.linalg.norm(v, axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        first = (w * p).sum(axis=-1) / det
        second = (directions[:, None] * q).sum(axis=-1) / det
        t = (v * q).sum(axis=-1) / det
        inside = (first >= -TOLERANCE) & (second >= -TOLERANCE) & (first + second <= 1 + TOLERANCE)
    return np.where(inside & ~flat, t, np.inf)


def nearest(
    mesh: Arrays, origins: np.ndarray, directions: np.ndarray, *, begin: float = 0.0
) -> Hits:
    t = crossings(mesh, origins, directions)
    t[~(t > begin)] = np.inf
    face = np.argmin(t, axis=1)
    best = t[np.arange(len(t)), face]
    return Hits(np.where(np.isfinite(best), face, -1), best)


def face_normals(mesh: Arrays) -> np.ndarray:
    a, b, c = (mesh[0][mesh[1][:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    return normals / np.linalg.norm(normals, axis=1)[:, None]


def vertex_normals(mesh: Arrays) -> np.ndarray:
    """Weighted by the angles of the faces."""
    vertices, faces = mesh
    normals = face_normals(mesh)
    result = np.zeros_like(vertices)
    for k in range(3):
        here = vertices[faces[:, k]]
        u = vertices[faces[:, (k + 1) % 3]] - here
        v = vertices[faces[:, (k + 2) % 3]] - here
        cosine = (u * v).sum(axis=1) / (np.linalg.norm(u, axis=1) * np.linalg.norm(v, axis=1))
        np.add.at(result, faces[:, k], np.arccos(np.clip(cosine, -1, 1))[:, None] * normals)
    return result / np.linalg.norm(result, axis=1)[:, None]


def one_way(a: Arrays, b: Arrays, length: float) -> dict[int, tuple[int, float]]:
    """Contacts of the vertices of a with b as printed: vertex -> (face, t)."""
    low = np.maximum(a[0].min(axis=0), b[0].min(axis=0))
    high = np.minimum(a[0].max(axis=0), b[0].max(axis=0))
    inside = np.flatnonzero(((a[0] >= low) & (a[0] <= high)).all(axis=1))
    if not len(inside):
        return {}
    origins, directions = a[0][inside], -vertex_normals(a)[inside]
    hits = nearest(b, origins, directions, begin=TOLERANCE * length)
    own = crossings(a, origins, directions)
    own[~(own > TOLERANCE * length)] = np.inf
    incident = (a[1][None] == inside[:, None, None]).any(axis=2)
    own[incident] = np.inf
    normals, normals_a = face_normals(b), face_normals(a)
    found = {}
    for row, vertex in enumerate(inside.tolist()):
        face, t = int(hits.face[row]), float(hits.t[row])
        if face < 0 or -directions[row] @ normals[face] >= 0 or t > own[row].min():
            continue
        if (normals_a[incident[row]] @ directions[row] >= 0).any():
            continue
        found[vertex] = (face, t)
    return found


def diagonal(*meshes: Arrays) -> float:
    points = np.concatenate([mesh[0] for mesh in meshes])
    return float(np.linalg.norm(np.ptp(points, axis=0)))


def winding(mesh: Arrays, points: np.ndarray) -> np.ndarray:
    """(n,) winding numbers, by solid angles."""
    a, b, c = (mesh[0][mesh[1][:, k]] - points[:, None] for k in range(3))
    x, y, z = (np.linalg.norm(side, axis=-1) for side in (a, b, c))
    numerator = (a * np.cross(b, c)).sum(axis=-1)
    denominator = (
        x * y * z + (a * b).sum(axis=-1) * z + (b * c).sum(axis=-1) * x + (c * a).sum(axis=-1) * y
    )
    return np.arctan2(numerator, denominator).sum(axis=1) / (2 * np.pi)


def forces(contacts: ContactPoints, *, weighted: bool = True) -> np.ndarray:
    """(n, 3) on the first point, with a stiffness of one."""
    stretch = contacts.points[:, 1] - contacts.points[:, 0]
    return stretch * (contacts.weights[:, None] if weighted else 1.0)
