"""Rays against fractions, through edges and vertices, far away, tiny and huge."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import impinge
from impinge import InputError, Mesh, raycast
from impinge.errors import Cancelled
from shared_data.readers import read
from support import meshes
from support.meshes import Arrays
from support.ray_checks import check, modes_agree, random_soup
from support.ray_truth import truth


@pytest.mark.parametrize("count", [1, 7, 8, 9, 64, 65, 150])
def test_soups_against_fractions(count: int) -> None:
    rng = np.random.default_rng(count)
    hits = check(random_soup(rng, count), rng.normal(size=(20, 3)), rng.normal(size=(20, 3)))
    assert count < 60 or len(hits) > 5


@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1))
def test_small_grids_against_fractions(seed: int) -> None:
    # whole numbers: edges, vertices, planes and zero areas are met all the time
    rng = np.random.default_rng(seed)
    mesh = meshes.soup(rng.integers(-2, 3, (30, 3, 3)).astype(float))
    directions = rng.integers(-2, 3, (12, 3)).astype(float)
    directions[~directions.any(axis=1)] = (0, 0, 1)
    origins = rng.integers(-3, 4, (12, 3)).astype(float)
    check(mesh, origins, directions)
    check(mesh, origins, directions, t_min=-np.inf)


@pytest.mark.parametrize("power", [-900, -330, -200, -40, 40, 200, 320])
def test_scales_against_fractions(power: int) -> None:
    rng = np.random.default_rng(5)
    scale = 2.0**power
    vertices, faces = random_soup(rng, 40)
    origins = rng.normal(size=(8, 3)) * scale
    check((vertices * scale, faces), origins, rng.normal(size=(8, 3)) * scale)
    if power < 300:
        check((vertices * scale, faces), origins, rng.normal(size=(8, 3)))


@pytest.mark.parametrize("size", [1e-320, 1e-200, 1e-30, 1e30, 1e99])
def test_the_length_of_the_direction_only_scales_t(size: float) -> None:
    rng = np.random.default_rng(8)
    mesh = random_soup(rng, 60)
    origins = rng.normal(size=(30, 3))
    axes = np.eye(3)[rng.integers(0, 3, 30)]
    one = raycast(mesh, origins, axes, mode="all")
    other = raycast(mesh, origins, axes * size, mode="all")
    np.testing.assert_array_equal(one.face, other.face)
    if size > 1e-300:
        np.testing.assert_allclose(other.t * size, one.t, rtol=1e-12)


@pytest.mark.parametrize("distance", [3.0, 1e3, 1e8, 1e12, 1e15, 1e40])
def test_far_origins_against_fractions(distance: float) -> None:
    rng = np.random.default_rng(6)
    mesh = random_soup(rng, 40, size=0.6)
    targets = rng.uniform(-1, 1, (10, 3))
    origins = targets + distance * rng.normal(size=(10, 3))
    check(mesh, origins, targets - origins)


@pytest.mark.parametrize("offset", [1e3, 1e8, 1e14])
def test_far_meshes_against_fractions(offset: float) -> None:
    rng = np.random.default_rng(7)
    vertices, faces = random_soup(rng, 40)
    origins = rng.normal(size=(10, 3)) + offset
    check((vertices + offset, faces), origins, rng.normal(size=(10, 3)))


CLOSED = {
    "ball": meshes.sphere(5),
    "box": meshes.box(),
    "ring": meshes.torus(14, 9),
    "gear": meshes.gear(7),
}


INSIDE = {"ball": (0.03, 0.02, 0.01), "box": (0.3, 0.4, 0.5), "ring": (1.01, 0.02, 0.03)}


def edges(mesh: Arrays) -> np.ndarray:
    return mesh[0][mesh[1][:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2)]


@pytest.mark.parametrize("name", INSIDE)
@pytest.mark.parametrize("offset", [0.0, 1000.0])
def test_no_ray_slips_out_through_an_edge_or_vertex(name: str, offset: float) -> None:
    mesh = meshes.moved(CLOSED[name], (offset, offset, offset))
    rng = np.random.default_rng(9)
    origin = np.array(INSIDE[name]) + offset
    ends = edges(mesh)
    on_edges = [ends[:, 0] + s * (ends[:, 1] - ends[:, 0]) for s in (0.0, 0.5, 0.25, 0.1, 1 / 3)]
    targets = np.concatenate([*on_edges, mesh[0]])
    hits = raycast(mesh, origin, targets - origin)
    assert hits.hit.all()
    # on the inner side of the ring a ray may pass its target by a rounding and go on inside
    assert name == "ring" or hits.t.max() <= 1 + 1e-9
    # from anywhere inside the ball, too
    if name == "ball":
        starts = rng.uniform(-0.4, 0.4, targets.shape) + offset
        assert raycast(mesh, starts, targets - starts).hit.all()


@pytest.mark.parametrize("offset", [0.0, 0.25])
def test_edges_of_a_grid_are_hit_exactly(offset: float) -> None:
    # rays straight down on vertices, edges and faces of a plane: all coordinates are dyadic
    mesh = meshes.grid(4, 4)
    at = np.stack(np.meshgrid(*[np.arange(0, 1.0001, 1 / 8)] * 2), axis=-1).reshape(-1, 2)
    origins = np.column_stack([at, np.full(len(at), 1 + offset)])
    hits = raycast(mesh, origins, (0, 0, -2), mode="all")
    assert hits.hit.all()
    assert set(hits.t.tolist()) == {(1 + offset) / 2}
    np.testing.assert_array_equal(
        hits.counts, check(mesh, origins, np.tile((0, 0, -2.0), (len(at), 1))).counts
    )
    inner = np.all((at > 0) & (at < 1) & (at * 4 == np.round(at * 4)), axis=1)
    assert set(hits.counts[inner].tolist()) == {4, 8}


@pytest.mark.parametrize("name", CLOSED)
def test_parity_tells_inside_from_outside(name: str) -> None:
    rng = np.random.default_rng(10)
    mesh = Mesh(*CLOSED[name])
    directions = rng.normal(size=(200, 3))
    low, high = mesh.bounds
    points = rng.uniform(low - 0.2, high + 0.2, (200, 3))
    one = raycast(mesh, points, directions, mode="all").counts % 2
    other = raycast(mesh, points, -directions, mode="all").counts % 2
    np.testing.assert_array_equal(one, other)
    outside = np.any((points < low) | (points > high), axis=1)
    assert not one[outside].any()
    assert one.any()


def test_faces_along_an_edge_have_the_same_t() -> None:
    mesh = meshes.sphere(6)
    rng = np.random.default_rng(11)
    origins = rng.uniform(-0.3, 0.3, mesh[0].shape)
    hits = raycast(mesh, origins, mesh[0] - origins, mode="all", t_min=0.5)
    for ray in range(len(origins)):
        t = hits.t[hits.ray == ray]
        assert len(t) == 1 or len(set(t.tolist())) == 1
    # a cube seen from its centre: the diagonals of its sides are met at dyadic points
    straight = raycast(meshes.box((-1, -1, -1)), (0, 0, 0), np.concatenate([np.eye(3), -np.eye(3)]))
    assert set(straight.t.tolist()) == {1.0}


def test_of_equal_hits_the_lowest_face_is_the_closest() -> None:
    twice = meshes.merge(meshes.grid(3, 3), meshes.grid(3, 3))
    hits = raycast(twice, (0.4, 0.3, 1), (0, 0, -1))
    every = raycast(twice, (0.4, 0.3, 1), (0, 0, -1), mode="all")
    assert len(every) == 2
    assert hits.face[0] == every.face.min()


def test_a_face_in_the_plane_of_the_ray_is_not_hit() -> None:
    square = meshes.grid(2, 2)
    assert not raycast(square, (-1, 0.3, 0), (1, 0, 0), mode="all")
    # the box is hit in its sides, not along them
    hits = raycast(meshes.box(), (-1, 0.3, 0), (1, 0, 0), mode="all")
    np.testing.assert_array_equal(np.unique(hits.t), (1, 2))


def test_degenerate_faces_are_never_hit() -> None:
    point, line = np.zeros((3, 3)), np.array([(0, 0, 0), (1, 0, 0), (2, 0, 0.0)])
    mesh = meshes.soup(np.stack([point, line]))
    directions = np.random.default_rng(12).normal(size=(20, 3))
    assert not raycast(mesh, np.array((0.5, 0, 0)) - directions, directions)
    assert not raycast(mesh, -directions, directions)


def test_rays_that_graze_boxes() -> None:
    # the sides of the box of a slanted triangle, and just beside them
    mesh = meshes.soup(np.array([[(0, 0, 0), (1, 0, 1), (0, 1, 1.0)]]))
    rows = []
    for x in (0.0, np.nextafter(0, -1), np.nextafter(0, 1), 1.0, np.nextafter(1, 2), 0.5):
        rows += [(x, y, -1.0) for y in (0.0, 0.5, 1.0, -1e-300, np.nextafter(0.5, 1))]
    origins = np.array(rows)
    for direction in ((0, 0, 1), (0, 0, 1e-200), (-0.0, 0.0, 2.0), (1e-200, 0, 1), (1e-13, 0, 1)):
        check(mesh, origins, np.tile(direction, (len(rows), 1)).astype(float))


def test_rays_that_start_on_a_face() -> None:
    mesh = Mesh(*meshes.sphere(6))
    corners = mesh.vertices[mesh.faces]
    starts = (corners[:, 0] + corners[:, 1]) / 2
    check((mesh.vertices, mesh.faces), starts[:40], -starts[:40])
    # vertices lie exactly on their faces: t = 0 counts, unless t_min leaves it out
    closest = raycast(mesh, mesh.vertices, -mesh.vertices)
    assert set(closest.t.tolist()) == {0.0}
    beyond = raycast(mesh, mesh.vertices, -mesh.vertices, t_min=np.nextafter(0, 1))
    assert beyond.hit.all()
    assert beyond.t.min() > 1.5


def test_limits_are_included() -> None:
    mesh = meshes.grid(2, 2)
    at, down = (0.3, 0.4, 1), (0, 0, -1)
    assert raycast(mesh, at, down, t_max=1)
    assert raycast(mesh, at, down, t_min=1)
    assert raycast(mesh, at, down, t_min=1, t_max=1)
    assert not raycast(mesh, at, down, t_max=np.nextafter(1, 0))
    assert not raycast(mesh, at, down, t_min=np.nextafter(1, 2))
    assert raycast(mesh, at, (0, 0, 1), t_min=-np.inf).t.tolist() == [-1.0]


def test_results_do_not_depend_on_threads() -> None:
    rng = np.random.default_rng(13)
    mesh = Mesh(*meshes.torus(60, 40))
    origins, directions = rng.normal(size=(2, 3000, 3))
    for mode in ("closest", "any", "all"):
        one = raycast(mesh, origins, directions, mode=mode, workers=1)
        two = raycast(mesh, origins, directions, mode=mode, workers=2)
        for name in ("ray", "face", "t", "points"):
            np.testing.assert_array_equal(getattr(one, name), getattr(two, name))


def test_the_result() -> None:
    hits = raycast(meshes.box(), [(0.3, 0.4, 2), (5, 5, 5)], (0, 0, -2), mode="all")
    np.testing.assert_array_equal(hits.ray, (0, 0))
    np.testing.assert_array_equal(hits.t, (0.5, 1))
    np.testing.assert_array_equal(hits.points, [(0.3, 0.4, 1), (0.3, 0.4, 0)])
    np.testing.assert_array_equal(hits.hit, (True, False))
    np.testing.assert_array_equal(hits.counts, (2, 0))
    np.testing.assert_array_equal(hits.first_t, (0.5, np.inf))
    assert hits.first_face.tolist() == [hits.face[0], -1]
    assert (hits.ray.dtype, hits.face.dtype, hits.t.dtype) == (np.int32, np.int32, np.float64)
    assert repr(hits) == "RayHits(2 hits of 2 rays)"
    assert len(hits) == 2
    assert hits
    for array in (hits.ray, hits.face, hits.t, hits.points, hits.hit, hits.first_face):
        assert not array.flags.writeable


def test_shapes_that_broadcast() -> None:
    one = raycast(meshes.box(), (0.3, 0.4, 2), (0, 0, -1))
    assert one.origins.shape == one.directions.shape == (1, 3)
    assert len(one) == 1
    fan = raycast(meshes.box(), (0.3, 0.4, 0.5), np.concatenate([np.eye(3), -np.eye(3)]))
    assert fan.hit.shape == (6,)
    assert fan.hit.all()
    none = raycast(meshes.box(), np.zeros((0, 3)), (0, 0, 1))
    assert none.hit.shape == (0,)
    assert len(none) == 0
    assert not raycast(meshes.empty(), (0, 0, 0), (0, 0, 1))


def test_a_body_is_hit_where_it_is() -> None:
    scene = impinge.Scene()
    matrix = np.eye(4)
    matrix[:3, 3] = (5, 0, 0)
    body = scene.add(*meshes.box(), pose=matrix)
    assert raycast(body, (5.3, 0.4, 2), (0, 0, -1)).t.tolist() == [1.0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"origins": [(0, 0, np.nan)]}, r"origins\[0\] = \(0.0, 0.0, nan\) is not finite"),
        ({"origins": (0, 0)}, r"origins must have shape \(m, 3\) or \(3,\), got \(2,\)"),
        ({"origins": [(0, 0, 2e100)]}, "at most 1e100"),
        ({"directions": [(0, 0, 1), (0, 0, 0)]}, r"directions\[1\] = .* no direction"),
        ({"directions": (0, 0, 0)}, r"directions = .* no direction"),
        ({"directions": [(0, 0, np.inf)]}, "not finite; repair or remove this ray"),
        (
            {"origins": np.zeros((3, 3)), "directions": np.ones((2, 3))},
            "must have the same length, got 3 and 2",
        ),
        ({"mode": "first"}, "mode must be one of 'closest', 'any', 'all', got 'first'"),
        ({"t_min": 2, "t_max": 1}, "t_min must be at most t_max"),
        ({"t_min": np.nan}, "t_min must be a number or infinite, got nan"),
        ({"t_max": "far"}, "t_max must be a number or infinite, got 'far'"),
        ({"workers": 0}, "workers must be"),
    ],
)
def test_bad_input(arguments: dict[str, Any], message: str) -> None:
    given_arguments = {"origins": (0, 0, 0), "directions": (0, 0, 1), **arguments}
    with pytest.raises(InputError, match=message):
        raycast(meshes.box(), **given_arguments)


@pytest.mark.parametrize("faces", [12, 0])
@pytest.mark.parametrize(("row", "rows"), [(4321, 5000), (3, 9)])
def test_one_bad_ray_of_many(faces: int, row: int, rows: int) -> None:
    vertices, triangles = meshes.box()
    mesh = Mesh(vertices, triangles[:faces])
    origins, directions = np.full((rows, 3), 0.5), np.ones((rows, 3))
    for wrong in (np.nan, -np.inf, 2e100):
        origins[row, 1] = wrong
        with pytest.raises(InputError, match=rf"origins\[{row}\]"):
            raycast(mesh, origins, directions)
    origins[row, 1] = 0
    directions[row] = 0
    with pytest.raises(InputError, match=rf"directions\[{row}\] = .* no direction"):
        raycast(mesh, origins, directions)


def test_progress_and_cancelling() -> None:
    seen: list[float] = []
    raycast(meshes.box(), (0.5, 0.4, 2), (0, 0, -1), progress=seen.append)
    assert seen[0] == 0.0
    assert seen[-1] == 1.0
    with pytest.raises(Cancelled):
        raycast(meshes.box(), (0.5, 0.4, 2), (0, 0, -1), progress=lambda _: False)


def test_the_tree_of_a_mesh_is_shared_with_collide() -> None:
    mesh = Mesh(*meshes.sphere(4))
    raycast(mesh, (0, 0, 0), (0, 0, 1))
    assert "trees" not in impinge.collide(mesh, mesh).stats


REAL = [
    "single/cow.obj",
    "single/koala.obj",
    "single/torus.obj",
    "stanford-terms/bunny5k.ply",
    "nasty/chair_model.obj",
    "nasty/soup.stl",
]


@pytest.mark.parametrize("file", REAL)
def test_real_meshes_against_every_face(shared_data: Path, file: str) -> None:
    vertices, faces = read(shared_data / file)
    mesh = Mesh(vertices, faces)
    rng = np.random.default_rng(14)
    low, high = mesh.bounds
    origins = rng.uniform(low, high, (60, 3))
    # half of them at vertices, where a float test is in doubt
    targets = np.concatenate([rng.uniform(low, high, (30, 3)), rng.choice(vertices, 30)])
    every = raycast(mesh, origins, targets - origins, mode="all")
    triangles = vertices[faces]
    for ray, (origin, target) in enumerate(zip(origins, targets, strict=True)):
        near = triangles - origin
        sides = np.cross(near, np.roll(near, -1, axis=1)) @ (target - origin)
        doubt = 1e-12 * np.abs(near).max() ** 3
        possible = np.flatnonzero((sides.min(axis=1) > -doubt) | (sides.max(axis=1) < doubt))
        exact = truth((vertices, faces[possible]), origin, target - origin)
        expected = [int(possible[face]) for face, t in exact.items() if t >= 0]
        assert sorted(every.face[every.ray == ray].tolist()) == expected
    closest, some = (raycast(mesh, origins, targets - origins, mode=m) for m in ("closest", "any"))
    modes_agree(every, closest, some)
