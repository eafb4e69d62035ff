"""Rays made to break the float32 bounds of the tree: everything lies within its roundings."""

from __future__ import annotations

import numpy as np
import pytest

from impinge import Mesh, raycast
from support import meshes
from support.meshes import Arrays
from support.ray_checks import check, modes_agree, random_soup

# what `inner_depth` promises
DEPTH = 2.0**-38


def on_lattice(mesh: Arrays, bits: int) -> Arrays:
    """Coordinates rounded to multiples of 2^-bits: more digits than a float32 has."""
    return meshes.arrays(np.round(mesh[0] * 2.0**bits) / 2.0**bits, mesh[1])


def aimed(rng: np.random.Generator, targets: np.ndarray, steps: float) -> Arrays:
    """Rays that pass exactly through the targets, points of the lattice, some steps away."""
    turns = np.round(rng.normal(size=targets.shape) * 64) * 2.0**-6
    turns[~turns.any(axis=1)] = (0, 0, 1)
    origins = targets - steps * turns
    assert np.array_equal(origins + steps * turns, targets)
    return origins, turns


def features(mesh: Arrays) -> np.ndarray:
    """Vertices, and middles of edges, which are on the lattice of one bit more."""
    ends = mesh[0][mesh[1]]
    return np.concatenate([mesh[0], (ends[:, 0] + ends[:, 1]) / 2, (ends[:, 1] + ends[:, 2]) / 2])


@pytest.mark.parametrize("bits", [20, 26, 32, 38])
@pytest.mark.parametrize("steps", [2.0**-8, 1.0, 2.0**10])
def test_exactly_through_vertices_and_edges(bits: int, steps: float) -> None:
    rng = np.random.default_rng(bits)
    mesh = on_lattice(meshes.sphere(4), bits)
    targets = rng.choice(features(mesh), 30)
    origins, directions = aimed(rng, targets, steps)
    hits = check(mesh, origins, directions, -np.inf, tolerance=DEPTH)
    # a vertex or an edge has at least two faces that the ray does not lie in
    at_target = np.abs(hits.t - steps) <= 1e-9 * steps
    assert np.all(np.bincount(hits.ray[at_target], minlength=30) >= 2)


@pytest.mark.parametrize("offset", [0.0, 1.0, 2.0**20])
@pytest.mark.parametrize("scale", [2.0**-60, 1.0, 2.0**60])
def test_one_rounding_beside_vertices_and_edges(offset: float, scale: float) -> None:
    rng = np.random.default_rng(3)
    vertices, faces = on_lattice(meshes.torus(9, 6), 25)
    mesh = meshes.arrays((vertices + offset) * scale, faces)
    targets = rng.choice(features(mesh), 40)
    origins = (rng.uniform(-2, 2, (40, 3)) + offset) * scale
    directions = targets - origins
    # a component moved by one unit in the last place: on one side or the other of the edge
    for step in (-np.inf, np.inf):
        beside = directions.copy()
        rows = np.arange(40)
        axis = rng.integers(0, 3, 40)
        beside[rows, axis] = np.nextafter(directions[rows, axis], step)
        check(mesh, origins, beside, tolerance=DEPTH)


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_along_the_axes_within_rounding_of_box_sides(axis: int, sign: float) -> None:
    rng = np.random.default_rng(axis)
    mesh = on_lattice(random_soup(rng, 30), 45)
    corners = rng.choice(mesh[0], 12)
    directions = np.zeros((12, 3))
    directions[:, axis] = sign
    for other in range(3):
        if other == axis:
            continue
        for step in (0.0, -np.inf, np.inf):
            origins = corners.copy()
            if step:
                origins[:, other] = np.nextafter(origins[:, other], step)
            origins[:, axis] -= sign * rng.choice([0.0, 2.0, 2.0**12], 12)
            check(mesh, origins, directions, tolerance=DEPTH)
            # nearly along the axis: a slab that is passed slowly, or not at all
            for small in (-0.0, 1e-300, 1e-13, -1e-11, 1e-7):
                turned = directions.copy()
                turned[:, other] = small
                check(mesh, origins[:3], turned[:3], tolerance=DEPTH)


