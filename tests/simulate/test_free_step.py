"""Nothing passes through a cloth, at any speed and any length of steps."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import impinge
from impinge import simulate
from support import meshes

NEAR = 0.02


def sheet(n: int) -> tuple[np.ndarray, np.ndarray]:
    vertices, faces = meshes.grid(n, n)
    middle = vertices.mean(axis=0)
    size = np.ptp(vertices, axis=0).max()
    return (vertices - middle) / size, faces


def small_ball(radius: float) -> tuple[np.ndarray, np.ndarray]:
    vertices, faces = meshes.sphere(10)
    vertices = vertices - vertices.mean(axis=0)
    return vertices * (radius / np.abs(vertices).max()), faces


def world_of(**options: object) -> simulate.World:
    near = impinge.detector("proximity", threshold=NEAR)
    return simulate.World(gravity=(0, 0, 0), method=near, **options)  # type: ignore[arg-type]


def thrown_at_a_cloth(speed: float, **options: object) -> tuple[simulate.World, list[int]]:
    """A ball at a cloth that is held at its rim; and how many features each step held."""
    world = world_of(**options)
    vertices, faces = sheet(10)
    cloth = world.add_cloth(vertices, faces, young=1e6, damping=0.02)
    world.fix(cloth, np.abs(vertices[:, :2]).max(axis=1) > 0.49)
    pose = np.eye(4)
    pose[:3, 3] = 0.03, 0.02, 0.3
    ball = world.add_rigid(*small_ball(0.12), density=500, pose=pose)
    ball.velocity = (0.0, 0.0, -speed)
    ball.spin = (3.0, 1.0, 2.0)
    held = []
    for _ in range(25):
        held.append(world.step(0.01).impacts)
        if not options:
            assert not world.scene.collides()
    return world, held


def is_through(world: simulate.World) -> bool:
    """Whether the ball is on the other side of the cloth there, or far beyond all of it."""
    cloth, ball = world.bodies
    return bool(ball.center[2] < cloth.positions[:, 2].min() - 0.05)


@pytest.mark.parametrize("speed", [0.0, 1.0, 5.0, 20.0, 50.0, 100.0])
def test_a_ball_thrown_at_a_cloth_never_passes(speed: float) -> None:
    world, held = thrown_at_a_cloth(speed)
    assert not is_through(world)
    assert sum(held) > 0 or speed < 20


def test_without_it_a_fast_ball_does() -> None:
    world, held = thrown_at_a_cloth(100.0, impacts=False)
    assert is_through(world)
    assert sum(held) == 0


@pytest.mark.parametrize("speed", [2.0, 30.0])
def test_a_cloth_thrown_at_a_ball_ends_with_no_vertex_inside(speed: float) -> None:
    world = world_of(self_collision=True)
    vertices, faces = sheet(20)
    assert len(vertices) == 441
    cloth = world.add_cloth(vertices + np.array((0, 0, 0.3)), faces, young=1e5, damping=0.02)
    ball = world.add_rigid(*small_ball(0.2), density=500)
    world.fix(ball)
    cloth.velocities = (0.0, 0.0, -speed)
    solid = impinge.Mesh(*small_ball(0.2))
    for _ in range(30):
        world.step(0.01)
        assert (impinge.side(solid, cloth.positions) > 0).all()
    assert not world.scene.collides()
    assert not world.scene.collides(self_collision=True)


def test_impacts_keep_momentum_and_add_no_energy() -> None:
    world = world_of()
    vertices, faces = sheet(8)
    world.add_cloth(vertices, faces)
    pose = np.eye(4)
    pose[2, 3] = 0.3
    ball = world.add_rigid(*small_ball(0.1), density=500, pose=pose)
    ball.velocity = (0.0, 1.0, -50.0)
    before, energy = world.momentum().linear, world.energy().kinetic
    step = world.step(0.01)
    assert step.impacts > 0
    assert step.seconds["impacts"] > 0
    np.testing.assert_allclose(world.momentum().linear, before, rtol=1e-9, atol=1e-9)
    assert world.energy().kinetic < energy


def test_what_touches_from_the_start_may_part() -> None:
    world = simulate.World(gravity=(0, 0, 0), method=None, impacts=True)
    vertices, faces = sheet(4)
    cloth = world.add_cloth(vertices, faces)
    other = world.add_cloth(vertices, faces)
    other.velocities = (0.0, 0.0, 1.0)
    world.step(0.01)
    assert cloth.positions[:, 2].max() < other.positions[:, 2].min()


def test_solids_overlap_as_contacts_of_rays_need() -> None:
    def fallen(**options: bool) -> simulate.World:
        world = simulate.World(stiffness=1e4, **options)  # type: ignore[arg-type]
        low = world.add_rigid(*meshes.box((-1, -1, -1), (1, 1, 0)))
        world.fix(low)
        world.add_rigid(*meshes.box((-0.2, -0.2, 0.01), (0.2, 0.2, 0.4)))
        for _ in range(10):
            world.step(0.01)
        return world

    assert fallen().scene.collides()
    assert not fallen(impacts=True).scene.collides()


def test_a_saved_world_keeps_the_choice(tmp_path: Path) -> None:
    for choice in (None, True, False):
        world = simulate.World(impacts=choice)
        world.save(tmp_path / "world.npz")
        assert simulate.World.load(tmp_path / "world.npz").impacts is choice
    with pytest.raises(impinge.InputError, match="impacts must be True or False"):
        simulate.World(impacts="yes")  # type: ignore[arg-type]
