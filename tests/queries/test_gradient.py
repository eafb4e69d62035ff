"""Gradients of distances, depths and volumes, against differences of the values themselves."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest
from scipy.optimize import linprog

import impinge
from impinge import InputError, Mesh, Relation, distance, penetration
from impinge.queries.closest_weights import closest_weights
from impinge.queries.depth_gradient import depth_gradient
from impinge.queries.penetration import SolidPair
from impinge.results import Gradient
from support import meshes
from support.blobs import bumpy, turned
from support.meshes import Arrays, box, merge, moved, tetrahedron

Value = Callable[[Arrays, Arrays], float]
CUBE = box((0, 0, 0), (4, 4, 4))


def bodies(seed: int, *, spread: float) -> tuple[Arrays, Arrays, np.random.Generator]:
    rng = np.random.default_rng(seed)
    a = turned(bumpy(seed, frequency=4), rng)
    shift = rng.normal(size=3)
    shift *= spread / np.linalg.norm(shift)
    return a, turned(bumpy(seed + 50, frequency=3), rng, shift), rng


class Slope(NamedTuple):
    """Central differences of a value in a direction in which the vertices of both move."""

    value: Value
    a: Arrays
    b: Arrays
    h: float

    def along(self, da: object, db: object) -> float:
        (va, fa), (vb, fb) = self.a, self.b
        ahead, behind = (
            self.value((va + s * np.asarray(da), fa), (vb + s * np.asarray(db), fb))
            for s in (self.h, -self.h)
        )
        return (ahead - behind) / (2 * self.h)


def check(g: Gradient, value: Value, a: Arrays, b: Arrays, *, h: float, within: float) -> None:
    """By all vertices at once, by those of each mesh, and by motions of b."""
    rng = np.random.default_rng(len(a[0]))
    da, db = rng.normal(size=a[0].shape), rng.normal(size=b[0].shape)
    slope = Slope(value, a, b, h)
    by_a, by_b = float((g.a.dense() * da).sum()), float((g.b.dense() * db).sum())
    assert slope.along(da, 0) == pytest.approx(by_a, abs=within)
    assert slope.along(0, db) == pytest.approx(by_b, abs=within)
    move, spin, centre = rng.normal(size=(3, 3))
    velocity = move + np.cross(spin, b[0])
    expected = g.translation @ move + g.rotation @ spin
    assert slope.along(0, velocity) == pytest.approx(expected, abs=2 * within)
    velocity = np.cross(spin, b[0] - centre)
    expected = g.rotation_about(centre) @ spin
    assert slope.along(0, velocity) == pytest.approx(expected, abs=2 * within)


def check_balance(g: Gradient, a: Arrays, b: Arrays, within: float) -> None:
    """Nothing changes when all is moved together, and the motions are those of the vertices."""
    by_a, by_b = g.a.dense(), g.b.dense()
    assert by_b.sum(axis=0) == pytest.approx(g.translation, abs=within)
    assert by_a.sum(axis=0) == pytest.approx(-g.translation, abs=within)
    assert np.cross(b[0], by_b).sum(axis=0) == pytest.approx(g.rotation, abs=within)
    assert np.cross(a[0], by_a).sum(axis=0) == pytest.approx(-g.rotation, abs=within)


@pytest.mark.parametrize("seed", range(20))
def test_distance_against_differences(seed: int) -> None:
    a, b, _ = bodies(seed, spread=3.5)
    g = distance(a, b, gradient=True).gradient
    assert g is not None
    check(g, lambda p, q: distance(p, q).value, a, b, h=1e-6, within=1e-7)
    check_balance(g, a, b, 1e-13)


def test_distance_of_each_feature() -> None:
    """Vertex, edge and face against each of them."""
    rng = np.random.default_rng(0)
    kinds = set()
    for _ in range(60):
        a = turned(tetrahedron(), rng)
        b = turned(tetrahedron(), rng, rng.normal(size=3) * 3)
        found = distance(a, b, gradient=True)
        if found.gradient is None or found.value == 0:
            continue
        check(found.gradient, lambda p, q: distance(p, q).value, a, b, h=1e-6, within=1e-7)
        kinds.add((len(found.gradient.a), len(found.gradient.b)))
    assert {(1, 3), (3, 1), (2, 2), (1, 1), (1, 2), (2, 1)} >= kinds
    assert {(1, 3), (3, 1), (2, 2)} <= kinds


def test_distance_by_poses() -> None:
    """Scaled, sheared and mirrored; by the vertices before the pose."""
    rng = np.random.default_rng(3)
    a, b = bumpy(1, frequency=3), bumpy(2, frequency=3)
    poses = np.tile(np.eye(4), (8, 1, 1))
    poses[:, :3, :3] = rng.normal(size=(8, 3, 3)) * 0.5
    poses[:, :3, 3] = rng.normal(size=(8, 3)) * 4
    found = distance(a, b, poses=poses, gradient=True)
    assert found.gradients is not None
    assert len(found.gradients) == 8
    assert np.linalg.det(poses[:, :3, :3]).min() < 0 < found.values.min()
    for pose, one, g in zip(poses, found, found.gradients, strict=True):
        world = meshes.posed(b, pose)
        alone = distance(a, world, gradient=True).gradient
        assert alone is not None
        assert one.gradient is not None
        for mine in (one.gradient, g):
            assert mine.translation == pytest.approx(alone.translation, abs=1e-12)
            assert mine.rotation == pytest.approx(alone.rotation, abs=1e-12)
            assert mine.a.dense() == pytest.approx(alone.a.dense(), abs=1e-12)
            assert mine.b.dense() == pytest.approx(alone.b.dense() @ pose[:3, :3], abs=1e-12)


def test_where_a_distance_has_none() -> None:
    crossing = distance(CUBE, moved(CUBE, (1, 2, 3)), gradient=True).gradient
    touching = distance(CUBE, moved(CUBE, (4, 0, 0)), gradient=True).gradient
    for g in (crossing, touching):
        assert g is not None
        assert (len(g.a), len(g.b)) == (0, 0)
        assert [*g.translation, *g.rotation] == [0] * 6
    far = moved(CUBE, (9, 0, 0))
    assert distance(CUBE, far).gradient is None
    assert distance(CUBE, far, upper_bound=1.0, gradient=True).gradient is None
    both = distance(CUBE, CUBE, poses=[np.eye(4), *_along(9)], upper_bound=1.0, gradient=True)
    assert both.gradients is not None
    assert np.isnan(both.gradients.translations).all(axis=1).tolist() == [False, True]
    assert both.gradients.vertices[1].tolist() == [[-1] * 3] * 2
    assert (len(both.gradients[1].a), both[1].gradient) == (0, None)
    # parallel faces are closest everywhere, and agree in what a translation does
    over = distance(CUBE, moved(CUBE, (1, 2, 6)), gradient=True).gradient
    assert over is not None
    assert over.translation.tolist() == [0, 0, 1]


def _along(x: float) -> np.ndarray:
    pose = np.eye(4)
    pose[0, 3] = x
    return pose[None]


def volume_of(p: Arrays, q: Arrays) -> float:
    return penetration(p, q).volume


@pytest.mark.parametrize("seed", range(15))
def test_volume_against_differences(seed: int) -> None:
    a, b, _ = bodies(seed, spread=0.3 + 0.1 * seed)
    found = penetration(a, b, gradient=True)
    assert found.volume_gradient is not None
    check(found.volume_gradient, volume_of, a, b, h=1e-6, within=1e-6)
    check_balance(found.volume_gradient, a, b, 1e-12)


def test_volume_of_one_inside() -> None:
    """A translation changes nothing, and what the inner one gains the overlap does."""
    outer, inner = box((-3, -3, -3), (3, 3, 3)), bumpy(3, frequency=3)
    found = penetration(outer, inner, gradient=True)
    assert found.relation == Relation.B_INSIDE
    g = found.volume_gradient
    assert g is not None
    assert len(g.a) == 0
    assert g.translation == pytest.approx(np.zeros(3), abs=1e-12)
    # the volume is of the third degree in the vertices
    assert float((g.b.dense() * inner[0]).sum()) == pytest.approx(3 * found.volume, rel=1e-12)


@pytest.mark.filterwarnings("ignore:.*inside out")
def test_inside_out_is_the_same() -> None:
    a, b, _ = bodies(2, spread=1.5)
    found = penetration(a, b, gradient=True)
    assert found.depth_gradient is not None
    assert np.linalg.norm(found.depth_gradient.translation) > 0.1
    other = penetration((a[0], a[1][:, ::-1]), (b[0], b[1][:, ::-1]), gradient=True)
    for name in ("depth_gradient", "volume_gradient"):
        one, two = getattr(found, name), getattr(other, name)
        assert two.translation == pytest.approx(one.translation, abs=1e-6)
        assert two.a.dense() == pytest.approx(one.a.dense(), abs=1e-6)
        assert two.b.dense() == pytest.approx(one.b.dense(), abs=1e-6)


def depth_of(p: Arrays, q: Arrays) -> float:
    return penetration(p, q, accuracy=1e-9).depth


def test_depth_against_differences() -> None:
    """Where the values are known to 1e-9, their differences over 2e-5 are to about 1e-4."""
    compared = 0
    for seed in range(30):
        a, b, _ = bodies(seed, spread=0.2 + 0.05 * seed)
        g = penetration(a, b, gradient=True).depth_gradient
        assert g is not None
        check_balance(g, a, b, 1e-9)
        if np.ptp(penetration(a, b, accuracy=1e-9).depth_bounds) < 2e-9:
            check(g, depth_of, a, b, h=1e-5, within=5e-4)
            compared += 1
    assert compared > 10


@pytest.mark.parametrize("seed", range(12))
def test_depth_of_hollow_bodies(seed: int) -> None:
    """Rings and gears, whose floors and walls are not convex; crooked, so that nothing is tied."""
    rng = np.random.default_rng(seed)
    kinds = meshes.torus(12, 7), meshes.gear(7), meshes.torus(20, 9, minor=0.45)
    a, b = (turned(kinds[kind], rng, rng.normal(size=3) * 0.3) for kind in rng.integers(3, size=2))
    a, b = ((mesh[0] + 0.03 * rng.normal(size=mesh[0].shape), mesh[1]) for mesh in (a, b))
    g = penetration(a, b, gradient=True).depth_gradient
    assert g is not None
    check_balance(g, a, b, 1e-9)
    if np.ptp(penetration(a, b, accuracy=1e-9).depth_bounds) < 2e-9:
        check(g, depth_of, a, b, h=1e-5, within=1e-3)


def half_spaces(mesh: Arrays) -> tuple[np.ndarray, np.ndarray]:
    """Outward normals of a convex solid, and how far its planes are along them."""
    corners = mesh[0][mesh[1]]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return normals, np.einsum("kx,kx->k", normals, corners[:, 0])


def convex_depth(a: Arrays, b: Arrays) -> float:
    """The largest ball in one convex solid whose centre is in the other one, too."""
    deepest = 0.0
    for own, other in ((a, b), (b, a)):
        (n, h), (m, k) = half_spaces(own), half_spaces(other)
        matrix = np.block([[n, np.ones((len(n), 1))], [m, np.zeros((len(m), 1))]])
        free = (None, None)
        limits = np.concatenate([h, k])
        found = linprog([0, 0, 0, -1], matrix, limits, bounds=[free, free, free, (0, None)])
        deepest = max(deepest, -found.fun if found.success else 0.0)
    return deepest


def test_whatever_holds_the_deepest_point() -> None:
    """A corner, an edge or a face of the visitor, or nothing but the walls."""
    held = set()
    for seed in range(60):
        rng = np.random.default_rng(seed)
        a, b = any_tetrahedron(rng), moved(any_tetrahedron(rng), rng.normal(size=3) * 0.8)
        found = penetration(a, b, gradient=True)
        g = found.depth_gradient
        assert g is not None
        if found.point is None:
            continue
        check(g, convex_depth, a, b, h=1e-6, within=1e-6)
        check_balance(g, a, b, 1e-10)
        inside = [impinge.signed_distance(mesh, found.point[None])[0] for mesh in (a, b)]
        visitor = g.b if inside[0] < inside[1] else g.a
        held.add(int((np.abs(visitor.rows).max(axis=1, initial=0) > 1e-6).sum()))
    assert held >= {0, 2, 3}


def any_tetrahedron(rng: np.random.Generator) -> Arrays:
    corners = rng.normal(size=(4, 3)) * rng.uniform(0.5, 3, size=3)
    faces = np.array([(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)])
    outward = np.linalg.det(corners[1:] - corners[0]) > 0
    return corners - corners.mean(axis=0), faces if outward else faces[:, ::-1]


def test_known_depths() -> None:
    """A tip in a wall moves with it."""
    corners = np.array([(2.0, 2.1, 3.0), (1, 2, 8), (3, 2, 8), (2, 3, 8)])
    tip = corners, [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)]
    found = penetration(CUBE, tip, gradient=True)
    assert found.depth == pytest.approx(1.0)
    g = found.depth_gradient
    assert g is not None
    assert g.translation == pytest.approx([0, 0, -1], abs=1e-9)
    assert g.b.vertices.tolist() == [0]
    assert g.rotation == pytest.approx(np.cross((2.0, 2.1, 3.0), (0, 0, -1)), abs=1e-6)


def test_faces_all_around_that_are_not_the_walls() -> None:
    """The sides of a rod are as far from the middle of its end as that is deep."""
    pair = SolidPair(CUBE, box((1, 1, 3), (3, 3, 9)), 0)
    g = depth_gradient(pair.meshes, pair.solids, np.array([2.0, 2, 3]), 1.0)
    assert g is not None
    assert g.translation == pytest.approx([0, 0, -1])


def test_glued_shells_have_no_wall_between_them() -> None:
    glued = merge(CUBE, box((4, 0, 0), (8, 4, 4)))
    needle = box((3.2, 1, -1), (3.3, 1.1, 1.5))
    whole = penetration(box((0, 0, 0), (8, 4, 4)), needle, gradient=True)
    found = penetration(glued, needle, gradient=True)
    assert found.depth == pytest.approx(whole.depth)
    assert found.depth_gradient is not None
    assert whole.depth_gradient is not None
    assert found.depth_gradient.translation == pytest.approx(whole.depth_gradient.translation)
    assert found.volume_gradient is not None
    assert found.volume_gradient.translation == pytest.approx([0, 0, 0.01], abs=1e-12)


def test_where_nothing_decides_there_is_none() -> None:
    """Of a point that is not the deepest one, nor next to it."""
    inner, outer = any_tetrahedron(np.random.default_rng(1)), box((-20, -20, -20), (20, 20, 20))
    pair = SolidPair(outer, inner, 0)
    found = penetration(outer, inner)
    assert depth_gradient(pair.meshes, pair.solids, found.point, found.depth) is not None
    pair = SolidPair(inner, outer, 0)
    near_corner = 0.9 * inner[0][0] + 0.1 * inner[0].mean(axis=0)
    wall = -impinge.signed_distance(inner, near_corner[None])[0]
    assert depth_gradient(pair.meshes, pair.solids, near_corner, wall) is None


def test_apart_nothing_changes() -> None:
    for other in (moved(CUBE, (4, 0, 0)), moved(CUBE, (5, 0, 0))):
        found = penetration(CUBE, other, gradient=True)
        for g in (found.depth_gradient, found.volume_gradient):
            assert g is not None
            assert (len(g.a), len(g.b), *g.translation, *g.rotation) == (0,) * 8
            assert g.a.dense().shape == (8, 3)
    assert penetration(CUBE, CUBE).depth_gradient is None
    assert penetration(CUBE, CUBE).volume_gradient is None


def test_downhill_they_part() -> None:
    """Steps along the gradient of the volume, as an optimiser takes them."""
    a, b = Mesh(*bumpy(1, frequency=6)), moved(bumpy(2, frequency=6), (0.8, 0.3, 0.2))
    for _ in range(60):
        found = penetration(a, b, gradient=True)
        g = found.volume_gradient
        assert g is not None
        if found.volume == 0:
            break
        b = moved(b, -g.translation * (found.volume / (g.translation @ g.translation)))
    assert found.volume < 1e-6


def test_weights_are_those_of_the_closest_points() -> None:
    rng = np.random.default_rng(0)
    points, triangles = rng.normal(size=(300, 3)) * 2, rng.normal(size=(300, 3, 3))
    triangles[:20, 2] = triangles[:20, 0]
    triangles[20:30, 1:] = triangles[20:30, :1]
    triangles[30:40, 2] = 0.5 * (triangles[30:40, 0] + triangles[30:40, 1])
    weights = closest_weights(points, triangles)
    assert weights.min() >= 0
    assert weights.sum(axis=1) == pytest.approx(np.ones(300))
    found = np.einsum("mc,mcx->mx", weights, triangles)
    for point, triangle, mine in zip(points, triangles, found, strict=True):
        nearest = impinge.nearest((triangle, [(0, 1, 2)]), point[None])
        assert mine == pytest.approx(nearest.points[0], abs=1e-12)
    # whatever the unit is
    for power in (-1000, -600, 330):
        unit = 2.0**power
        np.testing.assert_array_equal(closest_weights(points * unit, triangles * unit), weights)


def test_a_gradient_is_frozen() -> None:
    found = penetration(CUBE, moved(CUBE, (1, 2, 3)), gradient=True)
    again = pickle.loads(pickle.dumps(copy.copy(found)))
    for g in (found.volume_gradient, again.volume_gradient):
        assert g.a.dense().tolist() == found.volume_gradient.a.dense().tolist()
        with pytest.raises(ValueError, match="read-only"):
            g.a.rows[0, 0] = 1.0
        with pytest.raises(ValueError, match="read-only"):
            g.translation[0] = 1.0
    assert repr(found.volume_gradient.a) == "VertexGradient(7 of 8 vertices)"
    with pytest.raises(InputError, match=r"point must have shape \(3,\), got \(2,\)"):
        found.volume_gradient.rotation_about((1, 2))
    with pytest.raises(InputError, match="point must be finite"):
        found.volume_gradient.rotation_about((1, 2, np.nan))
