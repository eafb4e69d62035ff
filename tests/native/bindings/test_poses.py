from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import impinge
from impinge import _core
from impinge._arrays import LARGEST
from support.meshes import grid

POSE = np.eye(4)
POSE[:3, 3] = 1, 2, 3


def entry(row: int, column: int, value: float) -> np.ndarray:
    pose = POSE.copy()
    pose[row, column] = value
    return pose


def fits(pose: np.ndarray, reach: float) -> bool:
    placement = _core.placement_of(pose, reach, LARGEST)
    assert placement is None or placement == pose.tobytes()
    return placement is not None


def test_the_bytes_of_a_pose() -> None:
    assert fits(POSE, 5.0)
    assert fits(POSE, 0.0)


@pytest.mark.parametrize("reach", [0.0, 1.0, 1e99])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e308, -1e101])
@pytest.mark.parametrize("place", [(0, 0), (1, 2), (2, 3)])
def test_it_takes_what_both_checks_of_poses_take(
    place: tuple[int, int], value: float, reach: float
) -> None:
    pose = entry(*place, value)
    both = _core.poses_fit(pose[None], 0.0, np.inf) and _core.poses_fit(pose[None], reach, LARGEST)
    assert fits(pose, reach) == both


@pytest.mark.parametrize("column", range(4))
def test_the_last_row_is_that_of_an_affine_map(column: int) -> None:
    assert not fits(entry(3, column, 0.5), 1.0)


@pytest.mark.parametrize(
    "other", [POSE[:3], POSE.astype(np.float32), np.stack([POSE, POSE]), np.zeros(0)]
)
def test_other_numbers_of_bytes_are_no_pose(other: np.ndarray) -> None:
    assert not fits(other, 1.0)


@pytest.mark.parametrize(
    "other",
    [
        POSE.astype(np.float32),
        POSE.astype(np.int64),
        POSE.astype(">f8"),
        np.asfortranarray(POSE),
        np.stack([POSE, POSE], axis=2)[:, :, 1],
        POSE.tolist(),
    ],
)
def test_a_body_takes_any_layout(other: Any) -> None:
    body = impinge.Scene().add(*grid(1, 1))
    body.pose = other
    assert np.array_equal(body.pose, POSE)
    assert not body.pose.flags.writeable
