"""Elements: forces are minus the derivative of the energy, the stiffness that of the forces."""

from __future__ import annotations

import numpy as np
import pytest

from impinge import simulate
from impinge.simulate.elements import Bending, Tetrahedra, Triangles, hinges, lame_constants
from impinge.simulate.polar import rotations, tangents
from impinge.simulate.system import Elasticity, Part
from support import meshes

LAME, SHEAR = lame_constants(1000.0, 0.3)


def solid() -> tuple[np.ndarray, Elasticity]:
    made = simulate.box((1, 1, 2), cells=(2, 2, 3))
    cells = made.tetrahedra.T.astype(np.int64)
    ones = np.ones(cells.shape[1])
    tetrahedra = Tetrahedra(made.vertices, cells, LAME * ones, SHEAR * ones)
    count = len(made.vertices)
    part = Part(tetrahedra, LAME / SHEAR * ones, slice(0, count))
    return made.vertices, Elasticity(count, [part], np.zeros(count))


def cloth() -> tuple[np.ndarray, Elasticity]:
    vertices, faces = meshes.grid(4, 3)
    cells = faces.T.astype(np.int64)
    lame, shear = lame_constants(1000.0, 0.3, thin=True)
    ones = np.ones(cells.shape[1])
    sheet = Triangles(vertices, cells, lame * ones, shear * ones, 0.1 * ones)
    nodes, weights = hinges(vertices, faces.astype(np.int64), 5.0)
    every = slice(0, len(vertices))
    parts = [
        Part(sheet, lame / shear * ones, every),
        Part(Bending(nodes, weights), np.ones(nodes.shape[1]), every),
    ]
    return vertices, Elasticity(len(vertices), parts, np.zeros(len(vertices)))


BODIES = {"solid": solid, "cloth": cloth}


@pytest.mark.parametrize("kind", BODIES)
def test_a_rigid_motion_gives_no_force(kind: str) -> None:
    rest, elastic = BODIES[kind]()
    rng = np.random.default_rng(1)
    for _ in range(5):
        moved = rest @ meshes.rotation(rng).T + rng.normal(size=3)
        forces, energy = elastic.forces(moved)
        assert np.abs(forces).max() < 1e-10
        assert abs(energy) < 1e-12


@pytest.mark.parametrize("kind", BODIES)
def test_forces_are_the_derivative_of_the_energy(kind: str) -> None:
    rest, elastic = BODIES[kind]()
    rng = np.random.default_rng(2)
    bent = rest @ meshes.rotation(rng).T + 0.05 * rng.normal(size=rest.shape)
    forces, _ = elastic.forces(bent)
    step, way = 1e-6, rng.normal(size=rest.shape)
    change = elastic.forces(bent + step * way)[1] - elastic.forces(bent - step * way)[1]
    assert change / (2 * step) == pytest.approx(-np.vdot(forces, way), rel=1e-6)


@pytest.mark.parametrize("kind", BODIES)
def test_forces_turn_with_the_body_and_sum_to_zero(kind: str) -> None:
    rest, elastic = BODIES[kind]()
    rng = np.random.default_rng(3)
    bent = rest + 0.1 * rng.normal(size=rest.shape)
    turn = meshes.rotation(rng)
    forces, _ = elastic.forces(bent)
    size = np.abs(forces).sum()
    np.testing.assert_allclose(elastic.forces(bent @ turn.T)[0], forces @ turn.T, atol=1e-9 * size)
    assert np.abs(forces.sum(axis=0)).max() < 1e-12 * size
    assert np.abs(np.cross(bent, forces).sum(axis=0)).max() < 1e-10 * size


def dense(elastic: Elasticity, step: float) -> np.ndarray:
    """The matrix, column by column."""
    blocks = elastic.blocks(step)
    columns = np.eye(3 * elastic.pattern.size)
    return np.stack([elastic.pattern.product(blocks, column, 2) for column in columns], axis=1)


@pytest.mark.parametrize("kind", BODIES)
def test_stiffness_is_the_derivative_at_rest(kind: str) -> None:
    rest, elastic = BODIES[kind]()
    rng = np.random.default_rng(4)
    rest = rest @ meshes.rotation(rng).T
    elastic.forces(rest)
    matrix = dense(elastic, 1.0)
    way = rng.normal(size=rest.shape)
    forces = (elastic.forces(rest + 1e-6 * way)[0] - elastic.forces(rest - 1e-6 * way)[0]) / 2e-6
    np.testing.assert_allclose(-(matrix @ way.reshape(-1)), forces.reshape(-1), atol=1e-4)


