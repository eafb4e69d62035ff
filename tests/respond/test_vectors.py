"""Response vectors: what rule they follow, and what they do when the scene is turned."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import impinge
from impinge.respond import responses, unit_normals
from support import meshes

FEW = settings(max_examples=30)
seeds = st.integers(0, 2**32 - 1)
TURNS = [
    np.array(matrix, dtype=float)
    for matrix in ([[0, 0, 1], [1, 0, 0], [0, 1, 0]], [[0, -1, 0], [1, 0, 0], [0, 0, 1]])
]


@st.composite
def crowds(draw: st.DrawFn) -> tuple[meshes.Arrays, meshes.Arrays]:
    """Two heaps of triangles, on a lattice half of the time: touching, coplanar, degenerate."""
    rng = np.random.default_rng(draw(seeds))
    if draw(st.booleans()):
        return meshes.soup(rng.integers(0, 4, (12, 3, 3))), meshes.soup(
            rng.integers(0, 4, (9, 3, 3))
        )
    return meshes.soup(rng.normal(size=(12, 3, 3))), meshes.soup(rng.normal(size=(9, 3, 3)))


def lengths(vectors: np.ndarray) -> np.ndarray:
    return np.linalg.norm(vectors, axis=-1)


def assert_unit_or_zero(vectors: np.ndarray) -> None:
    length = lengths(vectors)
    assert np.all((length == 0.0) | (np.abs(length - 1.0) < 1e-12))


def by_rule(hits: impinge.Collisions, a: meshes.Arrays, b: meshes.Arrays) -> np.ndarray:
    """The rule as it is written, one pair at a time."""
    rows = []
    for i, j in hits.pairs:
        n_a, n_b = (unit_normals(m[0][m[1][k]][None])[0] for m, k in ((a, i), (b, j)))
        difference = n_b - n_a
        size = np.linalg.norm(difference)
        rows.append(n_b if size < 1e-6 else difference / size)
    return np.array(rows).reshape(-1, 3)


@FEW
@given(crowds())
def test_pairs_follow_the_rule(crowd: tuple[meshes.Arrays, meshes.Arrays]) -> None:
    hits = impinge.collide(*crowd)
    found = responses(hits)
    assert found.pairs.shape == (len(hits), 2, 3)
    np.testing.assert_allclose(found.pairs[:, 0], by_rule(hits, *crowd), atol=1e-9)
    np.testing.assert_array_equal(found.pairs[:, 1], -found.pairs[:, 0])
    assert_unit_or_zero(found.pairs)


@FEW
@given(crowds())
def test_faces_get_the_sum_of_their_pairs(crowd: tuple[meshes.Arrays, meshes.Arrays]) -> None:
    hits = impinge.collide(*crowd)
    found = responses(hits)
    assert_unit_or_zero(found.vectors)
    rows = np.column_stack([found.bodies, found.faces])
    np.testing.assert_array_equal(rows, np.unique(rows, axis=0))
    expected = {(side, int(face)) for side in (0, 1) for face in hits.pairs[:, side]}
    assert {(int(body), int(face)) for body, face in rows} == expected
    for (body, face), vector in zip(rows, found.vectors, strict=True):
        total = found.pairs[hits.pairs[:, body] == face, body].sum(axis=0)
        if np.linalg.norm(total) > 1e-5:
            np.testing.assert_allclose(vector, total / np.linalg.norm(total), atol=1e-9)


@FEW
@given(crowds())
def test_swapped_operands_swap_the_vectors(crowd: tuple[meshes.Arrays, meshes.Arrays]) -> None:
    a, b = crowd
    forth, back = impinge.collide(a, b), impinge.collide(b, a)
    order = np.lexsort((forth.pairs[:, 0], forth.pairs[:, 1]))
    one, other = responses(forth).pairs[order], responses(back).pairs[:, ::-1]
    # where both normals are equal the second operand decides
    normals = [unit_normals(m[0][m[1]])[forth.pairs[order, k]] for k, m in enumerate((a, b))]
    differ = lengths(normals[1] - normals[0]) > 1e-5
    np.testing.assert_allclose(one[differ], other[differ], atol=1e-12)
    np.testing.assert_allclose(np.abs(one), np.abs(other), atol=1e-5)


@FEW
@given(crowds(), st.sampled_from(TURNS))
def test_a_quarter_turn_turns_the_vectors(
    crowd: tuple[meshes.Arrays, meshes.Arrays], turn: np.ndarray
) -> None:
    a, b = crowd
    still = responses(impinge.collide(a, b))
    turned = responses(impinge.collide((a[0] @ turn.T, a[1]), (b[0] @ turn.T, b[1])))
    np.testing.assert_allclose(turned.pairs, still.pairs @ turn.T, atol=1e-9)
    np.testing.assert_array_equal(turned.faces, still.faces)


@FEW
@given(seeds)
def test_a_rigid_motion_turns_the_vectors(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = meshes.sphere(6), meshes.moved(meshes.sphere(5), rng.uniform(-0.9, 0.9, 3))
    pose = meshes.pose(rng)
    before, after = (
        impinge.collide(a, b),
        impinge.collide(meshes.posed(a, pose), meshes.posed(b, pose)),
    )
    assume(np.array_equal(before.pairs, after.pairs))
    still, turned = responses(before), responses(after)
    assume(lengths(still.pairs[:, 0]).min(initial=1.0) > 0.5)
    np.testing.assert_allclose(turned.pairs, still.pairs @ pose[:3, :3].T, atol=1e-6)
    np.testing.assert_allclose(turned.vectors, still.vectors @ pose[:3, :3].T, atol=1e-4)


def test_poses_have_vectors_of_their_own() -> None:
    a, b = meshes.sphere(5), meshes.sphere(4)
    rng = np.random.default_rng(5)
    poses = np.stack([meshes.pose(rng) for _ in range(6)])
    many = impinge.collide(a, b, poses=poses)
    found = responses(many)
    assert found.pose is not None
    for index, pose in enumerate(poses):
        alone = responses(impinge.collide(a, meshes.posed(b, pose)))
        rows = found.pose == index
        np.testing.assert_array_equal(found.pairs[many.pose == index], alone.pairs)
        np.testing.assert_array_equal(found.faces[rows], alone.faces)
        np.testing.assert_array_equal(found.bodies[rows], alone.bodies)
        np.testing.assert_array_equal(found.vectors[rows], alone.vectors)


def test_bodies_of_a_scene_go_out_of_each_other() -> None:
    scene = impinge.Scene()
    for x in (0.0, 1.5, 3.0):
        scene.add(*meshes.moved(meshes.sphere(8), (x, 0, 0)))
    hits = scene.collide()
    found = responses(hits)
    assert found.pose is None
    first = found.vectors[found.bodies == 0].mean(axis=0)
    last = found.vectors[found.bodies == 2].mean(axis=0)
    assert first[0] < -0.5
    assert last[0] > 0.5


def test_a_body_with_itself() -> None:
    mesh = meshes.merge(meshes.sphere(6), meshes.moved(meshes.sphere(6), (1.1, 0.2, 0.1)))
    found = responses(impinge.self_collide(mesh))
    assert len(found) > 0
    assert set(found.bodies.tolist()) == {0}
    assert_unit_or_zero(found.vectors)


def test_equal_normals_take_the_second() -> None:
    triangle = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]])
    a, b = meshes.soup(triangle[None]), meshes.soup(triangle[None] + [0.2, 0.2, 0])
    np.testing.assert_array_equal(responses(impinge.collide(a, b)).pairs, [[[0, 0, 1], [0, 0, -1]]])


def test_faces_without_area_follow_the_other_normal() -> None:
    solid = meshes.soup(np.array([[[0.0, 0, 0], [3, 0, 0], [0, 3, 0]]]))
    needle = meshes.soup(np.array([[[1.0, 1, -1], [1, 1, 1], [1, 1, 0.5]]]))
    along = [[[0, 0, -1], [0, 0, 1]]]
    np.testing.assert_array_equal(responses(impinge.collide(solid, needle)).pairs, along)
    np.testing.assert_array_equal(
        responses(impinge.collide(needle, solid)).pairs, np.negative(along)
    )
    both = responses(impinge.collide(needle, needle))
    np.testing.assert_array_equal(both.pairs, np.zeros((1, 2, 3)))
    np.testing.assert_array_equal(both.vectors, np.zeros((2, 3)))


@pytest.mark.parametrize("scale", [1e-200, 1e-100, 1.0, 1e99])
def test_normals_of_any_size(scale: float) -> None:
    corners = np.array([[[1.0, 0, 0], [0, 1, 0], [0, 0, 1]], [[0.0, 0, 0], [1, 1, 1], [3, 3, 3]]])
    found = unit_normals(corners * scale)
    np.testing.assert_allclose(found, [[3**-0.5] * 3, [0, 0, 0]], atol=1e-12)


@FEW
@given(seeds)
def test_collinear_corners_have_no_normal(seed: int) -> None:
    rng = np.random.default_rng(seed)
    # whole numbers on one line, so that the corners are collinear without rounding
    base, along = rng.integers(-(2**20), 2**20, (2, 50, 1, 3))
    corners = (base + along * rng.integers(-(2**20), 2**20, (50, 3, 1))).astype(np.float64)
    np.testing.assert_array_equal(unit_normals(corners), 0.0)


def test_results_cannot_be_written() -> None:
    found = responses(impinge.collide(meshes.box(), meshes.box((0.5,) * 3, (2,) * 3)))
    for array in (found.pairs, found.bodies, found.faces, found.vectors):
        assert not array.flags.writeable
    with pytest.raises(AttributeError):
        found.faces = None  # type: ignore[misc]


def test_nothing_found_gives_empty_arrays() -> None:
    found = responses(impinge.collide(meshes.box(), meshes.box((5,) * 3, (6,) * 3)))
    assert len(found) == 0
    assert found.pairs.shape == (0, 2, 3)
    assert found.vectors.shape == (0, 3)
    assert repr(found) == "Responses(0 faces of 0 pairs)"
