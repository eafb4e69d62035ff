"""What must not change the answer, and what must change it in one known way."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import impinge
from conformance.methods import able
from support.compare import answer, assert_same
from support.meshes import Arrays, arrays

FEW = settings(max_examples=40)

seeds = st.integers(0, 2**32 - 1)
methods = st.sampled_from(able("pairs", "bodies", "self"))
signs_of_axes = st.tuples(*[st.sampled_from([-1, 1])] * 3)


@st.composite
def lattice_meshes(draw: st.DrawFn, *, faces: int = 14) -> Arrays:
    """Faces over few small integer vertices: touching, coplanar, degenerate, duplicate."""
    size = draw(st.integers(2, 4))
    points = draw(st.lists(st.tuples(*[st.integers(0, size)] * 3), min_size=3, max_size=12))
    corner = st.integers(0, len(points) - 1)
    triples = draw(st.lists(st.tuples(corner, corner, corner), min_size=0, max_size=faces))
    return arrays(points, triples)


coordinates = st.floats(-1e6, 1e6, width=32) | st.sampled_from([0.0, -0.0, 1.0, 0.1, 1e-300])


@st.composite
def float_meshes(draw: st.DrawFn) -> Arrays:
    points = draw(st.lists(st.tuples(*[coordinates] * 3), min_size=3, max_size=9))
    corner = st.integers(0, len(points) - 1)
    triples = draw(st.lists(st.tuples(corner, corner, corner), min_size=1, max_size=8))
    return arrays(points, triples)


meshes = lattice_meshes() | float_meshes()


def mapped(mesh: Arrays, change: object) -> Arrays:
    return arrays(change(mesh[0]), mesh[1])


def renumbered(found: tuple, rows: np.ndarray, columns: np.ndarray, *, ordered: bool) -> tuple:
    """Pairs with the faces' new numbers; i < j restored when both are of one mesh."""
    pairs = np.column_stack([rows[found[0][:, 0]], columns[found[0][:, 1]]])
    if ordered:
        pairs = np.sort(pairs, axis=1)
    order = np.lexsort((pairs[:, 1], pairs[:, 0]))
    return pairs[order], found[1][order]


@FEW
@given(meshes, meshes, methods)
def test_symmetry(a: Arrays, b: Arrays, method: str) -> None:
    found = answer(impinge.collide(a, b, method=method))
    order = np.lexsort((found[0][:, 0], found[0][:, 1]))
    swapped = found[0][order][:, ::-1], found[1][order]
    assert_same(swapped, answer(impinge.collide(b, a, method=method)), b, a)


@FEW
@given(meshes, meshes, st.integers(-20, 30), methods)
def test_power_of_two_scaling(a: Arrays, b: Arrays, exponent: int, method: str) -> None:
    def scale(vertices: np.ndarray) -> np.ndarray:
        return np.ldexp(vertices, exponent)

    c, d = mapped(a, scale), mapped(b, scale)
    expected = answer(impinge.collide(a, b, method=method))
    assert_same(expected, answer(impinge.collide(c, d, method=method)), c, d)
    alone = answer(impinge.self_collide(a, method=method))
    assert_same(alone, answer(impinge.self_collide(c, method=method)), c)


@FEW
@given(
    meshes, meshes, st.permutations(range(3)), st.tuples(*[st.sampled_from([-1, 1])] * 3), methods
)
def test_axes_permuted_and_mirrored(
    a: Arrays, b: Arrays, axes: list[int], signs: tuple[int, int, int], method: str
) -> None:
    def turn(vertices: np.ndarray) -> np.ndarray:
        return vertices[:, axes] * np.array(signs)

    c, d = mapped(a, turn), mapped(b, turn)
    expected = answer(impinge.collide(a, b, method=method))
    assert_same(expected, answer(impinge.collide(c, d, method=method)), c, d)
    alone = answer(impinge.self_collide(a, method=method))
    assert_same(alone, answer(impinge.self_collide(c, method=method)), c)


@FEW
@given(lattice_meshes(), lattice_meshes(), st.tuples(*[st.integers(-(2**40), 2**40)] * 3), methods)
def test_integer_translation(
    a: Arrays, b: Arrays, offset: tuple[int, int, int], method: str
) -> None:
    def shift(vertices: np.ndarray) -> np.ndarray:
        return vertices + np.array(offset, dtype=np.float64)

    c, d = mapped(a, shift), mapped(b, shift)
    expected = answer(impinge.collide(a, b, method=method))
    assert_same(expected, answer(impinge.collide(c, d, method=method)), c, d)
    alone = answer(impinge.self_collide(a, method=method))
    assert_same(alone, answer(impinge.self_collide(c, method=method)), c)


@FEW
@given(lattice_meshes(), st.integers(-3, 3), st.integers(-3, 3), methods)
def test_integer_shear(a: Arrays, s: int, t: int, method: str) -> None:
    """Affine maps with integer entries are exact too, and keep every kind."""
    matrix = np.array([[1, s, 0], [0, 1, 0], [t, 0, 1]], dtype=np.float64)
    c = mapped(a, lambda vertices: vertices @ matrix.T)
    expected = answer(impinge.self_collide(a, method=method))
    assert_same(expected, answer(impinge.self_collide(c, method=method)), c)


