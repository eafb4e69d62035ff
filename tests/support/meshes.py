"""Mesh generators for the tests; each returns (vertices (n, 3) float64, faces (m, 3) int32)."""

from __future__ import annotations

import numpy as np

Arrays = tuple[np.ndarray, np.ndarray]

QUAD = np.array([[0, 1, 2], [0, 2, 3]])


def arrays(vertices: object, faces: object) -> Arrays:
    v = np.ascontiguousarray(np.asarray(vertices, dtype=np.float64).reshape(-1, 3))
    return v, np.ascontiguousarray(np.asarray(faces, dtype=np.int32).reshape(-1, 3))


def empty() -> Arrays:
    return arrays(np.zeros((0, 3)), np.zeros((0, 3)))


def soup(triangles: np.ndarray) -> Arrays:
    """Unwelded mesh of (n, 3, 3) triangles: three own vertices each."""
    return arrays(triangles, np.arange(3 * len(triangles)))


def merge(*meshes: Arrays) -> Arrays:
    """One mesh of several, faces and vertices in order."""
    offsets = np.cumsum([0, *(len(v) for v, _ in meshes)])
    vertices = np.concatenate([v for v, _ in meshes])
    return arrays(
        vertices, np.concatenate([f + o for (_, f), o in zip(meshes, offsets[:-1], strict=True)])
    )


def moved(mesh: Arrays, offset: object, *, scale: object = 1.0) -> Arrays:
    return arrays(mesh[0] * np.asarray(scale) + np.asarray(offset), mesh[1])


def unwelded(mesh: Arrays) -> Arrays:
    return soup(mesh[0][mesh[1]])


def box(low: object = (0, 0, 0), high: object = (1, 1, 1)) -> Arrays:
    """Closed axis-aligned box of 12 outward triangles."""
    corner = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = np.concatenate([np.array(side)[QUAD] for side in sides])
    return arrays(np.where(corner == 1, np.asarray(high), np.asarray(low)), faces)


def tetrahedron(center: object = (0, 0, 0), size: float = 1.0) -> Arrays:
    corner = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]])
    faces = [[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]]
    return arrays(np.asarray(center) + size * corner, faces)


def grid(nx: int, ny: int, *, width: float = 1.0, height: float = 1.0) -> Arrays:
    """Flat rectangle in z = 0 with alternating diagonals."""
    x, y = np.meshgrid(np.linspace(0, width, nx + 1), np.linspace(0, height, ny + 1), indexing="ij")
    index = np.arange((nx + 1) * (ny + 1)).reshape(nx + 1, ny + 1)
    quads = np.stack([index[:-1, :-1], index[1:, :-1], index[1:, 1:], index[:-1, 1:]], axis=-1)
    quads = quads.reshape(-1, 4)
    odd = (np.add.outer(np.arange(nx), np.arange(ny)) % 2 == 1).reshape(-1)
    quads[odd] = np.roll(quads[odd], 1, axis=1)
    return arrays(np.stack([x, y, np.zeros_like(x)], axis=-1), quads[:, QUAD])


def _rings(points: np.ndarray, *, close_rings: bool) -> np.ndarray:
    """Faces of a (k, n, 3) array of rings, each closed around; rings closed too when asked."""
    k, n = points.shape[:2]
    index = np.arange(k * n).reshape(k, n)
    following = np.roll(index, -1, axis=0) if close_rings else index[1:]
    first = index if close_rings else index[:-1]
    quads = np.stack(
        [first, np.roll(first, -1, axis=1), np.roll(following, -1, axis=1), following], axis=-1
    )
    return quads.reshape(-1, 4)[:, QUAD]


def torus(n: int, m: int, *, major: float = 1.0, minor: float = 0.3) -> Arrays:
    u, v = np.meshgrid(
        np.arange(n) * (2 * np.pi / n), np.arange(m) * (2 * np.pi / m), indexing="ij"
    )
    ring = major + minor * np.cos(v)
    points = np.stack([ring * np.cos(u), ring * np.sin(u), minor * np.sin(v)], axis=-1)
    return arrays(points, _rings(points, close_rings=True)[..., ::-1])


def sphere(n: int, *, radius: float = 1.0) -> Arrays:
    """Closed sphere of n rings with 2n points each, and two poles."""
    polar = np.arange(1, n + 1) * (np.pi / (n + 1))
    around = np.arange(2 * n) * (np.pi / n)
    p, a = np.meshgrid(polar, around, indexing="ij")
    points = radius * np.stack([np.sin(p) * np.cos(a), np.sin(p) * np.sin(a), np.cos(p)], axis=-1)
    count = points.shape[0] * points.shape[1]
    ring = np.arange(2 * n)
    following = np.roll(ring, -1)
    last = count - 2 * n
    top = np.stack([np.full_like(ring, count), ring, following], axis=-1)
    bottom = np.stack([np.full_like(ring, count + 1), last + following, last + ring], axis=-1)
    poles = np.array([[0, 0, radius], [0, 0, -radius]])
    sides = _rings(points, close_rings=False).reshape(-1, 3)[:, ::-1]
    return arrays(
        np.concatenate([points.reshape(-1, 3), poles]), np.concatenate([sides, top, bottom])
    )


