"""Worlds without contacts: bodies fall, hang, turn and come to rest as they should."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import impinge
from impinge import simulate
from impinge.errors import MeshFileError, SimulationError
from support import meshes


def small_torus() -> simulate.Solid:
    return simulate.torus(around=16, across=8)


def free(**options: object) -> simulate.World:
    return simulate.World(method=None, **options)


def run(world: simulate.World, steps: int, dt: float) -> None:
    for _ in range(steps):
        world.step(dt)


def test_free_fall() -> None:
    world = free()
    soft = world.add(small_torus())
    cloth = world.add_cloth(*meshes.grid(4, 4))
    rigid = world.add_rigid(*meshes.box())
    start = soft.positions
    for _ in range(20):
        step = world.step(0.01)
    # backward Euler: after n steps v = n h g and x = n (n + 1) / 2 h^2 g
    assert step.number == world.steps == 20
    assert world.time == pytest.approx(0.2)
    for body in (soft, cloth):
        np.testing.assert_allclose(body.velocities[:, 2], -9.81 * 0.2, rtol=1e-6)
    assert rigid.velocity[2] == pytest.approx(-9.81 * 0.2)
    fall = 210 * 0.0001 * 9.81
    np.testing.assert_allclose(start - soft.positions, [[0, 0, fall]] * len(start), atol=1e-6)
    np.testing.assert_allclose(soft.body.vertices, soft.positions[soft.surface])
    np.testing.assert_allclose(rigid.body.pose[:3, 3], [0, 0, -fall], atol=1e-12)


def test_a_hanging_beam_bends_as_theory_says() -> None:
    """Deflection of a cantilever under its weight: rho A g L^4 / (8 E I)."""
    length, height, young = 4.0, 1.0, 2e7
    world = free(drag=2.0)
    beam = world.add(
        simulate.box((length, 1.0, height), cells=(16, 4, 4)),
        young=young,
        poisson=0.0,
        damping=0.02,
    )
    world.fix(beam, beam.rest[:, 0] < -1.99)
    run(world, 12, 0.5)
    tip = (beam.rest - beam.positions)[beam.rest[:, 0] > 1.99, 2].mean()
    inertia = height**3 / 12
    expected = 1000 * 9.81 * length**4 / (8 * young * inertia)
    shear = 6 / 5 * 1000 * 9.81 * length**2 / 2 / (young / 2)
    # linear tetrahedra, four across, bend too stiffly; eight come within 5 %
    assert 0.8 < tip / (expected + shear) < 0.9
    assert world.energy().kinetic < 1e-3
    held = beam.rest[:, 0] < -1.99
    np.testing.assert_array_equal(beam.positions[held], beam.rest[held])


def test_damping_takes_energy_and_leaves_momentum() -> None:
    rng = np.random.default_rng(1)
    lost = []
    for damping in (0.0, 0.05):
        world = free(gravity=(0, 0, 0), tolerance=1e-10)
        body = world.add(small_torus(), damping=damping)
        body.velocities = np.array([1, 2, 3]) + rng.normal(size=body.rest.shape)
        momentum, energies = world.momentum(), []
        for _ in range(50):
            energies.append(world.energy().total)
            world.step(0.002)
        assert np.all(np.diff(energies) < 1e-9 * energies[0])
        np.testing.assert_allclose(world.momentum().linear, momentum.linear, rtol=1e-12)
        size = body.mass * 2.0
        np.testing.assert_allclose(world.momentum().angular, momentum.angular, atol=1e-12 * size)
        lost.append(energies[0] - energies[-1])
    assert lost[1] > lost[0] > 0.0


def test_drag_slows_everything() -> None:
    world = free(gravity=(0, 0, 0), drag=3.0)
    body, rigid = world.add(small_torus()), world.add_rigid(*meshes.box())
    body.velocities = [1, 0, 0]
    rigid.spin = [0, 0, 2]
    run(world, 10, 0.1)
    np.testing.assert_allclose(body.velocities[:, 0], 1.3**-10, rtol=1e-5)
    assert rigid.spin[2] == pytest.approx(2 * 1.3**-10)


def test_cloth_hangs_from_two_corners() -> None:
    world = free(drag=1.0)
    cloth = world.add_cloth(*meshes.grid(10, 10), young=2e5, damping=0.05)
    corners = [0, 10]
    world.fix(cloth, corners)
    run(world, 150, 0.05)
    np.testing.assert_array_equal(cloth.positions[corners], cloth.rest[corners])
    assert world.energy().kinetic < 1e-3
    # it hangs below the corners, not much longer than it is
    bottom = cloth.positions[:, 2].min()
    assert -1.3 < bottom < -0.7
    assert np.ptp(cloth.positions[:, 0]) < 0.6


def test_a_spinning_body_keeps_its_angular_momentum() -> None:
    world = free(gravity=(0, 0, 0))
    vertices, faces = meshes.box((0, 0, 0), (1, 2, 3))
    body = world.add_rigid(vertices, faces, density=2.0)
    assert body.mass == pytest.approx(12.0)
    np.testing.assert_allclose(body.properties.center, [0.5, 1.0, 1.5])
    inertia = np.diag(body.properties.inertia)
    np.testing.assert_allclose(inertia, [4.0 + 9.0, 1.0 + 9.0, 1.0 + 4.0])
    body.spin, body.velocity = [0.1, 3.0, 0.2], [1, 0, 0]
    before = world.momentum()
    run(world, 200, 0.01)
    np.testing.assert_allclose(world.momentum().angular, before.angular, atol=1e-10)
    np.testing.assert_allclose(world.momentum().linear, before.linear, atol=1e-12)
    np.testing.assert_allclose(body.center, [2.5, 1.0, 1.5], atol=1e-12)
    turn = body.pose[:3, :3]
    np.testing.assert_allclose(turn @ turn.T, np.eye(3), atol=1e-13)
    np.testing.assert_allclose(body.body.world_vertices.mean(axis=0), body.center, atol=1e-9)


def test_implicit_steps_stay_where_explicit_ones_explode() -> None:
    def pulled(integrator: str) -> tuple[simulate.World, simulate.SoftBody]:
        world = free(gravity=(0, 0, 0), integrator=integrator)
        body = world.add(small_torus(), young=1e6)
        body.positions = body.positions * (1.05, 1.0, 1.0)
        return world, body

    world, body = pulled("implicit")
    run(world, 40, 0.02)
    assert np.abs(body.positions - body.rest).max() < 0.1
    world, body = pulled("explicit")
    with pytest.raises(SimulationError, match="implicit") as caught:
        run(world, 40, 0.02)
    assert caught.value.body == "torus"
    assert caught.value.step == world.steps + 1 < 40
    # the failed step has not moved anything
    assert np.isfinite(body.positions).all()
    # with tiny steps both agree
    ends = []
    for integrator in ("implicit", "explicit"):
        world, body = pulled(integrator)
        for _ in range(20):
            world.step(1e-5)
        ends.append(body.velocities)
    np.testing.assert_allclose(ends[0], ends[1], atol=0.1 * np.abs(ends[1]).max())


def test_errors_can_be_pickled_and_say_what_to_do() -> None:
    error = SimulationError(7, "torus", "it moves", "take a smaller time step")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    assert str(error) == "step 7, body 'torus': it moves; take a smaller time step"


def test_forces_that_are_not_finite_are_told_with_their_body() -> None:
    world = free()
    world.add(small_torus(), name="good")
    bad = world.add(small_torus(), young=1e307, name="bad")
    bad.positions = 1e4 * bad.positions
    with pytest.raises(SimulationError, match="not finite") as caught:
        world.step(0.01)
    assert caught.value.body == "bad"


def test_rigid_bodies_that_race_away_are_told() -> None:
    world = free()
    body = world.add_rigid(*meshes.box())
    body.velocity = [1e6, 0, 0]
    with pytest.raises(SimulationError, match="times its size"):
        world.step(0.01)


def test_the_scene_belongs_to_the_world() -> None:
    world = simulate.World()
    world.add(small_torus())
    world.scene.add(*meshes.box())
    with pytest.raises(impinge.InputError, match="added to the world"):
        world.step(0.01)


def test_missing_scipy_is_told() -> None:
    code = "import sys; sys.modules['scipy'] = None; import impinge; impinge.simulate"
    packages = str(Path(impinge.__file__).resolve().parents[1])
    ended = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": packages},
        check=False,
    )
    assert 'impinge.simulate needs SciPy: pip install "scipy>=1.11"' in ended.stderr


def test_save_and_load_go_on_to_the_last_bit(tmp_path: Path) -> None:
    world = simulate.World(method=None, stiffness=5.0, drag=0.1, gravity=(1, 2, 3))
    rng = np.random.default_rng(2)
    soft = world.add(small_torus(), young=3e4, name="soft")
    cloth = world.add_cloth(*meshes.grid(3, 3), bending=0.1)
    rigid = world.add_rigid(*meshes.box(), density=3.0)
    world.fix(cloth, [0])
    world.scene.ignore("soft", "cloth")
    soft.velocities = rng.normal(size=soft.rest.shape)
    rigid.spin = [1, 2, 3]
    run(world, 5, 0.01)
    path = tmp_path / "world.npz"
    world.save(path)
    other = simulate.World.load(path)
    assert repr(other) == repr(world)
    assert other.stiffness == 5.0
    assert [b.name for b in other.bodies] == [b.name for b in world.bodies]
    assert [tuple(b.name for b in pair) for pair in other.scene.ignored] == [("soft", "cloth")]
    for _ in range(5):
        for one in (world, other):
            one.step(0.01)
    np.testing.assert_array_equal(world._positions, other._positions)
    np.testing.assert_array_equal(world._velocities, other._velocities)
    for a, b in zip(world.scene, other.scene, strict=True):
        np.testing.assert_array_equal(a.world_vertices, b.world_vertices)
    path.write_bytes(path.read_bytes()[:500])
    with pytest.raises(MeshFileError):
        simulate.World.load(path)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: simulate.World(gravity=1.0), "gravity"),
        (lambda: simulate.World(stiffness=-1.0), "stiffness"),
        (lambda: simulate.World(integrator="euler"), "integrator"),
        (lambda: free().add(meshes.box()), "Solid"),
        (lambda: free().add(small_torus(), young=0.0), "young"),
        (lambda: free().add(small_torus(), poisson=0.5), "poisson"),
        (lambda: free().add_cloth([[0, 0, 0], [1, 0, 0], [2, 0, 0]], [[0, 1, 2]]), "no area"),
        (lambda: free().add_cloth(np.eye(4)[:, :3], [[0, 1, 2]]), "no face"),
        (lambda: free().add_rigid(*meshes.grid(2, 2)), "closed"),
        (lambda: free().step(0.0), "dt"),
    ],
)
def test_bad_input_is_told(make: object, message: str) -> None:
    with pytest.raises(impinge.InputError, match=message):
        make()


def test_members_check_what_is_assigned() -> None:
    world = free()
    soft, rigid = world.add(small_torus()), world.add_rigid(*meshes.box())
    with pytest.raises(impinge.InputError, match="shape"):
        soft.positions = np.zeros((3, 3))
    with pytest.raises(impinge.InputError, match="three numbers"):
        rigid.spin = 3.0
    with pytest.raises(impinge.InputError, match="rotation"):
        rigid.pose = np.diag([2.0, 1.0, 1.0, 1.0])
    with pytest.raises(impinge.InputError, match="rigid"):
        world.fix(rigid, [0])
    with pytest.raises(impinge.InputError, match="another world"):
        free().fix(soft)
    with pytest.raises(impinge.InputError, match="vertices"):
        world.fix(soft, [10**6])
