"""The solver of a step: the answer of a direct one, also where it goes on with multigrid."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse.linalg import spsolve

from impinge import simulate
from impinge.simulate import assembly, system
from support import meshes


def draped(workers: int = 1, young: float = 1e7) -> simulate.World:
    """A cloth of 3,721 nodes that lies on a ball, with a corner held: stiff for such a step."""
    world = simulate.World(method="proximity", workers=workers)
    ball = world.add_rigid(simulate.ball(0.5).mesh)
    world.fix(ball)
    vertices, faces = meshes.grid(60, 60)
    vertices = (vertices - vertices.mean(axis=0)) * (2.0 / np.ptp(vertices[:, 0]))
    cloth = world.add_cloth(vertices + np.array([0.0, 0.0, 0.505]), faces, young=young)
    world.fix(cloth, [0])
    return world


def direct(each: system.System, right: np.ndarray, held: np.ndarray) -> np.ndarray:
    """The velocities (n, 3) by elimination."""
    pattern, count = each._pattern, 3 * len(held)
    starts = np.searchsorted(pattern.rows, np.arange(len(held) + 1))
    places = (each._blocks, pattern._keys % pattern.size, starts)
    matrix = sparse.bsr_array(places, shape=(count, count)).tocsr()
    if each._pulls is not None:
        matrix = matrix + each._square * (each._pulls.T @ each._pulls)
    free = np.flatnonzero(~np.repeat(held, 3))
    result = np.zeros(count)
    result[free] = spsolve(matrix[free][:, free].tocsc(), right.reshape(-1)[free])
    return result.reshape(-1, 3)


def test_multigrid_gives_the_answer_of_a_direct_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    errors = []
    solve = system.System.solve

    def watched(each: system.System, right: np.ndarray, *rest: object, **more: object) -> object:
        truth = direct(each, right, rest[1])
        solution = solve(each, right, *rest, **more)
        assert solution.iterations > system._SOON
        errors.append(np.abs(solution.velocities - truth).max() / np.abs(truth).max())
        return solution

    monkeypatch.setattr(system.System, "solve", watched)
    world = draped()
    contacts = [world.step(0.05).contact_points for _ in range(2)]
    assert max(contacts) > 0
    assert max(errors) < 1e-3


def test_multigrid_saves_most_iterations(monkeypatch: pytest.MonkeyPatch) -> None:
    guided = draped().step(0.05).iterations
    monkeypatch.setattr(system, "_MANY_NODES", 10**9)
    assert guided < 0.5 * draped().step(0.05).iterations


def test_threads_do_not_change_a_step() -> None:
    one, two = draped(1), draped(2)
    for world in (one, two):
        world.step(0.05)
    np.testing.assert_array_equal(one.bodies[1].positions, two.bodies[1].positions)


@pytest.mark.parametrize("kind", ["cloth", "solid"])
def test_large_bodies_are_cut_and_are_the_same(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    """Forces and matrix of a body do not depend on how many of its elements go together."""

    def made(workers: int) -> tuple[np.ndarray, float, np.ndarray]:
        world = simulate.World(method=None, workers=workers)
        if kind == "cloth":
            body = world.add_cloth(*meshes.grid(12, 12))
        else:
            body = world.add(simulate.box(cells=4))
        world.add(simulate.ball(0.3))
        shake = np.random.default_rng(5).normal(scale=0.01, size=body.positions.shape)
        body.positions = body.positions + shake
        forces, energy = world._inner().forces(world._positions)
        return forces, energy, world._inner().blocks(0.02).copy()

    whole = made(1)
    monkeypatch.setattr(assembly, "_MOST_TOGETHER", 50)
    one, two = made(1), made(2)
    for a, b, c in zip(whole, one, two, strict=True):
        np.testing.assert_array_equal(b, c)
        np.testing.assert_allclose(b, a, rtol=1e-9, atol=1e-9 * np.abs(a).max())


def test_what_threads_raise_is_raised() -> None:
    """And what is told about numbers in the caller holds in them."""
    parts = simulate.World(method=None, workers=2)
    parts.add(simulate.box(cells=2))
    each = parts._inner()._each
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError):
        each(lambda x: np.ones(3) / x, [np.zeros(3), np.ones(3)])
    with np.errstate(divide="ignore"):
        assert np.isinf(each(lambda x: np.ones(1) / x, [np.zeros(1), np.ones(1)])[0]).all()


def test_small_systems_keep_to_the_diagonal() -> None:
    world = simulate.World(method=None)
    world.add(simulate.torus(around=16, across=8), young=1e7)
    world.step(0.05)
    assert "hierarchy" not in vars(world._inner().pattern)
