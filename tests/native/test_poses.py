from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from impinge import _core
from impinge._arrays import LARGEST

POSE = np.eye(4)
POSE[:3, 3] = 1, 2, 3


def entry(row: int, column: int, value: float) -> np.ndarray:
    pose = POSE.copy()
    pose[row, column] = value
    return pose


def test_the_bytes_of_a_pose() -> None:
    assert _core.pose_bytes(POSE, 5.0, LARGEST) == POSE.tobytes()
    assert _core.pose_bytes(np.stack([POSE, POSE])[1], 0.0, LARGEST) == POSE.tobytes()
    frozen = POSE.copy()
    frozen.setflags(write=False)
    assert _core.pose_bytes(frozen, 5.0, LARGEST) == POSE.tobytes()


@pytest.mark.parametrize("reach", [0.0, 1.0, 1e99])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e308, -1e101])
@pytest.mark.parametrize("place", [(0, 0), (1, 2), (2, 3)])
def test_it_takes_what_both_checks_of_poses_take(
    place: tuple[int, int], value: float, reach: float
) -> None:
    pose = entry(*place, value)
    fits = _core.poses_fit(pose[None], 0.0, np.inf) and _core.poses_fit(pose[None], reach, LARGEST)
    assert (_core.pose_bytes(pose, reach, LARGEST) is not None) == fits


@pytest.mark.parametrize("column", range(4))
def test_the_last_row_is_that_of_an_affine_map(column: int) -> None:
    assert _core.pose_bytes(entry(3, column, 0.5), 1.0, LARGEST) is None


@pytest.mark.parametrize(
    "other",
    [
        POSE[None],
        POSE[:3],
        POSE.T,
        POSE.astype(np.float32),
        POSE.astype(np.int64),
        POSE.astype(">f8"),
        POSE.tolist(),
        POSE.tobytes(),
        "pose",
        3,
    ],
)
def test_all_else_is_left_to_others(other: Any) -> None:
    assert _core.pose_bytes(other, 1.0, LARGEST) is None
