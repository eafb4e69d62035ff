"""Forward kinematics: against another way to compute it, and against pinocchio."""

from __future__ import annotations

import numpy as np
import pytest

from impinge.errors import InputError
from impinge.robots import Robot
from support import urdf_files
from support.urdf_files import BOX, joint, link
from support.urdf_truth import link_poses

KINDS = ["revolute", "continuous", "prismatic", "fixed"]


def all_poses(robot: Robot, Q: np.ndarray) -> dict[str, np.ndarray]:
    return robot.poses(Q, links=robot.links)


@pytest.mark.parametrize("seed", range(20))
def test_random_trees_are_where_the_matrices_say(robot, put, seed: int) -> None:
    rng = np.random.default_rng(seed)
    text = urdf_files.chain(list(rng.choice(KINDS, 9)), rng)
    made = robot(text)
    Q = rng.uniform(-4.0, 4.0, (7, len(made.joints)))
    poses = all_poses(made, Q)
    path = put("robot.urdf", text.encode())
    for row, q in enumerate(Q):
        truth = link_poses(path, dict(zip(made.joints, q, strict=True)))
        assert poses.keys() == truth.keys()
        for name, pose in truth.items():
            assert np.abs(poses[name][row] - pose).max() < 1e-13, (seed, name)


def test_what_is_asked_together_is_what_is_asked_alone(robot) -> None:
    rng = np.random.default_rng(1)
    made = robot(urdf_files.chain(KINDS * 3, rng))
    Q = rng.uniform(-4.0, 4.0, (1003, len(made.joints)))
    together = all_poses(made, Q)
    for row in (0, 1, 7, 500, 1001, 1002):
        for name, pose in all_poses(made, Q[row : row + 1]).items():
            assert np.array_equal(pose[0], together[name][row])
    for name, pose in all_poses(made, np.asfortranarray(Q)[3:]).items():
        assert np.array_equal(pose, together[name][3:])


def test_axes_along_x_y_and_z_turn_without_rounding_what_rests(robot) -> None:
    for axis in np.vstack((np.eye(3), -np.eye(3))):
        made = robot(urdf_files.robot(link("a"), link("b", BOX), joint("j", "a", "b", axis=axis)))
        assert np.array_equal(made.poses([[0.0]])["b"][0, :3, :3], np.eye(3))
        turned = made.poses([[0.3]])["b"][0, :3, :3]
        assert np.array_equal(turned @ axis, axis)


def test_a_base_moves_all_links(robot) -> None:
    base = np.array([(0, -1, 0, 5.0), (1, 0, 0, 6.0), (0, 0, 1, 7.0), (0, 0, 0, 1)])
    text = urdf_files.chain(KINDS, np.random.default_rng(3))
    here, there = robot(text), robot(text, base=base)
    Q = here.random(5)
    for name, pose in all_poses(there, Q).items():
        assert np.allclose(pose, base @ all_poses(here, Q)[name], atol=1e-14)
    assert np.array_equal(there.base, base)


@pytest.mark.parametrize(
    "base", [np.eye(4) * (2, 2, 2, 1), np.diag((1.0, 1.0, -1.0, 1.0)), np.eye(3)]
)
def test_a_base_that_is_not_rigid_is_refused(robot, base: np.ndarray) -> None:
    with pytest.raises(InputError, match="base must"):
        robot(urdf_files.robot(link("a", BOX)), base=base)


def test_mimics_of_mimics_and_limits(robot) -> None:
    limit = '<limit lower="0" upper="0.5"/>'
    made = robot(
        urdf_files.robot(
            link("a"),
            link("b"),
            link("c"),
            link("d", BOX),
            joint("lead", "a", "b", "prismatic", more=limit),
            joint(
                "second",
                "b",
                "c",
                "prismatic",
                more=limit + '<mimic joint="lead" multiplier="2" offset="0.1"/>',
            ),
            joint(
                "third",
                "c",
                "d",
                "prismatic",
                more='<limit lower="-9" upper="9"/><mimic joint="second" multiplier="-3"/>',
            ),
        )
    )
    assert made.joints == ("lead",)
    height = made.poses([[0.1], [0.3]])["d"][:, 2, 3]
    assert np.allclose(height, [3 + 0.1 + 0.3 - 0.9, 3 + 0.3 + 0.7 - 2.1])
    # the second joint is beyond its limit before the first is
    assert made.within_limits([[0.1], [0.2], [0.21], [-0.01]]).tolist() == [
        True,
        True,
        False,
        False,
    ]
    assert (made.lower, made.upper) == (0.0, 0.5)


