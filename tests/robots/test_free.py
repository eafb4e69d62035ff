"""Motions that are free, for certain: held to dense samples of the exact test."""

from __future__ import annotations

import numpy as np
import pytest

import impinge
from impinge.errors import Cancelled, InputError
from impinge.results import MotionVerdict
from impinge.robots import Robot
from support import meshes, urdf_files
from support.urdf_files import BOX, joint, link
from support.urdf_files import robot as document

KINDS = ["revolute", "continuous", "prismatic", "revolute", "fixed"]


def sampled(robot: Robot, start, end, world, count: int, **options) -> np.ndarray:
    t = np.linspace(0.0, 1.0, count)[:, None]
    return robot.collides(start + t * (end - start), world, **options)


def held_to_samples(robot, Q0, Q1, world, *, count: int = 200, **options):
    """No verdict is wrong, as far as samples show; where blocked, there is a collision."""
    found = robot.free(Q0, Q1, world, **options)
    assert not (found.free & found.blocked).any()
    assert np.array_equal(found.verdicts == MotionVerdict.FREE, found.free)
    assert np.array_equal(found.verdicts == MotionVerdict.BLOCKED, found.blocked)
    assert np.array_equal(found.verdicts == MotionVerdict.UNCERTAIN, found.uncertain)
    for row in np.flatnonzero(found.free):
        assert not sampled(robot, Q0[row], Q1[row], world, count).any(), row
    at = np.flatnonzero(found.blocked)
    assert robot.collides(found.configurations[at], world).all()
    assert np.array_equal(found.configurations[at], Q0[at] + found.times[at, None] * (Q1 - Q0)[at])
    assert ((found.times[at] >= 0.0) & (found.times[at] <= 1.0)).all()
    assert np.isnan(found.times[~found.blocked]).all()
    scene = robot.scene(world)
    for row in at[:10]:
        for name, pose in robot.poses(found.configurations[row : row + 1]).items():
            scene[name].pose = pose[0]
        pairs = scene.collide(mode="first").bodies.tolist()
        assert found.bodies[row].tolist() in pairs
        assert found.pair(row) == tuple(scene[i].name for i in found.bodies[row])
    return found


@pytest.mark.parametrize("seed", range(8))
def test_random_robots_among_boxes(robot, seed: int) -> None:
    rng = np.random.default_rng(seed)
    made = robot(urdf_files.chain(list(rng.choice(KINDS, 5)), rng))
    world = impinge.Scene()
    for _ in range(3):
        world.add(*meshes.box(), pose=meshes.pose(rng, spread=1.5))
    Q0 = rng.uniform(-2.0, 2.0, (25, len(made.joints)))
    Q1 = Q0 + rng.normal(size=Q0.shape) * rng.choice((0.05, 0.5), (25, 1))
    found = held_to_samples(made, Q0, Q1, world)
    assert found.uncertain.mean() < 0.1


def finger(robot) -> Robot:
    """A needle of length 1 that turns about z."""
    needle = '<origin xyz="0.5 0 0"/><geometry><box size="1 0.001 0.001"/></geometry>'
    return robot(
        document(link("a"), link("needle", needle), joint("j", "a", "needle", xyz=(0, 0, 0)))
    )


def test_what_stands_between_samples_is_found(robot) -> None:
    """A needle passes a needle: in so small a part of the way that samples would miss it."""
    made = finger(robot)
    post = impinge.Mesh(*meshes.box((0.9, -1e-4, -0.5), (0.9002, 1e-4, 0.5)))
    found = made.free([[-2.0]], [[1.9]], post)
    assert found.blocked.tolist() == [True]
    assert found.times[0] == pytest.approx(2.0 / 3.9, abs=1e-3)
    assert found.pair(0) == ("body", "needle")
    assert not sampled(made, np.array([-2.0]), np.array([1.9]), post, 200).any()


def test_a_near_miss_is_free_or_not_certain_by_the_tolerance(robot) -> None:
    made = finger(robot)
    for gap in (1e-2, 1e-4, 1e-6):
        reach = np.hypot(1.0, 0.0005) + gap
        post = impinge.Mesh(*meshes.box((reach, -1.0, -0.5), (reach + 1, 1.0, 0.5)))
        for tolerance in (1e-1, 1e-3, 1e-5, 1e-7):
            found = made.free([[-1.0]], [[1.0]], post, tolerance=tolerance)
            assert not found.blocked.any()
            if tolerance <= 0.1 * gap:
                assert found.free.all(), (gap, tolerance)
            if tolerance >= 1000 * gap:
                assert found.uncertain.all()


