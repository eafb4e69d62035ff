"""Worlds with contacts: bodies that overlap part, and keep their momentum while they do."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from impinge import simulate
from impinge.detectors.registry import detector
from impinge.errors import SimulationError
from impinge.respond import penalty_forces
from impinge.simulate.setups import entangled_tori
from support import meshes


def overlap(world: simulate.World) -> float:
    return simulate.overlap_volume(*world.scene.bodies, rays=48)


def test_overlapping_spheres_are_pushed_apart() -> None:
    world = simulate.World(gravity=(0, 0, 0))
    a = world.add(simulate.ball(frequency=6))
    b = world.add(simulate.ball(frequency=6).moved((1.3, 0.4, 0.2), axis=(1, 2, 3), degrees=33))
    forces = penalty_forces(world.contact_points, 1.0).bodies
    way = np.array([1.3, 0.4, 0.2])
    assert forces[0].sum(axis=0) @ way < 0.0 < forces[1].sum(axis=0) @ way
    # along the line of their centers, but for the mesh
    along = forces[1].sum(axis=0) / np.linalg.norm(forces[1].sum(axis=0))
    assert along @ way / np.linalg.norm(way) > 0.995
    start = overlap(world)
    for _ in range(40):
        world.step(0.01)
    assert start > 0.1
    assert overlap(world) == 0.0
    assert not world.scene.collide()
    assert (b.velocities.mean(axis=0) - a.velocities.mean(axis=0)) @ way > 0.0


def test_tori_part() -> None:
    world = entangled_tori()
    start, energy = overlap(world), world.energy().total
    for _ in range(25):
        world.step(0.01)
    assert start > 0.2
    assert overlap(world) == 0.0
    assert not world.scene.collide()
    assert world.energy().total < energy


def test_momentum_is_kept_over_500_steps() -> None:
    world = entangled_tori(fine=1)
    a, b = world.bodies
    a.velocities, b.velocities = (0.0, 0.0, 0.3), (0.0, 0.1, -0.2)
    before, energy, touched = world.momentum(), world.energy().total, 0
    for number in range(500):
        touched += bool(world.step(0.01).contact_points)
        if number % 50 == 0:
            energy, old = world.energy().total, energy
            assert energy <= old * (1 + 1e-9)
    assert touched > 3
    after = world.momentum()
    np.testing.assert_allclose(after.linear, before.linear, atol=1e-10 * a.mass)
    np.testing.assert_allclose(after.angular, before.angular, atol=1e-10 * a.mass)


def test_implicit_contacts_are_stable_where_explicit_ones_are_not() -> None:
    """A soft ball on the floor, with stiff contacts."""
    heights = {}
    for integrator in ("implicit", "explicit"):
        world = simulate.World(stiffness=1e6, integrator=integrator)
        floor = world.add_rigid(*meshes.box((-2, -2, -1), (2, 2, 0)))
        world.fix(floor)
        ball = world.add(simulate.ball(0.5, frequency=4).moved((0, 0, 0.45)), young=1e5)
        try:
            for _ in range(60):
                world.step(0.01)
        except SimulationError as error:
            heights[integrator] = str(error)
        else:
            heights[integrator] = ball.positions[:, 2].min()
    assert -0.05 < heights["implicit"] < 0.05
    assert "body 'ball'" in heights["explicit"]


def test_a_rigid_ball_rests_on_the_floor() -> None:
    world = simulate.World(stiffness=2e4, drag=1.0)
    floor = world.add_rigid(*meshes.box((-2, -2, -1), (2, 2, 0)), name="floor")
    world.fix("floor")
    ball = world.add_rigid(*meshes.sphere(8, radius=0.3), density=100.0)
    ball.pose = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0.4], [0, 0, 0, 1]]
    for _ in range(300):
        world.step(0.01)
    # the contacts carry its weight
    forces = world._pushes().bodies[1].sum(axis=0)
    assert forces[2] == pytest.approx(ball.mass * 9.81, rel=0.02)
    assert np.linalg.norm(ball.velocity) < 0.01
    assert 0.25 < ball.center[2] < 0.31
    np.testing.assert_array_equal(floor.center, [0, 0, -0.5])


def test_save_and_load_with_contacts(tmp_path: Path) -> None:
    world = entangled_tori(fine=1, stiffness=2e4, workers=1)
    for _ in range(2):
        world.step(0.01)
    world.save(tmp_path / "world.npz")
    other = simulate.World.load(tmp_path / "world.npz")
    for _ in range(3):
        assert other.step(0.01).contact_points == world.step(0.01).contact_points > 0
    np.testing.assert_array_equal(world._positions, other._positions)
    np.testing.assert_array_equal(world._velocities, other._velocities)


def test_area_weight_makes_the_push_independent_of_the_mesh() -> None:
    pushes = {}
    for weighted in (False, True):
        found = []
        for frequency in (6, 12):
            world = simulate.World(gravity=(0, 0, 0), stiffness=1.0, area_weight=weighted)
            world.add(simulate.ball(frequency=frequency))
            world.add(simulate.ball(frequency=frequency).moved((1.3, 0.4, 0.2)))
            found.append(np.linalg.norm(world._pushes().bodies[0].sum(axis=0)))
        pushes[weighted] = found[1] / found[0]
    assert pushes[False] == pytest.approx(4.0, rel=0.15)
    assert pushes[True] == pytest.approx(1.0, rel=0.1)


@pytest.mark.parametrize("area_weight", [False, True])
def test_contacts_are_as_stiff_as_the_stiffest_body(area_weight: bool) -> None:
    """Young's modulus times an edge; over it where areas weigh."""
    world = simulate.World(gravity=(0, 0, 0), area_weight=area_weight)
    soft = world.add(simulate.ball(frequency=6), young=2e4)
    stiff = world.add(simulate.ball(frequency=4).moved((1.3, 0.4, 0.2)), young=7e4)
    natural = []
    for body, young in ((soft, 2e4), (stiff, 7e4)):
        vertices, faces = body.body.mesh.vertices, body.body.faces
        ends = vertices[faces[:, [0, 1, 1, 2, 2, 0]]].reshape(-1, 2, 3)
        edge = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1).mean()
        natural.append(young / edge if area_weight else young * edge)
    found = world._pushes().vectors
    world.stiffness = max(natural)
    np.testing.assert_allclose(found, world._pushes().vectors, rtol=1e-12)
    assert np.abs(found).max() > 0.0


