"""The reference is held to brute force, in every task that has an answer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from impinge.lab.bench import oracle, workloads
from impinge.lab.bench.cases import Machine
from impinge.lab.bench.contender import Local
from impinge.lab.bench.oracle import WrongReferenceError, confirm
from impinge.lab.bench.peers import Impinge
from impinge.lab.bench.peers.protocol import TASKS
from support import distance_reference


def drifting_parts() -> Machine:
    """Three bumpy bodies that drift, and one that stays; two of them are not asked about."""
    pile = workloads.pile(4, 4, 12)
    poses = pile.poses.copy()
    poses[:, 3] = np.eye(4)
    poses[:, :3, :3, 3] *= np.linspace(1.7, 2.6, 12)[:, None, None]
    pairs = np.array([(0, 1), (0, 3), (1, 2), (1, 3), (2, 3)], dtype=np.int32)
    nothing = np.zeros((0, 4, 4))
    return Machine(pile.meshes, pairs, poses, 1, "", pairs[:0, 0], nothing, nothing[:, 0])


CASES = {
    "pair": lambda: workloads.posed(12, 2),
    "pair_batch": lambda: workloads.posed(12, 2),
    "one_shot": lambda: workloads.posed(12, 2),
    "itself": lambda: workloads.folded_cloth(30, 2),
    "contacts": lambda: workloads.near_itself(workloads.folded_cloth(30, 2)),
    "bodies": lambda: workloads.pile(8, 6, 2),
    "machine": drifting_parts,
    "touch": lambda: workloads.touching(8, 8),
    "touch_batch": lambda: workloads.touching(8, 8),
    "distance": lambda: workloads.posed(12, 2, 2.6),
    "rays": lambda: workloads.inward_rays(12),
    "near": lambda: workloads.near(12, 2, 1.9),
    "near_touch": lambda: workloads.near(12, 2, 1.9),
    "overlap": lambda: workloads.posed(12, 2),
    "contains": lambda: workloads.scattered(12, 500),
}


def answered(task: str, step: int = 0) -> tuple[Any, Any]:
    case, own = CASES[task](), Local(Impinge())
    own.prepare(task, case)
    rows, _ = own.answer(step)
    return case, np.asarray(rows)


def test_every_task_with_an_answer_is_confirmed() -> None:
    assert {*CASES} == {*TASKS} - {"build", "refit", "memory"}


@pytest.mark.parametrize("task", CASES)
def test_reference_agrees_with_brute_force(task: str) -> None:
    case, rows = answered(task)
    assert confirm(task, case, 0, rows) > 0


@pytest.mark.parametrize(
    "task", ["pair", "pair_batch", "one_shot", "itself", "bodies", "near", "contacts"]
)
def test_one_pair_too_few_or_too_many_is_seen(task: str) -> None:
    case, rows = answered(task)
    with pytest.raises(WrongReferenceError, match="1 missing"):
        confirm(task, case, 0, rows[1:])
    invented = rows[:1].copy()
    invented[0, -1] += 10_000
    with pytest.raises(WrongReferenceError, match="1 extra"):
        confirm(task, case, 0, np.concatenate([rows, invented]))


def test_a_configuration_too_many_is_seen() -> None:
    case, rows = answered("machine")
    looked_at = np.unique(np.linspace(0, len(case.poses) - 1, 4).astype(int))
    for wrong in (np.setdiff1d(rows, looked_at), np.union1d(rows, looked_at)):
        with pytest.raises(WrongReferenceError, match="off"):
            confirm("machine", case, 0, wrong[:, None])


def test_another_volume_is_seen() -> None:
    case, volume = answered("overlap")
    for wrong in (0.99 * volume, 1.01 * volume):
        with pytest.raises(WrongReferenceError, match="1 off"):
            confirm("overlap", case, 0, wrong)


def test_a_point_too_many_is_seen() -> None:
    case, rows = answered("contains")
    looked_at = np.unique(np.linspace(0, len(case.points) - 1, 64).astype(int))
    one = np.setdiff1d(looked_at, rows)[:1]
    with pytest.raises(WrongReferenceError, match="1 off"):
        confirm("contains", case, 0, np.concatenate([rows, one[:, None]]))


def test_a_large_mesh_is_checked_as_a_whole() -> None:
    case, own = workloads.posed(32, 1), Local(Impinge())
    own.prepare("pair", case)
    rows, _ = own.answer(0)
    assert confirm("pair", case, 0, rows) == len(rows)


@pytest.mark.parametrize("step", [0, 2, 4, 6])
def test_a_wrong_verdict_is_seen(step: int) -> None:
    case, rows = answered("touch", step)
    assert len(rows) == (step < 4)
    with pytest.raises(WrongReferenceError, match="1 off"):
        confirm("touch", case, step, np.zeros((1 - len(rows), 1), int))


def test_a_wrong_verdict_of_a_batch_is_seen() -> None:
    case, rows = answered("touch_batch")
    with pytest.raises(WrongReferenceError, match="1 off"):
        confirm("touch_batch", case, 0, rows[1:])


@pytest.mark.parametrize("task", ["distance", "rays"])
def test_a_number_that_is_off_in_the_seventh_digit_is_seen(task: str) -> None:
    case, numbers = answered(task)
    with pytest.raises(WrongReferenceError, match="off"):
        confirm(task, case, 0, numbers * (1 + 1e-7))


def test_distance_of_triangles_is_that_of_exact_arithmetic() -> None:
    random = np.random.default_rng(4)
    p, q = random.normal(size=(2, 60, 3, 3))
    q[:, :, 0] += 6
    # parallel edges, and the closest points in a corner, an edge or a face
    q[:20] = np.round(p[:20]) + np.array([5.0, 0.0, 0.0])
    p[:20] = np.round(p[:20])
    found = oracle.triangle_distances(p, q)
    squared = [distance_reference.squared(s, t) for s, t in zip(p, q, strict=True)]
    truth = list(map(distance_reference.root, squared))
    kept = np.array([len(np.unique(t, axis=0)) == 3 for t in p])
    assert np.allclose(found[kept], np.array(truth)[kept], rtol=1e-12)
