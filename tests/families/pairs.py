"""Two meshes against each other."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from families.registry import PAIRS, Rng, family
from families.triangles import float_triangles, grid_triangles, nudged
from support.meshes import (
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
)


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
    family(PAIRS, small=30, big=70 if _label == "denormal" else 200)(_make)


@family(PAIRS, small=25, big=90)
def denormal_mixture(rng: Rng, n: int) -> tuple[Arrays, Arrays]:
    def mixture() -> Arrays:
        triangles = grid_triangles(rng, n, cells=3)
        tiny = rng.integers(-3, 4, triangles.shape) * 5e-324
        return soup(np.where(rng.random(triangles.shape) < 0.4, tiny, triangles))

    return mixture(), mixture()


@family(PAIRS, small=40, big=300)
def single_precision_limits(rng: Rng, n: int) -> tuple[Arrays, Arrays]:
    """Coordinates around the largest, the smallest and neighbouring float32 numbers."""
    limits = np.array([np.finfo(np.float32).max, np.finfo(np.float32).tiny, 1e-45, 0.1, 1 / 3])
    limit = rng.choice([*limits, np.nextafter(np.float32(1), np.float32(2))])
    nearby = limit * np.array([-1.5, -1, -(1 - 2.0**-40), 0, 0.5, 1 - 2.0**-30, 1, 1 + 2.0**-30])
    return tuple(soup(rng.choice(nearby, (n, 3, 3))) for _ in range(2))


@family(PAIRS, small=30, big=150)
def same_triangle_again(rng: Rng, n: int) -> tuple[Arrays, Arrays]:
    """Nothing to split by: many copies of one triangle, against few of them and some others."""
    one = float_triangles(rng, 1, extent=0.5)
    others = float_triangles(rng, n, extent=0.5)
    return soup(np.repeat(one, n, axis=0)), soup(np.concatenate([others, one, one]))


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


@family(PAIRS, small=4, big=16)
def stray_vertices(rng: Rng, n: int) -> tuple[Arrays, Arrays]:
    """Vertices no face uses: far away, and first in line at the places of used ones."""

    def with_strays(mesh: Arrays) -> Arrays:
        vertices, faces = mesh
        strays = np.concatenate([vertices[rng.permutation(len(vertices))[:n]], [[1e90, 0, -1e90]]])
        return arrays(np.concatenate([strays, vertices]), faces + len(strays))

    return with_strays(sphere(n)), with_strays(moved(sphere(n), rng.uniform(-1, 1, 3)))