def gear(teeth: int, *, radius: float = 1.0, depth: float = 0.2, thickness: float = 0.3) -> Arrays:
    """Closed spur gear: a toothed outline extruded along z, with fan-shaped flat sides."""
    steps = 4 * teeth
    angle = np.arange(steps) * (2 * np.pi / steps)
    r = np.where(np.arange(steps) % 4 < 2, radius + depth / 2, radius - depth / 2)
    outline = np.stack([r * np.cos(angle), r * np.sin(angle)], axis=-1)
    low = np.concatenate([outline, np.zeros((steps, 1))], axis=1)
    high = low + np.array([0, 0, thickness])
    ring = np.arange(steps)
    following = np.roll(ring, -1)
    center = np.array([[0, 0, 0], [0, 0, thickness]])
    faces = [
        np.stack([ring, following, following + steps], axis=-1),
        np.stack([ring, following + steps, ring + steps], axis=-1),
        np.stack([np.full_like(ring, 2 * steps), following, ring], axis=-1),
        np.stack([np.full_like(ring, 2 * steps + 1), ring + steps, following + steps], axis=-1),
    ]
    return arrays(np.concatenate([low, high, center]), np.concatenate(faces))


def prism(n: int, *, radius: float = 1.0, height: float = 4.0) -> Arrays:
    """A round bar of n sides along z, its corners on the circle."""
    low, high = _circle(n, radius, -height / 2), _circle(n, radius, height / 2)
    i = np.arange(n)
    j = (i + 1) % n
    hub = np.full(n, 2 * n)
    faces = [(i, j, n + j), (i, n + j, n + i), (j, i, hub), (n + i, n + j, hub + 1)]
    points = np.concatenate([low, high, [(0, 0, -height / 2), (0, 0, height / 2)]])
    return arrays(points, np.concatenate([np.stack(face, axis=1) for face in faces]))


def holed_plate(n: int, *, radius: float = 1.0, thickness: float = 1.0) -> Arrays:
    """A round plate of n sides, with a round hole of half its size."""
    heights = -thickness / 2, thickness / 2
    rings = [_circle(n, r, z) for r in (radius, 2 * radius) for z in heights]
    i = np.arange(n)
    j = (i + 1) % n
    faces = []
    # from ring to ring: the bottom, the outside, the top, the wall of the hole
    for a, b in ((0, 2), (2, 3), (3, 1), (1, 0)):
        faces += [(a * n + i, b * n + j, b * n + i), (a * n + i, a * n + j, b * n + j)]
    points = np.concatenate(rings)
    return arrays(points, np.concatenate([np.stack(face, axis=1) for face in faces]))


def _circle(n: int, radius: float, z: float) -> np.ndarray:
    angle = 2 * np.pi * np.arange(n) / n
    return np.stack([radius * np.cos(angle), radius * np.sin(angle), np.full(n, z)], axis=1)


def rotation(rng: np.random.Generator) -> np.ndarray:
    """A random (3, 3) rotation, orthogonal up to rounding."""
    q, r = np.linalg.qr(rng.normal(size=(3, 3)))
    q = q * np.sign(np.diag(r))
    if np.linalg.det(q) < 0:
        q[:, 0] = -q[:, 0]
    return q


def turn(axis: object, angle: float) -> np.ndarray:
    """The (3, 3) rotation about an axis by an angle in radians (Rodrigues)."""
    x, y, z = np.asarray(axis, dtype=float) / np.linalg.norm(axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


def pose(rng: np.random.Generator, *, spread: float = 1.0) -> np.ndarray:
    """A random rigid (4, 4) pose."""
    matrix = np.eye(4)
    matrix[:3, :3] = rotation(rng)
    matrix[:3, 3] = rng.uniform(-spread, spread, size=3)
    return matrix


def transformed(vertices: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    """World coordinates in the contract's order of operations: ((r0 x + r1 y) + r2 z) + t."""
    x, y, z = vertices[:, 0], vertices[:, 1], vertices[:, 2]
    rows = [((r[0] * x + r[1] * y) + r[2] * z) + r[3] for r in np.asarray(matrix)[:3]]
    return np.ascontiguousarray(np.stack(rows, axis=-1))


def posed(mesh: Arrays, matrix: np.ndarray) -> Arrays:
    return arrays(transformed(mesh[0], matrix), mesh[1])
