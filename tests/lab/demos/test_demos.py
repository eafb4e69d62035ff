"""The demos: what moves how, and what is counted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import impinge
from impinge.lab.demos import registry as demos
from impinge.lab.scenes import bounce, stairs
from impinge.lab.scenes import figure as figures
from impinge.lab.scenes import particle_hits as meeting
from impinge.lab.scenes.bounce import Bounce
from impinge.lab.scenes.particle_run import FPS, Tally
from impinge.lab.scenes.particles import Particles
from impinge.lab.scenes.snow import Snow, flake
from impinge.lab.scenes.stairs import STEPS, Stairs
from impinge.lab.scenes.walkthrough import three_boxes
from support import meshes


@pytest.fixture(autouse=True)
def coarse(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "_FREQUENCY", 8)


@pytest.mark.parametrize("name", ["stairs", "snow", "bounce"])
def test_a_run_goes_on_frame_by_frame(name: str) -> None:
    demo = demos.find(name)
    assert len(demo.sentence) < 60
    values = {**demo.values, "count": 6}
    act = demo.make(values, resolution="64", device="cpu")
    tally = act.step("cinder", values).tally
    before = [body.world_vertices for body in act.bodies]
    assert isinstance(tally, Tally)
    assert tally.found + tally.lost == tally.true
    moment = act.step("bvh", values)
    assert moment.tally._replace(seconds=0, judging=0) == (0, 0, 0, 0, 0, 0)
    assert set(moment.seconds) == {"move", "find", "judge"}
    after = [body.world_vertices for body in act.bodies]
    assert any(not np.array_equal(a, b) for a, b in zip(before, after, strict=False))
    assert len(moment.colours) == len(act.bodies)
    for body, colour in zip(act.bodies, moment.colours, strict=True):
        assert np.broadcast_shapes(colour.shape, (len(body.faces), 3)) == (len(body.faces), 3)
        assert (colour >= 0).all()
        assert (colour <= 1).all()
    assert act.facts()["lost"] == 0
    assert act.clock == "0.08 s, 0 of 0 pairs found"


def test_the_device_is_that_of_the_detector() -> None:
    chosen = meeting.image_detector(impinge.detector("cinder", device="cpu"), resolution=64)
    assert (chosen.options.device, chosen.options.resolution) == ("cpu", 64)
    assert meeting.image_detector(impinge.detector("bvh")) is None
    assert meeting.image_detector("bvh") is None


def test_the_same_course_every_time() -> None:
    runs = [Stairs(count=20, method="bvh", seed=3) for _ in range(2)]
    for _ in range(40):
        for run in runs:
            run.step()
    np.testing.assert_array_equal(*(run.spheres.places for run in runs))
    other = Stairs(count=20, method="bvh", seed=4)
    other.step()
    assert not np.array_equal(other.spheres.places[0], runs[0].spheres.places[0])


def test_spheres_bounce_off_steps_and_keep_their_way() -> None:
    run = Stairs(count=10, method="bvh")
    assert len(run.scene) == STEPS
    bounced = 0
    for _ in range(90):
        before = run.spheres.velocities.copy()
        run.step()
        now = run.spheres.velocities[: len(before)]
        np.testing.assert_array_equal(now[:, :2], before[:, :2])
        up = (before[:, 2] < 0) & (now[:, 2] > 0)
        # reflected and a bit dampened, the speed of this frame's fall included
        falling = before[up, 2] - stairs._GRAVITY / FPS
        assert ((now[up, 2] < -0.9 * falling) & (now[up, 2] > -0.5 * falling)).all()
        bounced += np.count_nonzero(up)
    assert len(run.spheres) == 10
    assert bounced > 10
    assert run.facts()["true pairs"] >= bounced
    # nobody fell through
    assert (run.spheres.places[:, 2] > -0.5 * run.spheres.places[:, 0] - 0.5).all()


def test_snow_sticks_is_enlarged_and_turns_with_the_body() -> None:
    run = Snow(count=60, method="bvh", spin=90.0)
    for _ in range(200):
        run.step()
        if run._carried and len(run.stuck) >= 3:
            break
    assert run._carried
    assert len(run.flakes) == 60
    assert len(run.scene) == 62
    assert len(run.bodies) == 62 + len(run.stuck)
    assert run.facts()["found"] == len(run.stuck)
    assert all(body not in run.scene for body in run.stuck)
    size = np.ptp(run._carried[0][0].mesh.vertices, axis=0).max()
    one = run._carried[0][0]
    assert np.linalg.norm(one.pose[:3, 0]) == pytest.approx(1.8)
    assert size == pytest.approx(np.ptp(flake(0.05)[0], axis=0).max())
    on_body = np.linalg.inv(run.scene["body"].pose) @ one.pose
    before = one.pose.copy()
    run.step()
    assert not np.allclose(one.pose, before)
    np.testing.assert_allclose(np.linalg.inv(run.scene["body"].pose) @ one.pose, on_body, atol=1e-9)


def test_a_flake_is_a_closed_bipyramid() -> None:
    report = impinge.Mesh(*flake(1.0)).report()
    assert (report.faces, report.closed, report.oriented) == (6, True, True)


def test_the_made_figure_is_of_the_size_of_the_bunny(monkeypatch: pytest.MonkeyPatch) -> None:
    vertices, faces = figures.figure(29)
    assert len(vertices) == pytest.approx(8146, rel=0.05)
    report = impinge.Mesh(vertices, faces).report()
    assert report.closed
    assert report.oriented
    assert not impinge.self_collide((vertices, faces))
    cut = figures.without_bottom(vertices, faces)
    assert 0.8 * len(faces) < len(cut) < len(faces)
    assert not impinge.Mesh(vertices, cut).report().closed
    _, _, title = figures.body()
    assert title.startswith("made figure")


def test_the_bunny_stands_upright(shared_data: Path) -> None:
    vertices, faces, title = figures.body(shared_data)
    assert "bunny" in title
    assert impinge.Mesh(vertices, faces).report().oriented
    # ears are narrow, and on top
    low, high = vertices[:, 2].min(), vertices[:, 2].max()
    top = vertices[vertices[:, 2] > high - 0.2 * (high - low)]
    bottom = vertices[vertices[:, 2] < low + 0.2 * (high - low)]
    assert np.ptp(top[:, 0]) < 0.6 * np.ptp(bottom[:, 0])


def test_truth_counts_bodies_inside() -> None:
    scene = impinge.Scene()
    ball = meshes.sphere(3)
    scene.add(*meshes.moved(ball, (2.0, 2.0, 2.0)))
    solid = scene.add(*meshes.box((0, 0, 0), (4, 4, 4)))
    for place in ((4.0, 2.0, 2.0), (9.0, 2.0, 2.0), (4.5, 2.0, 2.0)):
        scene.add(*meshes.moved(ball, place))
    asked = meeting.ParticleHits({solid: solid.mesh}, "bvh")
    np.testing.assert_array_equal(asked.pairs(scene), [[0, 0], [0, 1], [0, 3]])
    assert asked.frames[0][:4] == (3, 3, 0, 0)
    # two spheres do not matter
    other = asked.pairs(scene, lambda _: np.array([[0, 1], [1, 3], [2, 4]], dtype=np.int32))
    np.testing.assert_array_equal(other, [[0, 0], [0, 2]])
    assert asked.frames[1][:4] == (3, 1, 2, 1)
    assert asked.facts() == {"true pairs": 6, "found": 4, "lost": 2, "invented": 1}


def test_particles_come_and_go() -> None:
    scene = impinge.Scene()
    dust = Particles(scene, impinge.Mesh(*flake(1.0)), "dust")
    dust.emit(np.zeros((3, 3)), np.ones((3, 3)))
    taken = dust.take(np.array([False, True, False]))
    dust.emit(np.zeros((1, 3)), np.ones((1, 3)))
    assert [body.name for body in taken] == ["dust-2"]
    assert [body.name for body in scene] == ["dust-1", "dust-3", "dust-4"]
    dust.move(0.5, gravity=2.0)
    dust.follow()
    np.testing.assert_allclose(scene["dust-4"].pose[:3, 3], [0.5, 0.5, 0.0])


def test_the_response_of_a_plane() -> None:
    velocities = np.array([[0.0, 0.0, -2.0], [1.0, 0.0, -2.0], [0.0, 0.0, 2.0]])
    normals = np.array([[0.0, 0.0, 1.0]] * 3)
    after = bounce.bounced(velocities, normals, kept=0.5)
    np.testing.assert_allclose(after, [[0, 0, 1], [1, 0, 1], [0, 0, 2]])


def test_no_normal_is_black() -> None:
    random = np.random.default_rng(0).normal(size=(1000, 3))
    units = np.concatenate([random, -np.eye(3), np.eye(3), -np.ones((1, 3))])
    units /= np.linalg.norm(units, axis=1)[:, None]
    colours = bounce.colours(units)
    assert colours.any(axis=1).all()
    assert colours.max() <= 255
    np.testing.assert_allclose(2 * colours / 255 - 1, units, atol=0.5 * 2 / 255 + 1e-9)


def test_spheres_turn_back_from_the_body() -> None:
    run = Bounce(count=12, method="bvh")
    turned = 0
    for _ in range(90):
        before = run.spheres.velocities.copy()
        run.step()
        turned += np.count_nonzero((before[:, 2] < 0) & (run.spheres.velocities[:, 2] > 0))
    assert turned >= 5
    assert run.colours()[-1].shape == (20 * 8**2, 3)


def test_the_green_box_meets_both_others() -> None:
    scene = three_boxes(("blue", "red", "green"))
    assert [body.name for body in scene] == ["blue", "red", "green"]
    pairs = scene.collide(mode="first").bodies
    np.testing.assert_array_equal(pairs, [[0, 2], [1, 2]])


@pytest.mark.parametrize("fine", [0.0, 1.0])
def test_the_chain_stays_in_its_picture(fine: float) -> None:
    demo = demos.find("chain")
    values = {**demo.values, "fine": fine}
    run = demo.make(values)
    assert run.frame is not None
    low, high = run.frame
    # down, to the other side and back
    for _ in range(110):
        run.step(demo.method, values)
        for body in run.bodies:
            assert (body.world_vertices >= low).all()
            assert (body.world_vertices <= high).all()