def two_balls_in_one(offset: float) -> meshes.Arrays:
    small = meshes.moved(meshes.sphere(8, radius=0.4), (offset, 0.03, 0.02))
    return meshes.merge(meshes.sphere(12), small)


def test_suspicious_contacts_do_not_push() -> None:
    """A ray from deep in its own body leads to the far side, and would pull the vertex there."""
    world = simulate.World(gravity=(0, 0, 0), stiffness=1e3, self_collision=True)
    member = world.add_rigid(*two_balls_in_one(3.0))
    # not as at rest: only then can depth be told from thickness
    member.body.vertices = two_balls_in_one(0.9)[0]
    found, kept = world.scene.contact_points(self_collision=True), world.contact_points
    assert 0 < found.suspicious.sum() < len(found) / 2
    assert (found.weights > 0).all()
    np.testing.assert_array_equal(kept.weights, np.where(found.suspicious, 0, found.weights))
    pushes = np.linalg.norm(world._pushes().vectors, axis=1)
    np.testing.assert_array_equal(pushes > 0, ~found.suspicious)


def test_a_body_that_does_not_touch_itself_moves_alike() -> None:
    ends = []
    for asked in (False, True):
        world = entangled_tori(fine=1, self_collision=asked)
        for _ in range(3):
            world.step(0.01)
        ends.append(world._positions)
    np.testing.assert_array_equal(*ends)


def test_cloth_lies_on_a_ball() -> None:
    near = detector("proximity", threshold=0.06)
    world = simulate.World(method=near, stiffness=200.0, drag=1.0)
    ball = world.add_rigid(*meshes.sphere(10, radius=0.4))
    world.fix(ball)
    vertices, faces = meshes.grid(14, 14)
    cloth = world.add_cloth(vertices - (0.5, 0.5, -0.45), faces, young=5e4)
    for _ in range(60):
        world.step(0.01)
    # it hangs down around the ball, and nowhere deep in it
    assert cloth.positions[:, 2].min() < 0.2
    assert np.linalg.norm(cloth.positions, axis=1).min() > 0.36
