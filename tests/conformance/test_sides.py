"""On which side of solids points are, against truths that share no code with the core."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

from impinge import Mesh, _core, side
from shared_data.readers import bodies, read
from support import meshes
from support.cells import CellSolid, cell_solid, places_of, random_cells
from support.meshes import Arrays
from support.winding_truth import Windings

TETRAHEDRON = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])


def sides(mesh: Arrays | Mesh, points: np.ndarray, **options: int) -> np.ndarray:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".* is inside out")
        return side(mesh, points, **options)


def random_solid(seed: int, count: int) -> tuple[CellSolid, np.ndarray]:
    rng = np.random.default_rng(seed)
    windings = random_cells(rng)
    solid = cell_solid(rng, windings)
    return solid, places_of(rng, windings, count)


@pytest.mark.parametrize("part", range(8))
def test_cells(part: int) -> None:
    """Cavities, shells in shells, glued and cancelled squares, edges and corners of many cells."""
    seen = np.zeros(3, dtype=int)
    for seed in range(60 * part, 60 * (part + 1)):
        solid, places = random_solid(seed, 60)
        truth = solid.sides(places)
        np.testing.assert_array_equal(sides(solid.mesh, solid.points(places)), truth, f"{seed=}")
        seen += np.bincount(truth + 1, minlength=3)
    assert seen.min() > 200, "some of all sides"


@pytest.mark.parametrize("seed", range(12))
def test_crowds_of_points_in_cells(seed: int) -> None:
    """So many points that cells of the search answer for all points in them."""
    solid, places = random_solid(seed, 12_000)
    assert len(places) >= 1 << 15
    np.testing.assert_array_equal(sides(solid.mesh, solid.points(places)), solid.sides(places))


@pytest.mark.parametrize("exponent", [-330, -60, 0, 60, 300])
def test_any_scale(exponent: int) -> None:
    """Powers of two change nothing, however large or small; expansions hold only some of them."""
    for seed in range(500, 520):
        solid, places = random_solid(seed, 40)
        points = np.ldexp(solid.points(places), exponent)
        scaled = np.ldexp(solid.mesh[0], exponent), solid.mesh[1]
        np.testing.assert_array_equal(sides(scaled, points), solid.sides(places), f"{seed=}")


def crossing_shells(rng: np.random.Generator) -> Arrays:
    """Tetrahedra with whole corners that cross each other as they like, some inside out."""
    shells = []
    for _ in range(rng.integers(1, 6)):
        corners = rng.integers(0, 5, size=(4, 3)).astype(float)
        turned = (np.linalg.det(corners[1:] - corners[0]) < 0) ^ (rng.random() < 0.2)
        shells.append(meshes.arrays(corners, TETRAHEDRON[:, ::-1] if turned else TETRAHEDRON))
    return meshes.merge(*shells)


@pytest.mark.parametrize("part", range(6))
def test_shells_that_cross(part: int) -> None:
    """Points where planes of any direction cross, three and more of them in one point."""
    on = 0
    for seed in range(20 * part, 20 * (part + 1)):
        rng = np.random.default_rng(seed)
        mesh = crossing_shells(rng)
        points = rng.integers(0, 9, size=(40, 3)) / 2
        points[:20] = np.round(points[:20])
        _, turned = _core.solid(_core.Tree(*mesh))
        windings = Windings(mesh, points, seed)
        truth = [windings.side(i, turned=turned) for i in range(len(points))]
        assert sides(mesh, points).tolist() == truth, f"{seed=}"
        on += truth.count(0)
    assert on > 20


def test_three_planes_through_a_point_inside() -> None:
    """Around a point of a larger box three boxes add and take away: every sector must be seen."""
    box, one = meshes.box((-8, -8, -8), (8, 8, 8)), meshes.box((0, 0, 0), (4, 4, 4))
    shear = np.array([[1, 2, 0], [0, 1, 3], [1, 2, 1]])
    turned = one[0], one[1][:, ::-1]
    origin = np.zeros((1, 3))
    for shell, expected in ((one, -1), (turned, 0)):
        mesh = meshes.merge(box, meshes.arrays(shell[0] @ shear.T, shell[1]))
        assert sides(mesh, origin).tolist() == [expected]
    # a wall with a small hole: two planes that cross, and a third that cuts one of their wedges
    slabs = [meshes.box((-4, -4, 0), (4, 4, 4)), meshes.box((-4, 0, -4), (4, 4, 4))]
    slabs.append(meshes.box((0, -4, -4), (4, 4, 4)))
    # everything but the octant below all three
    union = meshes.merge(*slabs)
    assert sides(union, origin).tolist() == [0]
    octant = meshes.box((-4, -4, -4), (0, 0, 0))
    assert sides(meshes.merge(union, octant), origin).tolist() == [-1]


@pytest.mark.parametrize("axes", [(0, 1, 2), (1, 2, 0), (2, 0, 1)])
def test_the_axes_are_alike(axes: tuple[int, int, int]) -> None:
    for seed in range(600, 640):
        solid, places = random_solid(seed, 40)
        mesh = np.ascontiguousarray(solid.mesh[0][:, axes]), solid.mesh[1]
        points = np.ascontiguousarray(solid.points(places)[:, axes])
        np.testing.assert_array_equal(sides(mesh, points), solid.sides(places), f"{seed=}")


def solid_angle(mesh: Arrays, points: np.ndarray) -> np.ndarray:
    """(m,) winding numbers in float64, good away from the surface (van Oosterom, Strackee 1983)."""
    total = np.zeros(len(points))
    for triangle in mesh[0][mesh[1]]:
        a, b, c = triangle[:, None] - points
        la, lb, lc = (np.linalg.norm(v, axis=1) for v in (a, b, c))
        above = np.einsum("ij,ij->i", a, np.cross(b, c))
        dots = [np.einsum("ij,ij->i", p, q) for p, q in ((a, b), (b, c), (c, a))]
        total += np.arctan2(above, la * lb * lc + dots[0] * lc + dots[1] * la + dots[2] * lb)
    return total / (2 * np.pi)


def check_real(mesh: Arrays, rng: np.random.Generator) -> None:
    """By solid angles for random points; on the surface for vertices and middles of edges."""
    low, high = mesh[0][mesh[1]].min(axis=(0, 1)), mesh[0][mesh[1]].max(axis=(0, 1))
    points = rng.uniform(low, high, size=(300, 3))
    angle = solid_angle(mesh, points)
    _, turned = _core.solid(_core.Tree(*mesh))
    sure = np.abs(angle - np.round(angle)) < 1e-6
    truth = np.where(np.round(-angle if turned else angle) > 0, -1, 1)
    assert sure.mean() > 0.99
    np.testing.assert_array_equal(sides(mesh, points)[sure], truth[sure])


@pytest.mark.parametrize("name", ["single/cow.obj", "single/boot.obj"])
def test_real_meshes(shared_data: Path, name: str) -> None:
    mesh = read(shared_data / name)
    open_edges, _ = _core.solid(_core.Tree(*mesh))
    if open_edges:
        pytest.skip(f"{name} is open")
    check_real(mesh, np.random.default_rng(0))
    assert not sides(mesh, mesh[0][np.unique(mesh[1])]).any()


@pytest.mark.parametrize("name", ["gears_chain", "bolt", "piston", "toy_car"])
def test_parts_of_assemblies(shared_data: Path, name: str) -> None:
    rng = np.random.default_rng(1)
    checked = 0
    for _, mesh in bodies(shared_data / "assembly" / f"{name}.ply"):
        open_edges, _ = _core.solid(_core.Tree(*mesh))
        if open_edges or len(mesh[1]) > 5000 or checked >= 5:
            continue
        check_real(mesh, rng)
        checked += 1
    assert checked


def test_threads_order_and_company_do_not_matter() -> None:
    """The same answer for a point alone, among a few and in a crowd, from any number of threads."""
    rng = np.random.default_rng(3)
    mesh = Mesh(*meshes.merge(meshes.torus(40, 30), meshes.moved(meshes.sphere(20), (1, 0, 0))))
    few = np.concatenate([mesh.vertices[::7], rng.uniform(-1.5, 1.5, size=(500, 3))])
    expected = sides(mesh, few)
    order = rng.permutation(len(few))
    np.testing.assert_array_equal(sides(mesh, few[order]), expected[order])
    crowd = np.concatenate([few, rng.uniform(-1.5, 1.5, size=(40_000, 3))])
    for workers in (1, 2, 3):
        np.testing.assert_array_equal(sides(mesh, few, workers=workers), expected)
        np.testing.assert_array_equal(sides(mesh, crowd, workers=workers)[: len(few)], expected)
    for i in range(0, len(few), 97):
        assert sides(mesh, few[i : i + 1])[0] == expected[i]


@pytest.mark.parametrize("thin", [1.0, 2.0**-20, 2.0**-24, 2.0**-40, 2.0**-140])
def test_crowds_around_thin_solids(thin: float) -> None:
    """Plates and needles: cells are not cut where there is nothing to cut."""
    rng = np.random.default_rng(5)
    for scale in ((1, 1, thin), (thin, 1, thin), (thin, thin, thin)):
        solid = cell_solid(rng, np.array([[[1, 0, 1], [1, 1, 1]], [[0, 1, 1], [1, 1, 0]]]))
        places = places_of(rng, solid.windings, 11_000)
        # the shear would mix coordinates of different sizes
        back = np.round(np.linalg.inv(solid.shear))
        mesh = (solid.mesh[0] / solid.scale - solid.offset) @ back.T * scale, solid.mesh[1]
        np.testing.assert_array_equal(sides(mesh, places * scale), solid.sides(places))
