"""Bodies slide on each other as they should: freely, or with friction."""

from __future__ import annotations

import numpy as np
import pytest

from impinge import InputError, simulate
from impinge._surfaces import sphere

GRAVITY, FRICTION = 9.81, 0.5


def box_on_floor(*, degrees: float = 0.0, **options: float | str) -> simulate.World:
    """A box at rest on a floor that leans by an angle: gravity does."""
    lean = np.radians(degrees)
    gravity = GRAVITY * np.array([np.sin(lean), 0.0, -np.cos(lean)])
    world = simulate.World(gravity=gravity, stiffness=2e5, **options)  # type: ignore[arg-type]
    world.fix(world.add_rigid(simulate.box((10, 10, 1), cells=4).moved((0, 0, -0.5)).mesh))
    world.add_rigid(simulate.box((0.5, 0.5, 0.5), cells=4).moved((0, 0, 0.25)).mesh)
    return world


def settled(dt: float, **options: float | str) -> tuple[simulate.World, simulate.RigidBody]:
    world = box_on_floor(**options)
    for _ in range(round(0.5 / dt)):
        world.step(dt)
    body = world.bodies[1]
    assert isinstance(body, simulate.RigidBody)
    return world, body


def pushed(dt: float, **options: float | str) -> float:
    """How far a box goes in a second that is pushed at 1 m/s."""
    world, body = settled(dt, **options)
    start = body.pose[0, 3]
    body.velocity = (1.0, 0.0, 0.0)
    for _ in range(round(1.0 / dt)):
        world.step(dt)
    return float(body.pose[0, 3] - start)


def balls(
    offset: tuple[float, ...], friction: float
) -> tuple[simulate.World, simulate.RigidBody, simulate.RigidBody]:
    """Two rigid balls of radius 1, free in space."""
    world = simulate.World(gravity=(0, 0, 0), stiffness=1e5, friction=friction)
    vertices, faces = sphere(6)
    first = world.add_rigid(vertices, faces)
    return world, first, world.add_rigid(vertices + np.array(offset), faces)


@pytest.mark.parametrize("dt", [0.02, 0.005])
def test_without_friction_nothing_holds_it(dt: float) -> None:
    assert pushed(dt) == pytest.approx(1.0, rel=0.02)


def test_the_published_springs_hold_it() -> None:
    assert pushed(0.02, contact="published") < 0.01


@pytest.mark.parametrize("dt", [0.02, 0.005])
def test_with_friction_it_stops_where_it_should(dt: float) -> None:
    # backward Euler goes half a step less far
    expected = 1.0 / (2.0 * FRICTION * GRAVITY) - dt / 2.0
    assert pushed(dt, friction=FRICTION) == pytest.approx(expected, rel=0.02)


def test_on_a_slope_it_rests_up_to_the_angle_of_friction() -> None:
    dt, seconds = 0.02, 1.0
    steepest = np.degrees(np.arctan(FRICTION))
    for degrees in (steepest - 2.0, steepest + 6.0):
        world, body = settled(dt, friction=FRICTION, degrees=degrees)
        start, speed = body.pose[0, 3], body.velocity[0]
        for _ in range(round(seconds / dt)):
            world.step(dt)
        lean = np.radians(degrees)
        pull = max(GRAVITY * (np.sin(lean) - FRICTION * np.cos(lean)), 0.0)
        expected = speed * seconds + 0.5 * pull * seconds**2 if pull else 0.0
        assert body.pose[0, 3] - start == pytest.approx(expected, rel=0.05, abs=2e-3)


@pytest.mark.parametrize("friction", [0.0, 0.4])
def test_momentum_is_kept(friction: float) -> None:
    world, a, b = balls((1.9, 0.5, 0.3), friction)
    a.velocity, b.velocity, a.spin = (1.0, 0.0, 0.0), (-1.0, 0.0, 0.1), (0.0, 0.0, 3.0)
    before, touched = world.momentum(), 0
    for _ in range(150):
        touched += bool(world.step(0.01).contact_points)
    after = world.momentum()
    assert touched > 5
    np.testing.assert_allclose(after.linear, before.linear, atol=1e-10 * a.mass)
    np.testing.assert_allclose(after.angular, before.angular, atol=1e-10 * a.mass)


@pytest.mark.parametrize("friction", [0.0, 0.4])
def test_only_friction_hands_spin_over(friction: float) -> None:
    """A ball that spins across the line of centres, pressed on one that does not."""
    world, a, b = balls((1.9, 0.0, 0.0), friction)
    a.spin = (0.0, 0.0, 5.0)
    for _ in range(20):
        world.step(0.005)
    assert (abs(b.spin[2]) > 0.05) == (friction > 0.0)


def test_what_is_no_friction() -> None:
    with pytest.raises(InputError, match="friction must be"):
        simulate.World(friction=-1.0)
    with pytest.raises(InputError, match='friction needs integrator="implicit"'):
        simulate.World(friction=0.5, integrator="explicit")
    with pytest.raises(InputError, match=r"contact must be .*sliding"):
        simulate.World(contact="sticky")