def test_random_configurations_are_within_the_limits(robot) -> None:
    made = robot(urdf_files.chain(KINDS * 2, np.random.default_rng(5)))
    Q = made.random(1000, seed=4)
    free = (made.lower <= Q) & (made.upper >= Q)
    assert free.all()
    assert np.array_equal(Q, made.random(1000, seed=4))
    assert not np.array_equal(Q, made.random(1000, seed=5))
    assert Q.max() > 2.9
    assert Q.min() < -2.9


def test_a_group_moves_its_joints_alone(robot, put) -> None:
    text = urdf_files.robot(
        link("a"), link("b"), link("c", BOX), joint("one", "a", "b"), joint("two", "b", "c")
    )
    srdf = '<robot name="x"><group name="tip"><link name="c"/></group></robot>'
    made = robot(text, srdf=put("x.srdf", srdf.encode()))
    tip = made.group("tip", at=[0.7, 9.0])
    assert tip.joints == ("two",)
    together = made.poses([[0.7, 0.2]])["c"]
    assert np.array_equal(tip.poses([[0.2]])["c"], together)
    with pytest.raises(InputError, match=r"group 'top' does not exist .did you mean 'tip'"):
        made.group("top")
    with pytest.raises(InputError, match=r"at must have shape \(2,\), got \(1,\)|\(m, 2\)"):
        made.group("tip", at=[1.0])


@pytest.mark.parametrize(
    ("Q", "message"),
    [
        (
            [0.0],
            r"Q must have shape \(m, 1\), a column for each of the 1 joints, got \(1,\); write Q",
        ),
        ([[0.0, 1.0]], r"Q must have shape \(m, 1\)"),
        ([[np.nan]], r"Q\[0, 0\] = nan of joint 'j' must be finite"),
        ([[0.0], [np.inf]], r"Q\[1, 0\] = inf of joint 'j' must be finite"),
        ([["a"]], "Q must be"),
        (None, "Q must be"),
    ],
)
def test_bad_configurations_are_refused(robot, Q: object, message: str) -> None:
    made = robot(urdf_files.robot(link("a"), link("b", BOX), joint("j", "a", "b")))
    with pytest.raises(InputError, match=message):
        made.poses(Q)


def test_no_configurations_are_fine(robot) -> None:
    made = robot(urdf_files.robot(link("a"), link("b", BOX), joint("j", "a", "b")))
    assert made.poses(np.zeros((0, 1)))["b"].shape == (0, 4, 4)
    assert made.collides(np.zeros((0, 1))).shape == (0,)


EXAMPLES = [
    "panda_description/urdf/panda.urdf",
    "ur_description/urdf/ur5_robot.urdf",
    "talos_data/robots/talos_reduced.urdf",
    "baxter_description/urdf/baxter.urdf",
]


@pytest.mark.parametrize("name", EXAMPLES)
def test_known_robots_are_where_pinocchio_says(example_robots, name: str) -> None:
    pinocchio = pytest.importorskip("pinocchio")
    path = example_robots / name
    made = Robot.load(path)
    model = pinocchio.buildModelFromUrdf(str(path), True)
    data = model.createData()
    Q = made.random(20)
    poses = all_poses(made, Q)
    for row, values in enumerate(Q):
        q = pinocchio.neutral(model)
        for joint_name, value in zip(made.joints, values, strict=True):
            joint_model = model.joints[model.getJointId(joint_name)]
            at = joint_model.idx_q
            if joint_model.nq == 2:
                q[at : at + 2] = np.cos(value), np.sin(value)
            else:
                q[at] = value
        pinocchio.framesForwardKinematics(model, data, q)
        for link_name in made.links:
            truth = data.oMf[model.getFrameId(link_name)].homogeneous
            assert np.abs(poses[link_name][row] - truth).max() < 1e-12, link_name
