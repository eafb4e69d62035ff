"""Penalty forces: they keep momentum, and their stiffness is their derivative."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

import impinge
from impinge.respond import Forces, penalty_forces, vertex_areas
from impinge.results.columns import Origin
from impinge.results.contact_points import ContactPoints

SIZES = (7, 5, 9)
STIFFNESS = 30.0


def bodies(rng: np.random.Generator) -> list[np.ndarray]:
    return [rng.normal(size=(size, 3)) for size in SIZES]


def some_points(
    rng: np.random.Generator, positions: list[np.ndarray], rest: float
) -> ContactPoints:
    """20 contacts of a vertex with a face, 20 of an edge with an edge."""
    pairs = rng.integers(0, len(SIZES), size=(40, 2)).astype(np.int32)
    b, (s, t) = rng.dirichlet((1, 1, 1), size=20), rng.uniform(size=(2, 20))
    coefficients = np.concatenate(
        [
            np.concatenate([np.ones((20, 1)), -b], axis=1),
            np.stack([1 - s, s, -(1 - t), -t], axis=1),
        ]
    )
    firsts = np.repeat([1, 2], 20)
    owners = np.where(np.arange(4) < firsts[:, None], pairs[:, :1], pairs[:, 1:])
    vertices = rng.integers(0, np.array(SIZES)[owners])
    normals = rng.normal(size=(40, 3))
    weights = rng.uniform(0.1, 1.0, size=40) if rest == 0.0 else np.ones(40)
    return placed(
        positions,
        {
            "bodies": pairs,
            "vertices": vertices.astype(np.int32),
            "owners": owners.astype(np.int32),
            "coefficients": coefficients,
            "normals": normals / np.linalg.norm(normals, axis=1)[:, None],
            "weights": weights,
            "rest": np.full(40, rest),
            "faces": np.full(40, -1, dtype=np.int32),
        },
    )


def placed(positions: list[np.ndarray], arrays: dict[str, np.ndarray]) -> ContactPoints:
    """The contacts with their points where the vertices are."""
    offsets = np.concatenate([[0], np.cumsum(SIZES)])
    corners = np.concatenate(positions)[offsets[arrays["owners"]] + arrays["vertices"]]
    weighted = arrays["coefficients"][..., None] * corners
    first = np.where(arrays["coefficients"][..., None] > 0, weighted, 0.0).sum(axis=1)
    points = np.stack([first, first - weighted.sum(axis=1)], axis=1)
    shapes = tuple(impinge.Mesh(v, np.zeros((0, 3), dtype=int))._shape for v in positions)
    return ContactPoints(**arrays, points=points, _origin=Origin("test", {}, shapes))


def again(old: ContactPoints, positions: list[np.ndarray]) -> ContactPoints:
    names = ("bodies", "vertices", "owners", "coefficients")
    names += ("normals", "weights", "rest", "faces")
    return placed(positions, {name: getattr(old, name) for name in names})


def matrix(forces: Forces) -> np.ndarray:
    rows, columns, blocks = forces.blocks()
    size = int(forces.offsets[-1])
    k = np.arange(3)
    at_row = (rows[:, None, None] * 3 + k[:, None]) * np.ones((3, 3), dtype=int)
    at_column = (columns[:, None, None] * 3 + k) * np.ones((3, 3), dtype=int)
    places = (at_row.reshape(-1), at_column.reshape(-1))
    return sparse.coo_matrix((blocks.reshape(-1), places), (3 * size, 3 * size)).toarray()


@pytest.mark.parametrize("rest", [0.0, 1.5])
def test_forces_and_torques_sum_to_zero(rest: float) -> None:
    rng = np.random.default_rng(1)
    positions = bodies(rng)
    forces = penalty_forces(some_points(rng, positions, rest), STIFFNESS)
    assert [f.shape for f in forces.bodies] == [(size, 3) for size in SIZES]
    vectors, at = np.concatenate(forces.bodies), np.concatenate(positions)
    size = np.abs(vectors).sum()
    assert np.abs(vectors.sum(axis=0)).max() < 1e-14 * size
    assert np.abs(np.cross(at, vectors).sum(axis=0)).max() < 1e-14 * size * np.abs(at).max()


def test_ray_contacts_pull_and_proximity_contacts_push() -> None:
    rng = np.random.default_rng(2)
    positions = bodies(rng)
    ray, near = some_points(rng, positions, 0.0), some_points(rng, positions, 1.5)
    gap = ray.points[:, 0] - ray.points[:, 1]
    expected = -STIFFNESS * ray.weights[:, None] * gap
    published = penalty_forces(ray, STIFFNESS, contact="published")
    np.testing.assert_allclose(published.vectors, expected, rtol=1e-14)
    gap = near.points[:, 0] - near.points[:, 1]
    distance = np.linalg.norm(gap, axis=1)[:, None]
    expected = STIFFNESS * np.maximum(1.5 - distance, 0.0) * gap / distance
    assert 0 < np.count_nonzero(expected[:, 0]) < len(near)
    np.testing.assert_allclose(penalty_forces(near, STIFFNESS).vectors, expected, atol=1e-12)


def test_points_that_coincide_are_pushed_along_the_normal() -> None:
    rng = np.random.default_rng(3)
    positions = bodies(rng)
    some = some_points(rng, positions, 0.2)
    arrays = {name: getattr(some, name) for name in some.__dataclass_fields__}
    arrays["points"] = np.repeat(some.points[:, :1], 2, axis=1)
    forces = penalty_forces(ContactPoints(**arrays), STIFFNESS)
    np.testing.assert_allclose(forces.vectors, 0.2 * STIFFNESS * some.normals)


@pytest.mark.parametrize("rest", [0.0, 1.5])
def test_stiffness_is_symmetric_and_negative(rest: float) -> None:
    rng = np.random.default_rng(4)
    k = matrix(penalty_forces(some_points(rng, bodies(rng), rest), STIFFNESS))
    np.testing.assert_allclose(k, k.T, atol=1e-12)
    assert np.linalg.eigvalsh(k).max() < 1e-11


def test_stiffness_is_the_derivative_of_the_forces() -> None:
    rng = np.random.default_rng(5)
    positions = bodies(rng)
    old = some_points(rng, positions, 0.0)
    before = penalty_forces(old, STIFFNESS, contact="published")
    step = [1e-3 * rng.normal(size=p.shape) for p in positions]
    moved = [p + d for p, d in zip(positions, step, strict=True)]
    after = penalty_forces(again(old, moved), STIFFNESS, contact="published")
    change = np.concatenate(after.bodies) - np.concatenate(before.bodies)
    predicted = (matrix(before) @ np.concatenate(step).reshape(-1)).reshape(-1, 3)
    np.testing.assert_allclose(change, predicted, atol=1e-10)
    # the energy is that of the force: its change is the work done against it
    mean = 0.5 * (np.concatenate(after.bodies) + np.concatenate(before.bodies))
    work = -np.sum(mean * np.concatenate(step))
    assert after.energies.sum() - before.energies.sum() == pytest.approx(work, rel=1e-9)


def test_proximity_stiffness_is_the_derivative_along_the_contact() -> None:
    rng = np.random.default_rng(6)
    positions = bodies(rng)
    forces = penalty_forces(some_points(rng, positions, 1.5), STIFFNESS)
    gap = forces.contact_points.points[:, 0] - forces.contact_points.points[:, 1]
    near = np.linalg.norm(gap, axis=1) < 1.5
    away = gap / np.linalg.norm(gap, axis=1)[:, None]
    along = np.einsum("nij,nj->ni", forces.stiffness, away)
    np.testing.assert_allclose(along, STIFFNESS * near[:, None] * away, atol=1e-12)


def test_area_weight_scales_by_the_area_at_the_first_point() -> None:
    rng = np.random.default_rng(7)
    positions = bodies(rng)
    some = some_points(rng, positions, 0.0)
    plain = penalty_forces(some, STIFFNESS)
    twos = penalty_forces(some, STIFFNESS, area_weight=[np.full(size, 2.0) for size in SIZES])
    np.testing.assert_allclose(twos.vectors, 2.0 * plain.vectors)
    np.testing.assert_allclose(twos.stiffness, 2.0 * plain.stiffness)
    with pytest.raises(impinge.InputError, match="one number per vertex"):
        penalty_forces(some, STIFFNESS, area_weight=[np.ones(3)])


def test_areas_of_vertices_sum_to_the_area() -> None:
    corners = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], dtype=float)
    areas = vertex_areas(corners, np.array([[0, 1, 2], [0, 2, 3]]))
    np.testing.assert_allclose(areas, [1 / 3, 1 / 6, 1 / 3, 1 / 6])


@pytest.mark.parametrize("value", [-1.0, np.nan, np.inf])
def test_stiffness_must_be_a_number(value: float) -> None:
    rng = np.random.default_rng(8)
    with pytest.raises(impinge.InputError, match="stiffness"):
        penalty_forces(some_points(rng, bodies(rng), 0.0), value)