@pytest.mark.parametrize("kind", BODIES)
def test_the_matrix_is_symmetric_and_positive(kind: str) -> None:
    rest, elastic = BODIES[kind]()
    rng = np.random.default_rng(5)
    elastic.forces(rest + 0.2 * rng.normal(size=rest.shape))
    matrix = dense(elastic, 0.1)
    np.testing.assert_allclose(matrix, matrix.T, atol=1e-9)
    assert np.linalg.eigvalsh(matrix).min() > -1e-9 * np.abs(matrix).max()
    # moving all nodes alike costs nothing
    assert np.abs(matrix @ np.tile(np.eye(3), (len(rest), 1))).max() < 1e-9


def test_rotations_are_those_of_the_svd() -> None:
    rng = np.random.default_rng(6)
    matrices = rng.normal(size=(500, 3, 3))
    matrices[:5] = 0.0
    matrices[5:10, 2] = matrices[5:10, 1]
    found = np.moveaxis(rotations(np.ascontiguousarray(np.moveaxis(matrices, 0, 2))), 2, 0)
    np.testing.assert_allclose(found @ np.swapaxes(found, 1, 2), np.eye(3) + 0 * found, atol=1e-9)
    np.testing.assert_allclose(np.linalg.det(found), 1.0)
    left, size, right = np.linalg.svd(matrices[10:])
    left[:, :, 2] *= np.linalg.det(left @ right)[:, None]
    clear = size[:, 2] > 1e-3
    np.testing.assert_allclose(found[10:][clear], (left @ right)[clear], atol=1e-7)


def test_tangents_are_orthonormal_and_nearest() -> None:
    rng = np.random.default_rng(7)
    matrices = rng.normal(size=(300, 3, 2))
    found, normal = tangents(np.ascontiguousarray(np.moveaxis(matrices, 0, 2)))
    found = np.moveaxis(found, 2, 0)
    left, _, right = np.linalg.svd(matrices, full_matrices=False)
    np.testing.assert_allclose(found, left @ right, atol=1e-7)
    np.testing.assert_allclose(normal.T, np.cross(found[:, :, 0], found[:, :, 1]), atol=1e-7)


def test_bending_resists_bending_only() -> None:
    vertices, faces = meshes.grid(8, 8)
    nodes, weights = hinges(vertices, faces.astype(np.int64), 1.0)
    bending = Bending(nodes, weights)
    # a flat sheet may be stretched for free
    assert bending.forces(vertices * (1.3, 0.8, 1.0))[1] == pytest.approx(0.0, abs=1e-20)
    # on a cylinder it grows with the squared curvature, and with the area away from the border
    x, y = vertices[:, 0], vertices[:, 1]
    energies = []
    for radius in (10.0, 20.0):
        rolled = np.stack([radius * np.sin(x / radius), y, radius * np.cos(x / radius)], axis=1)
        energies.append(bending.forces(rolled)[1] * radius**2)
    assert energies[0] == pytest.approx(energies[1], rel=1e-2)
    # half the squared mean curvature, times a factor of the mesh: 3 where it is cut along the axis
    assert energies[0] == pytest.approx(0.5 * 3 * 7 / 8, rel=1e-2)


def test_many_bodies_are_those_one_by_one() -> None:
    """Bodies are joined to parts of a few thousand elements; the parting changes nothing."""
    solid = simulate.torus(around=24, across=12)
    rng = np.random.default_rng(8)
    moves = rng.normal(size=(9, *solid.vertices.shape)) * 0.01

    def velocities(shapes: list[str]) -> list[np.ndarray]:
        world = simulate.World(method=None, tolerance=1e-12)
        bodies = []
        for number, shape in enumerate(shapes):
            if shape == "cloth":
                bodies.append(world.add_cloth(solid.mesh, name="cloth"))
            else:
                bodies.append(world.add(solid, young=1e4 * (number % 3 + 1)))
            bodies[-1].positions = bodies[-1].positions + moves[number][: len(bodies[-1].rest)]
        world.step(0.01)
        return [body.velocities for body in bodies if body.sheet is None]

    mixed = velocities(["solid", "cloth", *["solid"] * 7])
    plain = velocities(["solid", "solid", *["solid"] * 7])
    for a, b in zip(mixed[1:], plain[2:], strict=True):
        np.testing.assert_allclose(a, b, atol=1e-9)
