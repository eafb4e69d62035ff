"""Pairs within a margin: `bvh` gives what `brute` gives, and `brute` what fractions give."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

import impinge
from families import PAIRS, SCENES, SELVES, cases
from families.triangles import float_triangles, grid_triangles
from impinge import _core
from impinge.results.collisions import Collisions
from support import distance_reference, rational
from support.meshes import Arrays, soup

WIDTHS = (0.01, 0.06)  # of the size of a case


def size_of(*meshes: Arrays) -> float:
    # vertices without faces may be anywhere
    vertices = np.concatenate([mesh[0][np.unique(mesh[1])] for mesh in meshes])
    return float(np.ptp(vertices, axis=0).max()) if len(vertices) else 0.0


def margins(size: str, *meshes: Arrays) -> list[float]:
    found = [width * size_of(*meshes) for width in (WIDTHS if size == "small" else WIDTHS[:1])]
    return [margin for margin in found if 0 < margin < 1e300]


def assert_equal(expected: Collisions, found: Collisions, label: object) -> None:
    for name in ("bodies", "pairs", "kinds", "pose", "distances", "points"):
        want, have = getattr(expected, name), getattr(found, name)
        assert (want is None) == (have is None), (label, name)
        assert want is None or np.array_equal(want, have), (label, name)


def truth(a: np.ndarray, b: np.ndarray, margin: float, *, own: bool = False) -> int:
    """The kind of two triangles by arithmetic on fractions."""
    kind = rational.self_kind(a, b) if own else rational.kind(a, b)
    shared = own and {tuple(p) for p in a.tolist()} & {tuple(p) for p in b.tolist()}
    if kind != rational.NONE or shared:
        return kind
    near = distance_reference.squared(a, b) <= Fraction(margin) ** 2
    return int(impinge.Kind.NEAR) if near else rational.NONE


def assert_true(hits: Collisions, a: Arrays, b: Arrays | None, margin: float) -> None:
    found = {(i, j): kind for (i, j), kind in zip(hits.pairs.tolist(), hits.kinds, strict=True)}
    first, second = a[0][a[1]], (a if b is None else b)[0][(a if b is None else b)[1]]
    each = combinations(range(len(first)), 2) if b is None else np.ndindex(len(first), len(second))
    for i, j in each:
        expected = truth(first[i], second[j], margin, own=b is None)
        assert found.get((i, j), 0) == expected, (i, j, first[i].tolist(), second[j].tolist())
        if (i, j) in found:
            row = hits.pairs.tolist().index([i, j])
            square = distance_reference.squared(first[i], second[j])
            assert (hits.distances[row] == 0) == (square == 0)
            assert hits.distances[row] <= margin


@pytest.mark.parametrize(("name", "seed"), cases(PAIRS, 1))
def test_brute_is_rational(name: str, seed: int) -> None:
    a, b = PAIRS[name].build("small", seed)
    a, b = (a[0], a[1][:10]), (b[0], b[1][:10])
    for margin in margins("small", a, b)[1:]:
        assert_true(impinge.collide(a, b, method="brute", margin=margin), a, b, margin)


@pytest.mark.parametrize(("name", "seed"), cases(SELVES, 1))
def test_brute_is_rational_in_one_mesh(name: str, seed: int) -> None:
    mesh = SELVES[name].build("small", seed)
    mesh = (mesh[0], mesh[1][:12])
    for margin in margins("small", mesh)[1:]:
        assert_true(impinge.self_collide(mesh, method="brute", margin=margin), mesh, None, margin)


@pytest.mark.parametrize("size", ["small", "big"])
@pytest.mark.parametrize(("name", "seed"), cases(PAIRS, 2))
def test_pairs(name: str, seed: int, size: str) -> None:
    a, b = PAIRS[name].build(size, seed)
    for margin in margins(size, a, b):
        expected = impinge.collide(a, b, method="brute", margin=margin)
        meshes = impinge.Mesh(*a), impinge.Mesh(*b)
        # the second time there may be slabs, which know nothing of margins
        impinge.collide(*meshes), impinge.collide(*meshes)
        for workers, both in product((1, 2), [(a, b), meshes]):
            found = impinge.collide(*both, margin=margin, workers=workers)
            assert_equal(expected, found, (margin, workers))
        assert impinge.collides(*meshes, margin=margin) == bool(expected)
        first = impinge.collide(*meshes, margin=margin, mode="first")
        assert len(first) == min(1, len(expected))
        assert set(map(tuple, first.pairs.tolist())) <= set(map(tuple, expected.pairs.tolist()))


@pytest.mark.parametrize("size", ["small", "big"])
@pytest.mark.parametrize(("name", "seed"), cases(SELVES, 2))
def test_selves(name: str, seed: int, size: str) -> None:
    arrays = SELVES[name].build(size, seed)
    mesh = impinge.Mesh(*arrays)
    for _ in range(9):  # then there are sheets, which know nothing of margins
        impinge.self_collide(mesh)
    for margin in margins(size, arrays):
        for duplicates in (False, True):
            options = {"margin": margin, "report_duplicates": duplicates}
            expected = impinge.self_collide(arrays, method="brute", **options)
            for workers in (1, 2):
                found = impinge.self_collide(mesh, workers=workers, **options)
                assert_equal(expected, found, (options, workers))


@pytest.mark.parametrize(("name", "seed"), cases(SCENES, 2))
def test_scenes(name: str, seed: int) -> None:
    bodies = SCENES[name].build("small", seed)
    rng = np.random.default_rng(seed)
    scene = impinge.Scene()
    for arrays in bodies:
        pose = np.eye(4)
        pose[:3, :3] = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        scene.add(*arrays, pose=pose if seed else None)
    for margin in margins("small", *bodies):
        for self_collision in (False, True):
            options = {"margin": margin, "self_collision": self_collision}
            expected = scene.collide(method="brute", **options)
            for workers in (1, 2):
                assert_equal(expected, scene.collide(workers=workers, **options), options)
                assert scene.collides(workers=workers, **options) == bool(expected)
            assert scene.collides(method="brute", **options) == bool(expected)


@pytest.mark.parametrize(("name", "seed"), cases(PAIRS, 1))
def test_poses(name: str, seed: int) -> None:
    a, b = PAIRS[name].build("small", seed)
    rng = np.random.default_rng(seed)
    poses = np.tile(np.eye(4), (5, 1, 1))
    poses[1:3, :3, :3] = np.linalg.qr(rng.normal(size=(2, 3, 3)))[0]
    poses[3, :3, :3] *= 0.5  # smaller, and one mirrored and sheared
    poses[4, :3, :3] = [[-1, 0.25, 0], [0, 1, 0], [0, 0, 2]]
    poses[1:, :3, 3] = rng.normal(size=(4, 3)) * 0.1 * min(size_of(a, b), 1e90)
    if size_of(a, b) > 1e90:
        return
    for margin in margins("small", a, b):
        expected = impinge.collide(a, b, method="brute", poses=poses, margin=margin)
        meshes = impinge.Mesh(*a), impinge.Mesh(*b)
        for workers in (1, 2):
            found = impinge.collide(*meshes, poses=poses, margin=margin, workers=workers)
            assert_equal(expected, found, (margin, workers))
        answers = impinge.collides(*meshes, poses=poses, margin=margin)
        assert np.array_equal(answers, expected.counts > 0)


@pytest.mark.parametrize("method", ["bvh", "brute"])
@pytest.mark.parametrize(("name", "seed"), cases(PAIRS, 1))
def test_no_margin_is_the_plain_question(name: str, seed: int, method: str) -> None:
    a, b = PAIRS[name].build("small", seed)
    plain = impinge.collide(a, b, method=method)
    found = impinge.collide(a, b, method=method, margin=0.0)
    assert np.array_equal(plain.pairs, found.pairs)
    assert np.array_equal(plain.kinds, found.kinds)
    assert not found.distances.any()
    assert plain.distances is None
    assert plain.points is None


@pytest.mark.parametrize("seed", range(20))
def test_margins_that_are_distances(seed: int) -> None:
    """Of some pair, up to a rounding: filters must leave these to exact arithmetic."""
    rng = np.random.default_rng(seed)
    make = (float_triangles, grid_triangles)[seed % 2]
    a, b = (soup(make(rng, 40)) for _ in range(2))
    pose = np.eye(4)
    pose[:3, :3] = np.linalg.qr(rng.normal(size=(3, 3)))[0] * rng.uniform(0.5, 2)
    pose[:3, 3] = rng.normal(size=3)
    world = a, (_core.transform(b[0], pose), b[1])
    every = impinge.collide(*world, method="brute", margin=1e3).distances
    for distance in rng.choice(np.unique(every[every > 0]), 12):
        for margin in (distance, np.nextafter(distance, 0), np.nextafter(distance, np.inf)):
            expected = impinge.collide(*world, method="brute", margin=margin)
            found = impinge.collide(*map(impinge.Mesh, *zip(*world, strict=True)), margin=margin)
            assert_equal(expected, found, margin)
            moved = impinge.collide(a, b, poses=pose[None], margin=margin)
            assert np.array_equal(moved.pairs, expected.pairs)
            scene = impinge.Scene()
            scene.add(*b, pose=pose)
            scene.add(*a)
            turned = np.array(sorted(scene.collide(margin=margin).pairs[:, ::-1].tolist()))
            assert np.array_equal(turned.reshape(-1, 2), expected.pairs)


def ties(rng: np.random.Generator, shift: np.ndarray) -> tuple[Arrays, Arrays]:
    """Two plates of a grid, whole numbers apart; turned by a matrix that rounds nothing."""
    corners = np.array([(x, y, 0) for x in range(4) for y in range(4)], dtype=float)
    index = np.arange(16).reshape(4, 4)
    quads = np.stack([index[:-1, :-1], index[1:, :-1], index[1:, 1:], index[:-1, 1:]], axis=-1)
    faces = quads.reshape(-1, 4)[:, [[0, 1, 2], [0, 2, 3]]].reshape(-1, 3)
    turn = rng.permutation(np.eye(3)) * rng.choice([-1.0, 1.0], 3)
    return (corners @ turn, faces), ((corners + shift) @ turn, faces)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("shift", [(0, 0, 3), (5, 0, 4), (0, 7, 3), (6, 7, 12), (1, 2, 5)])
def test_ties_are_within(shift: tuple[int, ...], seed: int) -> None:
    a, b = ties(np.random.default_rng(seed), np.array(shift, dtype=float))
    gap = np.maximum(np.abs(shift) - np.array([3, 3, 0]), 0)
    distance = float(np.sqrt(gap @ gap))
    for method in ("bvh", "brute"):
        at = impinge.collide(a, b, method=method, margin=distance)
        below = impinge.collide(a, b, method=method, margin=np.nextafter(distance, 0))
        exact = Fraction(distance) ** 2 >= int(gap @ gap)
        assert bool(at) == exact
        assert not below
        if exact:
            assert set(at.distances.tolist()) == {distance}
