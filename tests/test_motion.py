"""Motions of rigid bodies: where they are at any time, by formulas of our own."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import impinge
from impinge import InputError, Motion
from support import motions


@pytest.mark.parametrize("kind", ["translation", "rotation", "both", "screw"])
@pytest.mark.parametrize("seed", range(5))
def test_poses_are_those_of_the_formulas(kind: str, seed: int) -> None:
    rigid = motions.random_motion(np.random.default_rng(seed), kind)
    times = np.linspace(0, 1, 50)
    assert rigid.motion().at(times) == pytest.approx(rigid.at(times), abs=1e-12)


def test_ends_are_the_poses_bit_by_bit() -> None:
    rng = np.random.default_rng(1)
    for kind in ("both", "screw"):
        rigid = motions.random_motion(rng, kind)
        motion = rigid.motion()
        assert motion.at(0.0).tolist() == rigid.start.tolist()
        assert motion.at(1.0).tolist() == rigid.goal.tolist()
        assert motion.at((-3.0, 7.0)).tolist() == [rigid.start.tolist(), rigid.goal.tolist()]
        assert motion.poses.tolist() == [rigid.start.tolist(), rigid.goal.tolist()]


@pytest.mark.parametrize("angle", [1e-300, 1e-16, 1e-9, 1e-3, 3.0, 3.141])
def test_screws_of_any_angle(angle: float) -> None:
    """A small turn with a long way has its axis far off, and is nearly a line."""
    start = motions.pose(np.array([0.3, -0.2, 0.9]), np.array([1.0, 2.0, 3.0]))
    goal = start.copy()
    turn = motions.pose(angle * np.array([0.6, 0.0, 0.8]), np.zeros(3))[:3, :3]
    goal[:3, :3], goal[:3, 3] = turn @ start[:3, :3], (5.0, 1.0, -2.0)
    motion = Motion.screw(start, goal)
    # half of a screw twice is the screw
    step = motion.at(0.5) @ np.linalg.inv(start)
    assert step @ step @ start == pytest.approx(goal, abs=1e-12)
    if angle < 1e-6:
        assert motion.at(0.5)[:3, 3] == pytest.approx((start + goal)[:3, 3] / 2, abs=1e-6)


def test_several_poses_at_their_times() -> None:
    rng = np.random.default_rng(2)
    poses = np.array([motions.pose(rng.normal(size=3) * 0.5, rng.normal(size=3)) for _ in range(5)])
    motion = Motion(poses, times=(0, 1, 4, 9, 16))
    assert motion.times.tolist() == [0, 1, 4, 9, 16]
    assert len(motion) == 5
    for index, time in enumerate(motion.times):
        assert motion.at(time).tolist() == poses[index].tolist()
    between = motions.Rigid(poses[2], poses[3]).at(np.array([0.4]))[0]
    assert motion.at(6.0) == pytest.approx(between, abs=1e-12)
    assert Motion(poses).times.tolist() == [0, 0.25, 0.5, 0.75, 1]
    assert repr(motion) == "Motion(5 poses, times 0 to 16)"


def test_rotations_are_projected() -> None:
    """Those of float32 are taken, and the nearest exact ones are meant."""
    rng = np.random.default_rng(3)
    poses = np.array([motions.pose(rng.normal(size=3), rng.normal(size=3)) for _ in range(2)])
    rough = poses.astype(np.float32)
    kept = Motion(rough).poses
    assert np.abs(np.swapaxes(kept, 1, 2)[:, :3, :3] @ kept[:, :3, :3] - np.eye(3)).max() < 1e-15
    assert kept == pytest.approx(poses, abs=1e-6)
    assert Motion(poses).poses.tolist() == poses.tolist()


def test_what_is_not_rigid_is_named() -> None:
    still = np.eye(4)
    for bad, why in (
        (np.diag([1, 1, 1.00001, 1]), r"poses\[1\] is no rotation, RᵀR is off by 2e-05"),
        (np.diag([1, 1, -1, 1]), r"poses\[1\] mirrors"),
        (np.diag([0, 0, 0, 1]), r"poses\[1\] is no rotation"),
        (np.diag([1e200, 1, 1, 1]), r"poses\[1\] is no rotation"),
        (np.full((4, 4), np.nan), r"poses\[1\] has an entry that is not finite"),
        (np.ones((4, 4)), r"poses\[1\] has the bottom row"),
    ):
        with pytest.raises(InputError, match=why):
            Motion((still, bad))
    with pytest.raises(InputError, match="poses must be at least two, got 1"):
        Motion(still[None])
    with pytest.raises(InputError, match=r"shape \(m, 4, 4\)"):
        Motion(still)


def test_half_a_turn_is_ambiguous() -> None:
    still = np.eye(4)
    for axis in np.eye(3):
        half = motions.pose(np.pi * axis, np.zeros(3))
        with pytest.raises(InputError, match="poses 1 and 2 are half a turn apart"):
            Motion((still, still, half))
        nearly = motions.pose((np.pi - 1e-4) * axis, np.zeros(3))
        assert Motion((still, nearly)).at(1.0).tolist() == nearly.tolist()
    many = np.stack([np.stack([still, still]), np.stack([still, half])])
    block = [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]
    with pytest.raises(InputError, match=r"motion_b\[1\]: poses 0 and 1 are half a turn"):
        impinge.time_of_impact(block, block, motion_b=many)


def test_times_are_looked_at() -> None:
    pair = np.stack([np.eye(4)] * 2)
    with pytest.raises(InputError, match=r"times must have shape \(2,\)"):
        Motion(pair, times=(0, 1, 2))
    with pytest.raises(InputError, match=r"times\[0\] = 1.0 is followed by 1.0"):
        Motion(pair, times=(1, 1))
    with pytest.raises(InputError, match=r"times\[1\] must be finite"):
        Motion(pair, times=(0, np.inf))
    with pytest.raises(InputError, match="time must be finite"):
        Motion(pair).at(np.nan)


def test_motions_are_frozen_and_copied() -> None:
    pair = np.stack([np.eye(4)] * 2)
    motion = Motion(pair)
    pair[1, 0, 3] = 5.0
    assert motion.at(1.0)[0, 3] == 0.0
    with pytest.raises(ValueError, match="read-only"):
        motion.poses[0, 0, 0] = 2.0
    for same in (pickle.loads(pickle.dumps(motion)), copy.copy(motion), copy.deepcopy(motion)):
        assert same.at(0.3).tolist() == motion.at(0.3).tolist()
        assert not same.poses.flags.writeable
