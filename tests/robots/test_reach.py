"""No point of a link moves faster than the bounds say, seen from any other link or the world."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from support import urdf_files

KINDS = ["revolute", "continuous", "prismatic", "fixed"]


def pairs_of(count: int) -> np.ndarray:
    found = [(-1, b) for b in range(count)] + [*combinations(range(count), 2)]
    return np.array(found, dtype=np.int32)


@pytest.mark.parametrize("seed", range(15))
def test_points_stay_within_the_bounds(robot, seed: int) -> None:
    rng = np.random.default_rng(seed)
    made = robot(urdf_files.chain(list(rng.choice(KINDS, 7)), rng))
    dof = len(made.joints)
    starts = rng.uniform(-3.0, 3.0, (30, dof))
    ends = starts + rng.normal(size=(30, dof)) * rng.choice((0.0, 1e-3, 1.0), (30, dof))
    change = (ends - starts) @ made._factors
    values = np.maximum(np.abs(made._values(starts)), np.abs(made._values(ends)))
    pairs = pairs_of(len(made.meshes))
    speeds = made._parts.reach.speeds(pairs, change, values)
    first, second = np.sort(rng.uniform(size=(2, 30, 1)), axis=0)
    before, after = (made.poses(starts + t * (ends - starts)) for t in (first, second))
    took = (second - first)[:, 0]
    largest = 0.0
    for column, (a, b) in enumerate(pairs.tolist()):
        bound = speeds[:, column] * took
        start, end = (_gaps(made, a, b, poses) for poses in (before, after))
        nearer = np.abs(end - start).max(axis=1)
        assert (nearer <= bound * (1 + 1e-12) + 1e-12).all(), (seed, a, b)
        if a < 0:
            moves = (_points(made, b, poses) for poses in (before, after))
            path = np.linalg.norm(np.subtract(*moves), axis=2).max(axis=1)
            assert (path <= bound + 1e-12).all(), (seed, b)
            far = bound > 1e-9
            largest = max(largest, float((path[far] / bound[far]).max(initial=0.0)))
    # the bounds are worth something
    assert largest > 0.3 or not made.joints


def _gaps(made, a: int, b: int, poses: dict[str, np.ndarray]) -> np.ndarray:
    """(m, k): distances of all vertices of one link from those of the other, or from the world."""
    fixed = np.array([[(0.3, 0.2, 0.1), (-3.0, 0.5, 0.0)]])
    own, other = (fixed if body < 0 else _points(made, body, poses) for body in (a, b))
    gaps = np.linalg.norm(own[:, :, None] - other[:, None], axis=3)
    return gaps.reshape(len(gaps), -1)


def _points(made, body: int, poses: dict[str, np.ndarray]) -> np.ndarray:
    """(m, n, 3): the vertices of a link in the world."""
    name, mesh = [*made.meshes.items()][body]
    turned = np.einsum("mij,nj->mni", poses[name][:, :3, :3], mesh.vertices)
    return turned + poses[name][:, None, :3, 3]