@pytest.mark.parametrize("width", [1e-3, 1e-6, 1e-9, 1e-14])
def test_thin_triangles(width: float) -> None:
    rng = np.random.default_rng(4)
    ends = rng.uniform(-1, 1, (40, 2, 3))
    third = ends.mean(axis=1) + width * rng.normal(size=(40, 3))
    mesh = meshes.soup(np.concatenate([ends, third[:, None]], axis=1))
    inside = mesh[0][mesh[1]].mean(axis=1)[:30]
    origins = rng.normal(size=(30, 3)) * 2
    # of such triangles t is known to a rounding over the width
    check(mesh, origins, inside - origins, tolerance=max(DEPTH, 1e-15 / width))


@pytest.mark.parametrize("distance", [1e2, 1e4, 1e6, 1e9])
def test_far_origins(distance: float) -> None:
    rng = np.random.default_rng(5)
    mesh = meshes.sphere(4)
    targets = rng.choice(features(mesh), 24) * rng.choice([1.0, 1 - 1e-9, 1 + 1e-9], (24, 1))
    away = rng.normal(size=(24, 3))
    origins = targets + distance * away / np.linalg.norm(away, axis=1, keepdims=True)
    check(mesh, origins, targets - origins, tolerance=DEPTH)


def test_large_and_small_faces_together() -> None:
    # the frame is that of the large ones, the small ones are below a float's resolution in it
    rng = np.random.default_rng(6)
    small = random_soup(rng, 20)
    for scale in (1e-3, 1e-7, 1e-12):
        mesh = meshes.merge(meshes.box((-1, -1, -1)), meshes.moved(small, 0.3, scale=scale))
        targets = rng.choice(meshes.moved(small, 0.3, scale=scale)[0], 20)
        targets += scale * rng.normal(size=targets.shape) * 0.1
        origins = rng.uniform(-2, 2, (20, 3))
        check(mesh, origins, targets - origins, tolerance=DEPTH)


@pytest.mark.parametrize("size", [1e-7, 1e-6, 1e-5])
def test_rays_just_beside_tiny_leaves(size: float) -> None:
    # the boxes are as small as the slack by which they are opened: rays enter them that pass at
    # some distance, where edge functions must not look certain
    rng = np.random.default_rng(8)
    centres = np.repeat(rng.uniform(-1, 1, (6, 1, 3)), 8, axis=0)
    small = meshes.soup(centres + size * rng.uniform(-1, 1, (48, 3, 3)))
    mesh = meshes.merge(meshes.box((-1, -1, -1)), small)
    targets = rng.choice(centres[:, 0], 40)
    targets += size * rng.normal(size=(40, 3)) * rng.choice([0.5, 2.0, 8.0], (40, 1))
    origins = rng.uniform(-2, 2, (40, 3))
    check(mesh, origins, targets - origins, tolerance=DEPTH)


