"""One mesh against itself."""

from __future__ import annotations

import numpy as np

from families.pairs import degenerate
from families.registry import SELVES, Rng, family
from families.triangles import float_triangles, grid_triangles, nudged
from support.meshes import (
    Arrays,
    arrays,
    box,
    empty,
    grid,
    merge,
    pose,
    posed,
    soup,
    sphere,
    unwelded,
)


@family(SELVES, small=40, big=1500)
def self_soup(rng: Rng, n: int) -> Arrays:
    return soup(float_triangles(rng, n, extent=0.35 if n < 100 else 0.08))


@family(SELVES, small=50, big=400)
def self_soup_grid(rng: Rng, n: int) -> Arrays:
    return soup(grid_triangles(rng, n, cells=4 if n < 100 else 8))


@family(SELVES, small=60, big=400)
def shared_vertices(rng: Rng, n: int) -> Arrays:
    """Random faces over few vertices: every number of shared vertices, folds and fans."""
    vertices = rng.integers(0, 4, (max(10, n // 6), 3)).astype(np.float64)
    return arrays(vertices, rng.integers(0, len(vertices), (n, 3)))


@family(SELVES, small=60, big=300)
def shared_vertices_float(rng: Rng, n: int) -> Arrays:
    vertices = rng.uniform(0, 1, (max(10, n // 8), 3))
    return arrays(vertices, rng.integers(0, len(vertices), (n, 3)))


@family(SELVES, small=50, big=300)
def shared_vertices_flat(rng: Rng, n: int) -> Arrays:
    vertices = rng.integers(0, 5, (max(10, n // 6), 3)).astype(np.float64)
    vertices[:, 2] = 0
    return arrays(vertices, rng.integers(0, len(vertices), (n, 3)))


@family(SELVES, small=50, big=300)
def shared_points_unwelded(rng: Rng, n: int) -> Arrays:
    """Some shared points are one vertex, others are several with equal coordinates, one -0.0."""
    vertices, faces = shared_vertices(rng, n)
    copies = np.concatenate([vertices, np.where(vertices == 0, -0.0, vertices)])
    return arrays(copies, faces + len(vertices) * rng.integers(0, 2, faces.shape))


@family(SELVES, small=5, big=30)
def noisy_sphere(rng: Rng, n: int) -> Arrays:
    vertices, faces = sphere(n)
    return arrays(vertices + rng.normal(size=vertices.shape) * (1.5 / n), faces)


@family(SELVES, small=6, big=40)
def crumpled_cloth(rng: Rng, n: int) -> Arrays:
    vertices, faces = grid(n, n)
    return arrays(vertices + rng.normal(size=vertices.shape) * (0.8 / n), faces)


@family(SELVES, small=6, big=24)
def crumpled_on_a_lattice(rng: Rng, n: int) -> Arrays:
    vertices, faces = grid(n, n, width=n, height=n)
    return arrays(vertices + rng.integers(-1, 2, vertices.shape), faces)


@family(SELVES, small=6, big=30)
def folded_sheet(rng: Rng, n: int) -> Arrays:
    """A sheet folded flat onto itself: coplanar folds between neighbours."""
    vertices, faces = grid(n, n, width=n, height=n)
    crease = int(rng.integers(1, n))
    beyond = vertices[:, 0] - crease
    vertices[:, 0] = np.where(beyond > 0, beyond * rng.choice([1.0, 0.75, 0.75, 0.5]), -beyond)
    return arrays(vertices, faces)


@family(SELVES, small=7, big=60)
def folded_fan(rng: Rng, n: int) -> Arrays:
    """A fan around one vertex that turns more than once, partly in one plane."""
    angle = np.cumsum(rng.uniform(-1.5, 2.0, n + 1))
    rim = np.stack([np.cos(angle), np.sin(angle), np.zeros(n + 1)], axis=-1)
    rim[rng.random(n + 1) < 0.3, 2] = 0.5
    index = np.arange(1, n + 1)
    faces = np.stack([np.zeros(n), index, index + 1], axis=-1)
    return arrays(np.concatenate([np.zeros((1, 3)), rim]), faces)


@family(SELVES, small=4, big=20)
def flat_grid(_rng: Rng, n: int) -> Arrays:
    return grid(n, n)


@family(SELVES, small=4, big=20)
def tilted_grid(rng: Rng, n: int) -> Arrays:
    return posed(grid(n, n), pose(rng))


@family(SELVES, small=3, big=20)
def stl_sphere(rng: Rng, n: int) -> Arrays:
    return unwelded(posed(sphere(n), pose(rng)))


@family(SELVES, small=3, big=25)
def merged_boxes(rng: Rng, n: int) -> Arrays:
    low = rng.integers(0, n, (n, 3))
    size = rng.integers(1, 4, (n, 3))
    parts = [box(a, a + s) for a, s in zip(low, size, strict=True)]
    return merge(*parts)


@family(SELVES, small=4, big=15)
def merged_boxes_unwelded(rng: Rng, n: int) -> Arrays:
    return unwelded(merged_boxes(rng, n))


@family(SELVES, small=12, big=100)
def self_duplicates(rng: Rng, n: int) -> Arrays:
    vertices, faces = soup(grid_triangles(rng, n, cells=4))
    by_index = rng.permuted(faces, axis=1)
    by_value = rng.permuted(faces, axis=1) + len(vertices)
    return arrays(np.concatenate([vertices, vertices]), np.concatenate([faces, by_index, by_value]))


@family(SELVES, small=50, big=300)
def self_degenerate(rng: Rng, n: int) -> Arrays:
    return degenerate(rng, n)[0]


@family(SELVES, small=40, big=300)
def self_nudged(rng: Rng, n: int) -> Arrays:
    vertices = nudged(rng, grid_triangles(rng, max(4, n // 8), cells=3).reshape(-1, 3) + 1)
    return arrays(vertices, rng.integers(0, len(vertices), (n, 3)))


@family(SELVES, small=40, big=300)
def self_collinear(rng: Rng, n: int) -> Arrays:
    """All vertices on one line: every triangle is a segment or a point."""
    vertices = np.multiply.outer(rng.integers(0, 12, max(8, n // 4)), [1.0, -2.0, 3.0])
    return arrays(vertices, rng.integers(0, len(vertices), (n, 3)))


@family(SELVES, small=30, big=300)
def self_needles(rng: Rng, n: int) -> Arrays:
    """A fan of slivers with 1:1e6 aspect around a common axis."""
    angle = np.sort(rng.uniform(0, 2 * np.pi, n))
    rim = np.stack([np.cos(angle), np.sin(angle), rng.uniform(-1e-6, 1e-6, n)], axis=-1)
    tip = rng.normal(size=(n, 3)) * 1e-6 - 0.1 * rim
    index = np.arange(n)
    faces = np.stack([index, np.roll(index, -1), n + index], axis=-1)
    return arrays(np.concatenate([rim, tip]), faces)


@family(SELVES, small=30, big=90)
def self_denormal(rng: Rng, n: int) -> Arrays:
    vertices, faces = shared_vertices(rng, n)
    return arrays(vertices * 5e-324, faces)


@family(SELVES, small=30, big=200)
def self_far(rng: Rng, n: int) -> Arrays:
    vertices, faces = shared_vertices_float(rng, n)
    return arrays(1e9 + 1e-3 * vertices, faces)


@family(SELVES, small=12, big=80)
def same_triangle_many_times(rng: Rng, n: int) -> Arrays:
    one = float_triangles(rng, 1, extent=0.5)
    return soup(np.concatenate([np.repeat(one, n, axis=0), float_triangles(rng, n, extent=0.5)]))


@family(SELVES, small=0, big=0)
def self_empty(_rng: Rng, _n: int) -> Arrays:
    return empty()


@family(SELVES, small=1, big=1)
def self_single(rng: Rng, n: int) -> Arrays:
    return soup(float_triangles(rng, n))


@family(SELVES, small=5, big=24)
def self_stray_vertices(rng: Rng, n: int) -> Arrays:
    """A crumpled sheet; unused vertices lie on used ones, and one lies far away."""
    vertices, faces = grid(n, n)
    vertices = vertices + rng.normal(size=vertices.shape) / n
    strays = np.concatenate([vertices[rng.permutation(len(vertices))[:n]], [[0, 1e90, 0]]])
    return arrays(np.concatenate([strays, vertices]), faces + len(strays))
