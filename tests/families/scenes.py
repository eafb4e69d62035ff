"""Many bodies, and deforming ones as sequences of frames."""

from __future__ import annotations

import numpy as np

from families.registry import SCENES, SEQUENCES, Rng, family
from families.selves import crumpled_cloth, noisy_sphere
from families.triangles import grid_triangles
from support.meshes import (
    Arrays,
    box,
    empty,
    grid,
    moved,
    pose,
    posed,
    soup,
    sphere,
    tetrahedron,
    torus,
    unwelded,
)


@family(SCENES, small=5, big=25)
def box_pile(rng: Rng, n: int) -> list[Arrays]:
    return [posed(box(), pose(rng, spread=0.9 * n ** (1 / 3))) for _ in range(n)]


@family(SCENES, small=3, big=5)
def brick_wall(_rng: Rng, n: int) -> list[Arrays]:
    return [
        box((2 * i + row % 2, 0, row), (2 * i + 2 + row % 2, 1, row + 1))
        for row in range(n)
        for i in range(n)
    ]


@family(SCENES, small=4, big=12)
def soups_of_all_sizes(rng: Rng, n: int) -> list[Arrays]:
    return [soup(grid_triangles(rng, 3 * i, cells=5)) for i in range(n)]


@family(SCENES, small=3, big=10)
def coincident_bodies(rng: Rng, n: int) -> list[Arrays]:
    mesh = posed(tetrahedron(), pose(rng))
    return [mesh] * n


@family(SCENES, small=6, big=30)
def big_body_and_crumbs(rng: Rng, n: int) -> list[Arrays]:
    direction = rng.normal(size=(n, 3))
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    crumbs = [tetrahedron(d * rng.uniform(0.9, 1.1), 0.08) for d in direction]
    return [crumbs[0], sphere(max(3, n // 4)), *crumbs[1:], empty()]


@family(SCENES, small=3, big=10)
def crumpled_layers(rng: Rng, n: int) -> list[Arrays]:
    return [moved(crumpled_cloth(rng, n), (0, 0, 0.2 * i)) for i in range(3)]


Frames = tuple[np.ndarray, list[np.ndarray]]


@family(SEQUENCES, small=5, big=24)
def folding(_rng: Rng, n: int) -> Frames:
    """A sheet that bends until it lies flat on itself, and opens again."""
    vertices, faces = grid(n, n, width=n, height=n)
    frames = []
    for angle in (0.0, 0.5, 1.2, np.pi / 2, 2.5, np.pi, 0.1):
        frame = vertices.copy()
        beyond = np.maximum(vertices[:, 0] - n // 2, 0)
        frame[:, 0] = np.minimum(vertices[:, 0], n // 2) + beyond * np.round(np.cos(angle), 12)
        frame[:, 2] = beyond * np.round(np.sin(angle), 12)
        frames.append(frame)
    return faces, frames


@family(SEQUENCES, small=5, big=24)
def crumpling(rng: Rng, n: int) -> Frames:
    vertices, faces = grid(n, n)
    noise = rng.normal(size=vertices.shape) / n
    return faces, [vertices + amount * noise for amount in (0, 0.2, 0.5, 1.0, 3.0, 0.0)]


@family(SEQUENCES, small=3, big=12)
def tearing(rng: Rng, n: int) -> Frames:
    """Unwelded triangles that come apart and meet again: equal coordinates come and go."""
    vertices, faces = unwelded(sphere(n))
    gaps = np.repeat(rng.normal(size=(len(faces), 3)), 3, axis=0)
    return faces, [vertices + amount * gaps for amount in (0, 0.2, 0, 1e-16, 0.05, 0)]


@family(SEQUENCES, small=3, big=12)
def merging(rng: Rng, n: int) -> Frames:
    """Vertices snap to a coarse lattice (many coincide), then to a finer one, then go free."""
    vertices, faces = noisy_sphere(rng, n)
    return faces, [vertices, np.round(vertices), np.round(4 * vertices) / 4, vertices]


@family(SEQUENCES, small=4, big=20)
def scrambling(rng: Rng, n: int) -> Frames:
    """Frames with nothing in common, at wildly different scales: refit must give way to rebuild."""
    vertices, faces = torus(n, n)
    shuffled = rng.permutation(vertices)
    return faces, [vertices, shuffled, vertices * 1e6, shuffled * 1e-6, vertices + 1e5]


@family(SEQUENCES, small=3, big=12)
def collapsing(rng: Rng, n: int) -> Frames:
    """A body flattened to a sheet, a line and a point, and blown up again."""
    vertices, faces = posed(sphere(n), pose(rng))
    shapes = [(1, 1, 1), (1, 1, 0), (1, 0, 0), (0, 0, 0), (1, 1, 1)]
    return faces, [vertices * np.array(s, dtype=np.float64) for s in shapes]