def test_close_layers_keep_their_order() -> None:
    # sheets nearer to each other than floats can tell
    rng = np.random.default_rng(7)
    sheet = meshes.grid(3, 3)
    heights = rng.permutation(np.arange(12)) * 2.0**-40
    mesh = meshes.merge(*(meshes.moved(sheet, (0, 0, height)) for height in heights))
    origins = rng.uniform(0.1, 0.9, (30, 3))
    origins[:, 2] += 1
    hits = check(mesh, origins, np.tile((0.0, 0.0, -1.0), (30, 1)))
    assert len(hits) >= 12 * 30
    closest = raycast(mesh, origins, (0, 0, -1))
    assert set((closest.face // 18).tolist()) == {int(np.argmax(heights))}
    below = raycast(mesh, origins - (0, 0, 3), (0, 0, 1))
    assert set((below.face // 18).tolist()) == {int(np.argmin(heights))}


def test_equal_hits_in_many_leaves() -> None:
    rng = np.random.default_rng(8)
    mesh = meshes.merge(*[meshes.grid(4, 4)] * 8)
    origins = rng.integers(0, 9, (40, 3)) / 8 + (0, 0, 1)
    every = check(mesh, origins, np.tile((0.0, 0.0, -1.0), (40, 1)))
    assert every.counts.min() >= 8
    assert every.first_face.max() < 32


@pytest.mark.parametrize("offset", [0.0, 1e-9, -1e-9, 1e-16])
def test_origins_on_the_surface(offset: float) -> None:
    rng = np.random.default_rng(9)
    mesh = on_lattice(meshes.sphere(5), 30)
    starts = rng.choice(features(mesh), 30)
    starts = starts * (1 + offset)
    check(mesh, starts, rng.normal(size=(30, 3)), tolerance=DEPTH)
    check(mesh, starts, -starts, tolerance=DEPTH)


@pytest.mark.parametrize("scale", [1e-30, 1.0, 1e30])
@pytest.mark.parametrize("offset", [0.0, 1.0, 1e5])
def test_closed_meshes_are_watertight(scale: float, offset: float) -> None:
    rng = np.random.default_rng(10)
    vertices, faces = meshes.sphere(24)
    mesh = Mesh((vertices + offset) * scale, faces)
    ends = mesh.vertices[mesh.faces]
    share = rng.uniform(0, 1, (len(ends), 1))
    targets = np.concatenate([mesh.vertices, ends[:, 0] + share * (ends[:, 1] - ends[:, 0])])
    inside = (rng.uniform(-0.4, 0.4, targets.shape) + offset) * scale
    assert raycast(mesh, inside, targets - inside).hit.all()
    assert raycast(mesh, inside, inside - targets).hit.all()
    directions = rng.normal(size=inside.shape)
    every = raycast(mesh, inside, directions, mode="all")
    assert np.all(every.counts % 2 == 1)
    outside = inside + 5 * scale
    assert np.all(raycast(mesh, outside, directions, mode="all").counts % 2 == 0)


def test_rays_do_not_depend_on_their_company() -> None:
    rng = np.random.default_rng(11)
    mesh = Mesh(*on_lattice(meshes.torus(40, 25), 30))
    origins = np.concatenate([rng.normal(size=(400, 3)), np.zeros((50, 3)), mesh.vertices[:150]])
    directions = rng.normal(size=(600, 3))
    directions[:200] = np.round(directions[:200])
    directions[~directions.any(axis=1)] = (0, -1, 0)
    shuffled = rng.permutation(600)
    for mode in ("closest", "all"):
        hits = raycast(mesh, origins, directions, mode=mode)
        other = raycast(mesh, origins[shuffled], directions[shuffled], mode=mode)
        rows = np.lexsort((other.face, other.t, shuffled[other.ray]))
        np.testing.assert_array_equal(hits.ray, shuffled[other.ray][rows])
        np.testing.assert_array_equal(hits.face, other.face[rows])
        np.testing.assert_array_equal(hits.t, other.t[rows])
    singles = [raycast(mesh, origins[i], directions[i]) for i in range(0, 600, 7)]
    closest = raycast(mesh, origins, directions)
    np.testing.assert_array_equal([s.first_t[0] for s in singles], closest.first_t[::7])
    np.testing.assert_array_equal([s.first_face[0] for s in singles], closest.first_face[::7])


def test_dense_meshes_in_all_modes() -> None:
    rng = np.random.default_rng(12)
    mesh = Mesh(*random_soup(rng, 3000, size=0.2))
    origins, directions = rng.normal(size=(2, 500, 3))
    answers = [raycast(mesh, origins, directions, mode=m) for m in ("all", "closest", "any")]
    modes_agree(*answers)
    assert answers[0].counts.max() > 20


@pytest.mark.parametrize("sign", [-1.0, 1.0])
@pytest.mark.parametrize("long", [1e3, 1e100])
def test_what_is_behind_by_less_than_any_number_is_behind(sign: float, long: float) -> None:
    """Through a corner, an edge and the inside of a face that is a denormal number away."""
    tiny = 5e-324
    face = [(-sign * tiny, -1, -1), (-sign * tiny, 1, -1), (-sign * tiny, 0, 1)]
    mesh = Mesh(face, [(0, 1, 2)])
    for origin in ((0, 0, 1), (0, 0, -1), (0, 0, 0)):
        for along, expected in ((sign * long, 0), (-sign * long, 1)):
            hits = raycast(mesh, [origin], [(along, 0, 0)], mode="all")
            assert len(hits.t) == expected
            assert (hits.t > 0).all()
    at_corner = raycast(mesh, [(-sign * tiny, 0, 1)], [(-sign * long, 0, 0)], mode="all")
    assert at_corner.t.tolist() == [0.0]
    assert not np.signbit(at_corner.t).any()