@FEW
@given(meshes, meshes, seeds, methods)
def test_permuted_faces(a: Arrays, b: Arrays, seed: int, method: str) -> None:
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(a[1]))
    rank = np.argsort(order)
    c = arrays(a[0], rng.permuted(a[1][order], axis=1))
    both = answer(impinge.collide(a, b, method=method))
    expected = renumbered(both, rank, np.arange(len(b[1])), ordered=False)
    assert_same(expected, answer(impinge.collide(c, b, method=method)), c, b)
    alone = renumbered(answer(impinge.self_collide(a, method=method)), rank, rank, ordered=True)
    assert_same(alone, answer(impinge.self_collide(c, method=method)), c)


@FEW
@given(meshes, meshes, seeds, methods)
def test_permuted_and_unwelded_vertices(a: Arrays, b: Arrays, seed: int, method: str) -> None:
    """Only coordinates count: neither the numbers of the vertices nor how many copies there are."""
    order = np.random.default_rng(seed).permutation(len(a[0]))
    permuted = arrays(a[0][order], np.argsort(order)[a[1]])
    copied = arrays(a[0][a[1]], np.arange(a[1].size))
    for c in (permuted, copied):
        expected = answer(impinge.collide(a, b, method=method))
        assert_same(expected, answer(impinge.collide(c, b, method=method)), c, b)
        alone = answer(impinge.self_collide(a, method=method))
        assert_same(alone, answer(impinge.self_collide(c, method=method)), c)


@FEW
@given(meshes, meshes, st.integers(1, 5), methods)
def test_number_of_workers(a: Arrays, b: Arrays, workers: int, method: str) -> None:
    expected = answer(impinge.collide(a, b, method=method))
    found = impinge.collide(a, b, method=method, workers=workers)
    assert_same(expected, answer(found), a, b)


@FEW
@given(meshes, meshes, seeds, methods)
def test_split_into_bodies(a: Arrays, b: Arrays, seed: int, method: str) -> None:
    """A mesh cut into bodies collides with another one in the same faces."""
    part = np.random.default_rng(seed).integers(0, 3, len(a[1]))
    scene = impinge.Scene()
    scene.add(b, name="whole")
    members = [np.flatnonzero(part == k) for k in range(3)]
    for member in members:
        scene.add(a[0], a[1][member])
    for k in range(1, 4):
        for other in range(1, k):
            scene.ignore(other, k)
    hits = scene.collide(method=method)
    assert np.all(hits.bodies[:, 0] == 0)
    original = np.zeros((4, len(a[1]) + 1), dtype=np.int64)
    for k, member in enumerate(members, start=1):
        original[k, : len(member)] = member
    pairs = np.column_stack([original[hits.bodies[:, 1], hits.pairs[:, 1]], hits.pairs[:, 0]])
    order = np.lexsort((pairs[:, 1], pairs[:, 0]))
    expected = answer(impinge.collide(a, b, method=method))
    assert_same(expected, (pairs[order], hits.kinds[order]), a, b)


@FEW
@given(meshes, meshes, seeds, methods)
def test_removing_faces_removes_their_pairs(a: Arrays, b: Arrays, seed: int, method: str) -> None:
    keep = np.random.default_rng(seed).random(len(a[1])) < 0.6
    fewer = arrays(a[0], a[1][keep])
    number = np.cumsum(keep) - 1
    pairs, kinds = answer(impinge.collide(a, b, method=method))
    stays = keep[pairs[:, 0]]
    expected = (
        np.column_stack([number[pairs[stays, 0]], pairs[stays, 1]]),
        kinds[stays],
    )
    assert_same(expected, answer(impinge.collide(fewer, b, method=method)), fewer, b)
    pairs, kinds = answer(impinge.self_collide(a, method=method))
    stays = keep[pairs].all(axis=1)
    alone = number[pairs[stays]], kinds[stays]
    assert_same(alone, answer(impinge.self_collide(fewer, method=method)), fewer)


@FEW
@given(meshes, meshes, methods)
def test_exclude_is_the_crossings_of_include(a: Arrays, b: Arrays, method: str) -> None:
    pairs, kinds = answer(impinge.collide(a, b, method=method))
    proper = kinds == impinge.Kind.CROSSING
    found = impinge.collide(a, b, method=method, touching="exclude")
    assert_same((pairs[proper], kinds[proper]), answer(found), a, b)


@FEW
@given(meshes, meshes, seeds, methods)
def test_ignored_face_pairs_are_left_out(a: Arrays, b: Arrays, seed: int, method: str) -> None:
    pairs, kinds = answer(impinge.collide(a, b, method=method))
    ignored = np.random.default_rng(seed).random(len(pairs)) < 0.5
    found = impinge.collide(a, b, method=method, ignore=pairs[ignored])
    assert_same((pairs[~ignored], kinds[~ignored]), answer(found), a, b)


@pytest.mark.parametrize("method", able("pairs"))
def test_a_result_twice(method: str) -> None:
    rng = np.random.default_rng(0)
    a, b = (arrays(rng.normal(size=(60, 3)), np.arange(60)) for _ in range(2))
    first, second = (impinge.collide(a, b, method=method) for _ in range(2))
    assert first.pairs.tobytes() == second.pairs.tobytes()
    assert first.segments.tobytes() == second.segments.tobytes()