def test_touching_in_one_moment_is_never_free(robot) -> None:
    """The tip slides along a plane that it touches in the middle of the way."""
    made = finger(robot)
    post = impinge.Mesh(*meshes.box((np.hypot(1.0, 0.0005), -1.0, -0.5), (2.0, 1.0, 0.5)))
    rng = np.random.default_rng(0)
    found = made.free(rng.uniform(-1, -0.1, (20, 1)), rng.uniform(0.1, 1, (20, 1)), post)
    assert not found.free.any()


def test_motions_that_rest(robot) -> None:
    made = finger(robot)
    post = impinge.Mesh(*meshes.box((0.5, -0.1, -0.5), (0.6, 0.1, 0.5)))
    found = made.free([[0.0], [1.0]], [[0.0], [1.0]], post)
    assert found.free.tolist() == [False, True]
    assert found.blocked.tolist() == [True, False]
    assert found.looked.tolist() == [1, 1]


def test_a_full_turn_is_not_nothing(robot) -> None:
    made = finger(robot)
    post = impinge.Mesh(*meshes.box((-0.6, -0.1, -0.5), (-0.5, 0.1, 0.5)))
    found = made.free([[0.0]], [[2 * np.pi]], post)
    assert found.blocked.all()


def test_ignored_pairs_and_the_own_links(robot) -> None:
    hand = '<origin xyz="0 0 2"/><geometry><box size="0.2 0.2 0.2"/></geometry>'
    made = robot(
        document(
            link("a", BOX), link("b"), link("c", hand),
            joint("i", "a", "b", axis=(1, 0, 0)), joint("j", "b", "c", axis=(1, 0, 0)),
        )
    )  # fmt: skip
    # adjacent over a link without geometry
    assert made.ignored == (("a", "c"),)
    far = document(
        link("a", BOX), link("b", BOX), link("c", hand),
        joint("i", "a", "b", axis=(1, 0, 0)), joint("j", "b", "c", axis=(1, 0, 0)),
    )  # fmt: skip
    made = robot(far)
    down = made.free([[0.0, 0.0]], [[0.0, np.pi]])
    assert down.pair(0) == ("a", "c")
    assert made.ignoring([("c", "a")]).free([[0.0, 0.0]], [[0.0, np.pi]]).free.all()
    floor = impinge.Mesh(*meshes.box((-9, -9, -1), (9, 9, 0)), name="floor")
    assert made.free([[0.0, 0.0]], [[0.1, 0.0]], floor).pair(0) == ("floor", "a")
    assert made.free([[0.0, 0.0]], [[0.1, 0.0]], floor, ignore=[("a", "floor")]).free.all()


def test_the_order_of_motions_changes_nothing(robot) -> None:
    rng = np.random.default_rng(2)
    made = robot(urdf_files.chain(["revolute", "prismatic", "revolute"], rng))
    world = impinge.Mesh(*meshes.posed(meshes.box(), meshes.pose(rng)))
    Q0, Q1 = rng.uniform(-2, 2, (2, 12, len(made.joints)))
    together = made.free(Q0, Q1, world)
    for row in range(12):
        alone = made.free(Q0[row : row + 1], Q1[row : row + 1], world)
        if not (together.uncertain[row] or alone.uncertain[0]):
            assert alone.free[0] == together.free[row]
    back = made.free(Q1, Q0, world)
    both = ~(back.uncertain | together.uncertain)
    assert np.array_equal(back.free[both], together.free[both])


def test_no_motions(robot) -> None:
    found = finger(robot).free(np.zeros((0, 1)), np.zeros((0, 1)))
    assert len(found) == 0
    assert found.bodies.shape == (0, 2)


def test_bad_input(robot) -> None:
    made = finger(robot)
    with pytest.raises(InputError, match="Q0 has 1 configurations, but Q1 has 2"):
        made.free([[0.0]], [[0.0], [1.0]])
    with pytest.raises(InputError, match=r"Q1\[0, 0\] = nan"):
        made.free([[0.0]], [[np.nan]])
    for tolerance in (0.0, -1.0, np.nan, "x"):
        with pytest.raises(InputError, match="tolerance must be"):
            made.free([[0.0]], [[1.0]], tolerance=tolerance)


def test_progress_grows_to_one_and_cancels(robot) -> None:
    made = finger(robot)
    post = impinge.Mesh(*meshes.box((1.01, -1.0, -0.5), (2.0, 1.0, 0.5)))
    seen: list[float] = []
    made.free([[-1.0]] * 5, [[1.0]] * 5, post, progress=seen.append)
    assert seen == sorted(seen)
    assert seen[0] == 0.0
    assert seen[-1] == 1.0
    assert len(seen) > 3
    with pytest.raises(Cancelled):
        made.free([[-1.0]], [[1.0]], post, progress=lambda fraction: fraction < 0.1)
