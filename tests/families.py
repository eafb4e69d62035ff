"""Scene families of the conformance suite, by name: `PAIRS`, `SELVES`, `SCENES` and `SEQUENCES`.

A family is a generator (rng, size) -> meshes, with one size small enough for the rational oracle
and one that makes trees worth their name. `cases` names every (family, seed) for parametrisation.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from meshes import (
    Arrays,
    arrays,
    box,
    empty,
    gear,
    grid,
    merge,
    moved,
    pose,
    posed,
    rotation,
    soup,
    sphere,
    tetrahedron,
    torus,
    unwelded,
)

Rng = np.random.Generator


@dataclass(frozen=True)
class Family:
    """A named generator with the sizes at which it is run."""

    name: str
    make: Callable[[Rng, int], Any]
    small: int
    big: int

    def build(self, size: str, seed: int) -> Any:
        """The meshes of one case; the same for the same name, size and seed."""
        rng = np.random.default_rng([zlib.crc32(self.name.encode()), seed])
        return self.make(rng, self.small if size == "small" else self.big)


PAIRS: dict[str, Family] = {}
SELVES: dict[str, Family] = {}
SCENES: dict[str, Family] = {}
SEQUENCES: dict[str, Family] = {}


def family(registry: dict[str, Family], *, small: int, big: int) -> Callable[..., Any]:
    """Register a generator under its function name."""

    def register(make: Callable[[Rng, int], Any]) -> Callable[[Rng, int], Any]:
        name = make.__name__.strip("_")
        registry[name] = Family(name, make, small, big)
        return make

    return register


def cases(registry: dict[str, Family], seeds: int) -> list[tuple[str, int]]:
    """All (family name, seed) of a registry."""
    return [(name, seed) for name in registry for seed in range(seeds)]


def float_triangles(rng: Rng, n: int, *, extent: float = 0.35) -> np.ndarray:
    """(n, 3, 3) random triangles in the unit cube."""
    return rng.uniform(0, 1, (n, 1, 3)) + rng.uniform(-extent, extent, (n, 3, 3))


def grid_triangles(rng: Rng, n: int, *, cells: int = 4) -> np.ndarray:
    """(n, 3, 3) triangles on a small integer grid: many touch, are coplanar or degenerate."""
    return rng.integers(0, cells, (n, 3, 3)).astype(np.float64)


def nudged(rng: Rng, triangles: np.ndarray, ulp: float = 2.0**-50) -> np.ndarray:
    """Coordinates moved by -1, 0 or 1 last places: filters fail, signs are tiny."""
    return triangles + rng.integers(-1, 2, triangles.shape) * ulp


@family(PAIRS, small=40, big=1500)
def soup_float(rng: Rng, n: int) -> tuple[Arrays, Arrays]:
    extent = 0.35 if n < 100 else 0.08
    return tuple(soup(float_triangles(rng, n, extent=extent)) for _ in range(2))


@family(PAIRS, small=45, big=500)
def soup_grid(rng: Rng, n: int) -> tuple[Arrays, Arrays]:
    cells = 4 if n < 100 else 9
    return tuple(soup(grid_triangles(rng, n, cells=cells)) for _ in range(2))


@family(PAIRS, small=40, big=300)
def soup_layers(rng: Rng, n: int) -> tuple[Arrays, Arrays]:
    def layers() -> Arrays:
        triangles = grid_triangles(rng, n, cells=6)
        triangles[:, :, 2] = rng.integers(0, 2, (n, 1))
        return soup(triangles)

    return layers(), layers()


@family(PAIRS, small=45, big=500)
def soup_nudged(rng: Rng, n: int) -> tuple[Arrays, Arrays]:
    return tuple(soup(nudged(rng, grid_triangles(rng, n) + 1)) for _ in range(2))


@family(PAIRS, small=4, big=24)
def spheres(rng: Rng, n: int) -> tuple[Arrays, Arrays]:
    return sphere(n), posed(sphere(n), pose(rng, spread=0.6))


@family(PAIRS, small=8, big=48)
def linked_tori(rng: Rng, n: int) -> tuple[Arrays, Arrays]:
    matrix = pose(rng, spread=0.3)
    matrix[0, 3] += 1
    return torus(n, n // 2 + 1), posed(torus(n, n // 2 + 1), matrix)


@family(PAIRS, small=6, big=40)
def meshing_gears(rng: Rng, n: int) -> tuple[Arrays, Arrays]:
    turned = pose(rng, spread=0.02)
    angle = rng.uniform(0, 2 * np.pi)
    turned[:3, :3] = [
        [np.cos(angle), -np.sin(angle), 0],
        [np.sin(angle), np.cos(angle), 0],
        [0, 0, 1],
    ]
    turned[0, 3] += 2
    turned[2, 3] = 0
    return gear(n), posed(gear(n), turned)


@family(PAIRS, small=1, big=40)
def boxes_posed(rng: Rng, n: int) -> tuple[Arrays, Arrays]:
    def pile() -> Arrays:
        return merge(*(posed(box(), pose(rng, spread=0.4 * n)) for _ in range(n)))

    return pile(), pile()


@family(PAIRS, small=1, big=4)
def boxes_face_to_face(rng: Rng, n: int) -> tuple[Arrays, Arrays]:
    shift = rng.integers(-1, 2, 2)
    left = merge(*(box((0, 2 * i, 0), (2, 2 * i + 2, 2)) for i in range(n)))
    right = merge(
        *(
            box((2, 2 * i + shift[0], shift[1]), (4, 2 * i + 2 + shift[0], 2 + shift[1]))
            for i in range(n)
        )
    )
    return left, right


@family(PAIRS, small=1, big=5)
def boxes_sharing_an_edge(rng: Rng, n: int) -> tuple[Arrays, Arrays]:
    slide = int(rng.integers(-1, 2))
    low = merge(*(box((0, 0, 3 * i), (2, 2, 3 * i + 3)) for i in range(n)))
    high = merge(*(box((2, 2, 3 * i + slide), (5, 4, 3 * i + 3 + slide)) for i in range(n)))
    return low, high


@family(PAIRS, small=2, big=6)
def boxes_sharing_a_corner(rng: Rng, n: int) -> tuple[Arrays, Arrays]:
    scale = float(rng.choice([1.0, 3.0, 0.1, 1e-7]))
    cells = 2 * np.array(list(np.ndindex(n, n, n)))
    even = merge(*(box(cell, cell + 1) for cell in cells))
    odd = moved(even, (1, 1, 1))
    return moved(even, 0, scale=scale), moved(odd, 0, scale=scale)


@family(PAIRS, small=2, big=12)
def bricks(rng: Rng, n: int) -> tuple[Arrays, Arrays]:
    offset = float(rng.choice([0.5, 0.25, 1.0]))
    lower = merge(*(box((2 * i, 0, 0), (2 * i + 2, 1, 1)) for i in range(n)))
    upper = merge(*(box((2 * i + offset, 0, 1), (2 * i + 2 + offset, 1, 2)) for i in range(n)))
    return lower, upper


@family(PAIRS, small=4, big=24)
def flat_grids(rng: Rng, n: int) -> tuple[Arrays, Arrays]:
    other = grid(n + 1, n - 1, width=1.0, height=float(rng.choice([1.0, 0.75, 0.75, 0.5])))
    return grid(n, n), moved(other, (float(rng.choice([0, 0.25, 0.125])), 0, 0))


@family(PAIRS, small=4, big=16)
def tilted_flat_grids(rng: Rng, n: int) -> tuple[Arrays, Arrays]:
    turned = np.eye(4)
    turned[:3, :3] = rotation(rng)
    return posed(grid(n, n), turned), posed(moved(grid(n + 1, n), (0.1, 0.05, 0)), turned)


@family(PAIRS, small=40, big=300)
def degenerate(rng: Rng, n: int) -> tuple[Arrays, Arrays]:
    def broken() -> Arrays:
        triangles = grid_triangles(rng, n, cells=3)
        shape = rng.integers(0, 5, n)
        triangles[shape == 0] = triangles[shape == 0][:, :1]
        triangles[shape == 1, 2] = triangles[shape == 1, 0]
        mid = shape == 2
        triangles[mid, 2] = 0.5 * (triangles[mid, 0] + triangles[mid, 1])
        out = shape == 3
        triangles[out, 2] = 2 * triangles[out, 1] - triangles[out, 0]
        vertices, faces = soup(triangles)
        faces[rng.integers(0, n, n // 8), 1] = faces[rng.integers(0, n, n // 8), 0]
        return vertices, faces

    return broken(), broken()


@family(PAIRS, small=50, big=600)
def needles(rng: Rng, n: int) -> tuple[Arrays, Arrays]:
    def sliver(count: int) -> np.ndarray:
        base = rng.uniform(0, 1, (count, 1, 3))
        along = rng.normal(size=(count, 1, 3))
        t = rng.uniform(-1, 1, (count, 3, 1))
        return base + along * t + rng.normal(size=(count, 3, 3)) * 1e-6

    def mixed() -> Arrays:
        return soup(np.concatenate([sliver(n // 2), float_triangles(rng, n - n // 2)]))

    return mixed(), mixed()


@family(PAIRS, small=40, big=400)
def mixed_scales(rng: Rng, n: int) -> tuple[Arrays, Arrays]:
    def scaled() -> Arrays:
        size = 10.0 ** rng.uniform(-12, 12, (n, 1, 1))
        return soup(rng.uniform(-1, 1, (n, 3, 3)) * size)

    return scaled(), scaled()


@family(PAIRS, small=30, big=300)
def mixed_axes(rng: Rng, n: int) -> tuple[Arrays, Arrays]:
    size = 10.0 ** np.array([-12, 0, 12])
    rng.shuffle(size)
    return tuple(soup(float_triangles(rng, n) * size) for _ in range(2))


def _uniform_scale(factor: float) -> Callable[[Rng, int], tuple[Arrays, Arrays]]:
    def make(rng: Rng, n: int) -> tuple[Arrays, Arrays]:
        def half() -> Arrays:
            both = [grid_triangles(rng, n // 2, cells=6), float_triangles(rng, n // 2, extent=2)]
            return soup(np.concatenate(both) * factor)

        return half(), half()

    return make


SCALES = {"1e-12": 1e-12, "1e12": 1e12, "1e-100": 1e-100, "1e98": 1e98, "denormal": 5e-324}
for _label, _factor in SCALES.items():
    _make = _uniform_scale(_factor)
    _make.__name__ = f"scale_{_label}"
    family(PAIRS, small=30, big=200)(_make)


@family(PAIRS, small=40, big=400)
def denormal_mixture(rng: Rng, n: int) -> tuple[Arrays, Arrays]:
    def mixture() -> Arrays:
        triangles = grid_triangles(rng, n, cells=3)
        tiny = rng.integers(-3, 4, triangles.shape) * 5e-324
        return soup(np.where(rng.random(triangles.shape) < 0.4, tiny, triangles))

    return mixture(), mixture()


@family(PAIRS, small=40, big=500)
def far_from_origin(rng: Rng, n: int) -> tuple[Arrays, Arrays]:
    return tuple(soup(1e9 + 1e-3 * float_triangles(rng, n)) for _ in range(2))


@family(PAIRS, small=3, big=20)
def identical(rng: Rng, n: int) -> tuple[Arrays, Arrays]:
    mesh = posed(sphere(n), pose(rng))
    return mesh, mesh


@family(PAIRS, small=16, big=100)
def duplicated_faces(rng: Rng, n: int) -> tuple[Arrays, Arrays]:
    def twice() -> Arrays:
        vertices, faces = soup(grid_triangles(rng, n, cells=4))
        again = rng.permuted(faces, axis=1)
        return arrays(vertices, np.concatenate([faces, again]))

    return twice(), twice()


@family(PAIRS, small=0, big=0)
def both_empty(_rng: Rng, _n: int) -> tuple[Arrays, Arrays]:
    return empty(), empty()


@family(PAIRS, small=3, big=10)
def one_empty(rng: Rng, n: int) -> tuple[Arrays, Arrays]:
    pair = (sphere(n), arrays(rng.uniform(size=(4, 3)), np.zeros((0, 3))))
    return pair if rng.random() < 0.5 else pair[::-1]


@family(PAIRS, small=1, big=1)
def single_triangles(rng: Rng, n: int) -> tuple[Arrays, Arrays]:
    return soup(grid_triangles(rng, n, cells=3)), soup(grid_triangles(rng, n, cells=3))


@family(PAIRS, small=60, big=3000)
def single_against_many(rng: Rng, n: int) -> tuple[Arrays, Arrays]:
    return soup(float_triangles(rng, 1, extent=1.0)), soup(float_triangles(rng, n, extent=0.1))


@family(PAIRS, small=4, big=30)
def long_boxes(rng: Rng, n: int) -> tuple[Arrays, Arrays]:
    def bundle(axis: int) -> Arrays:
        low = rng.uniform(-5, 5, (n, 3))
        high = low + 0.7
        low[:, axis], high[:, axis] = -1e6, 1e6
        return merge(*(box(a, b) for a, b in zip(low, high, strict=True)))

    return bundle(0), bundle(1)


@family(PAIRS, small=12, big=300)
def big_and_many_small(rng: Rng, n: int) -> tuple[Arrays, Arrays]:
    direction = rng.normal(size=(n, 3))
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    small = [tetrahedron(d * rng.uniform(0.95, 1.02), 0.03) for d in direction]
    return sphere(max(4, n // 15)), merge(*small)


@family(PAIRS, small=4, big=20)
def nested(rng: Rng, n: int) -> tuple[Arrays, Arrays]:
    inner = moved(sphere(n), 0, scale=float(rng.choice([0.5, 0.999, 1.0])))
    return sphere(n), arrays(np.concatenate([inner[0], [[0, 0, 9.0]]]), inner[1])


@family(PAIRS, small=50, big=500)
def vertices_on_faces(rng: Rng, n: int) -> tuple[Arrays, Arrays]:
    """One vertex of each triangle of b is a rounded point of a triangle, edge or corner of a."""
    a, b = float_triangles(rng, n), float_triangles(rng, n)
    weights = rng.dirichlet(np.ones(3), n)
    edge = rng.random(n) < 0.4
    weights[edge, 0] = 0
    weights[edge, 2] = 1 - weights[edge, 1]
    weights[rng.random(n) < 0.2] = (0, 0, 1)
    b[:, 0] = np.einsum("nk,nkd->nd", weights, a)
    return soup(a), soup(b)


@family(PAIRS, small=50, big=500)
def hinged(rng: Rng, n: int) -> tuple[Arrays, Arrays]:
    """Triangles of b share an edge with one of a, opened by nothing or next to nothing."""
    a = float_triangles(rng, n)
    b = a.copy()
    along = rng.uniform(-0.5, 1.5, (n, 1))
    b[:, 2] = (
        b[:, 0] + along * (b[:, 1] - b[:, 0]) + rng.choice([1, -1], (n, 1)) * (b[:, 2] - b[:, 0])
    )
    b[:, 2] += rng.choice([0, 1e-16, 1e-12, 1e-3], (n, 1)) * rng.normal(size=(n, 3))
    return soup(a), soup(b)


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


@family(SELVES, small=30, big=200)
def self_denormal(rng: Rng, n: int) -> Arrays:
    vertices, faces = shared_vertices(rng, n)
    return arrays(vertices * 5e-324, faces)


@family(SELVES, small=30, big=200)
def self_far(rng: Rng, n: int) -> Arrays:
    vertices, faces = shared_vertices_float(rng, n)
    return arrays(1e9 + 1e-3 * vertices, faces)


@family(SELVES, small=0, big=0)
def self_empty(_rng: Rng, _n: int) -> Arrays:
    return empty()


@family(SELVES, small=1, big=1)
def self_single(rng: Rng, n: int) -> Arrays:
    return soup(float_triangles(rng, n))


@family(SCENES, small=5, big=40)
def box_pile(rng: Rng, n: int) -> list[Arrays]:
    return [posed(box(), pose(rng, spread=0.9 * n ** (1 / 3))) for _ in range(n)]


@family(SCENES, small=3, big=6)
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


@family(SCENES, small=6, big=60)
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


@family(SEQUENCES, small=4, big=30)
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
