"""Contenders run in turns, and those that fail are reported."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from impinge.lab.bench import peers, workloads
from impinge.lab.bench.contender import ContenderError, Local, Remote
from impinge.lab.bench.measure import Limits, Spread, measure
from impinge.lab.bench.peers import Impinge
from impinge.lab.bench.workload import Workload
from support import fake_peers

LIMITS = Limits(repeat=2, checking=5, timing=5, slowest=5)


def tiny(steps: int = 4, chunk: int = 2) -> Workload:
    return Workload(
        "T1-tiny", "two small spheres", "pair", lambda: workloads.posed(6, steps), steps, chunk
    )


class Listening(Local):
    """Writes down when it runs."""

    def __init__(self, adapter: Any, heard: list[tuple[str, tuple[int, ...]]]) -> None:
        super().__init__(adapter)
        self._heard = heard

    def run(self, steps: Sequence[int]) -> tuple[float, float]:
        self._heard.append((self.adapter.name, tuple(steps)))
        return super().run(steps)


def test_runs_alternate_and_take_turns_to_begin() -> None:
    heard: list[tuple[str, tuple[int, ...]]] = []
    pair = [Listening(Impinge(), heard), Listening(fake_peers.Sloppy(), heard)]
    rows = measure(tiny(), pair, LIMITS)
    assert heard == [
        ("impinge", (0, 1)), ("sloppy", (0, 1)), ("sloppy", (2, 3)), ("impinge", (2, 3)),
        ("impinge", (0, 1)), ("sloppy", (0, 1)), ("sloppy", (2, 3)), ("impinge", (2, 3)),
    ]  # fmt: skip
    for row in rows:
        assert row.runs == 4
        assert row.wall is not None
        assert 0 < row.wall.low <= row.wall.median <= row.wall.high


def test_missing_and_extra_pairs_of_a_peer_are_counted() -> None:
    steps = 4
    own, sloppy = measure(tiny(steps), [Local(Impinge()), Local(fake_peers.Sloppy())], LIMITS)
    assert own.verdict.correct
    assert own.verdict.steps == sloppy.verdict.steps == steps
    assert sloppy.verdict.missing == fake_peers.DROPPED * steps
    # the invented pairs are the same two in every step
    assert sloppy.verdict.extra == fake_peers.INVENTED * steps


def test_classes_are_timed_apart() -> None:
    kinds = ("near", "far")
    workload = Workload(
        "T4", "two classes", "pair", lambda: workloads.posed(6, 4), 4, chunk=1,
        classes=kinds, groups=(("all", kinds),),
    )  # fmt: skip
    heard: list[tuple[str, tuple[int, ...]]] = []
    (row,) = measure(workload, [Listening(Impinge(), heard)], LIMITS)
    assert [steps for _, steps in heard[:4]] == [(0,), (2,), (1,), (3,)]
    assert [part.part for part in row.parts] == ["near", "far", "all"]
    near, far, both = row.parts
    assert near.runs == far.runs == 4
    assert row.wall == both.wall
    assert near.wall is not None
    assert far.wall is not None
    assert row.wall is not None
    assert row.wall.median == pytest.approx((near.wall.median + far.wall.median) / 2)


def test_every_class_is_timed_however_late_it_is() -> None:
    workload = Workload(
        "T4", "two classes", "pair", lambda: workloads.posed(6, 4), 4, classes=("near", "far")
    )
    (row,) = measure(workload, [Local(Impinge())], LIMITS, until=0.0)
    assert [part.runs for part in row.parts] == [1, 1]


def test_time_is_given_per_part_of_a_step() -> None:
    assert Spread.of([1.0, 2.0, 3.0]) == Spread(2.0, 1.5, 2.5, 1.0)
    poses = 5
    batch = Workload("T1b", "batch", "pair_batch", lambda: workloads.posed(6, poses), 1, per=poses)
    rows = measure(batch, [Local(Impinge()), Local(fake_peers.Sloppy())], LIMITS)
    assert all(row.wall is not None for row in rows)


class Constant(Local):
    """Needs a second for each step."""

    def run(self, steps: Sequence[int]) -> tuple[float, float]:
        return float(len(steps)), float(len(steps))


def test_short_steps_are_done_several_times_in_a_row() -> None:
    heard: list[tuple[str, tuple[int, ...]]] = []
    workload = replace(tiny(), rounds=3)
    measure(workload, [Listening(Impinge(), heard)], LIMITS)
    assert heard[0] == ("impinge", (0, 1) * 3)
    (row,) = measure(workload, [Constant(Impinge())], LIMITS)
    assert row.wall == row.cpu == Spread(1.0, 1.0, 1.0, 1.0)


def test_no_turn_begins_too_late() -> None:
    (row,) = measure(tiny(), [Local(Impinge())], LIMITS, until=0.0)
    assert row.runs == 1


def test_a_peer_that_raises_or_crashes_does_not_end_the_run() -> None:
    contenders = [
        Remote(adapter, threads=1)
        for adapter in (Impinge(), fake_peers.Raising(), fake_peers.Crashing())
    ]
    try:
        own, raising, crashing = measure(tiny(), contenders, LIMITS)
        assert own.wall is not None
        assert "RuntimeError: this mesh is not to my taste" in raising.problem
        assert "ended unexpectedly" in crashing.problem
        # it is there again for the next workload
        contenders[2].prepare("pair", workloads.posed(6, 1))
    finally:
        for one in contenders:
            one.close()


def test_a_peer_keeps_to_its_threads() -> None:
    one = Remote(fake_peers.Telling(), threads=1)
    with pytest.raises(ContenderError, match="1 threads, 1 cores"):
        one.prepare("pair", workloads.posed(6, 1))
    one.close()


def test_a_peer_that_takes_too_long_is_given_up() -> None:
    one = Remote(Impinge())
    one.limit = 0.0
    with pytest.raises(ContenderError, match="no answer in 0 s"):
        one.prepare("pair", workloads.posed(6, 1))
    one.close()


def test_memory_is_measured_in_a_new_process() -> None:
    one = Remote(Impinge())
    case = workloads.breathing(64)
    peak, kept = one.memory(case)
    one.close()
    assert 0 <= kept <= peak
    assert peak / len(case.faces) < 1000


def test_asking_before_preparing_is_an_error() -> None:
    with pytest.raises(ContenderError, match="before it was prepared"):
        Local(Impinge()).answer(0)


@pytest.mark.parametrize("adapter", peers.selected(), ids=lambda adapter: adapter.name)
def test_adapters_say_what_they_are(adapter: peers.Adapter) -> None:
    assert adapter.name
    assert adapter.cure.startswith(("pip install ", "apt install ", "a C++ compiler is needed"))
    assert adapter.tasks
    assert set(adapter.tasks) <= set(Impinge().tasks)


def test_broad_phase_misses_no_pair_of_bodies() -> None:
    from impinge.lab.bench.peers.boxes import BroadPhase

    case = workloads.pile(8, 6, 1)
    own = Local(Impinge())
    own.prepare("bodies", case)
    rows, _ = own.answer(0)
    assert {tuple(pair) for pair in np.unique(rows[:, :2], axis=0).tolist()} <= {
        *BroadPhase(case).pairs(0)
    }


def test_a_workload_of_one_step_has_enough_turns() -> None:
    one = Workload("T6", "one step", "pair", lambda: workloads.posed(6, 1), 1)
    (row,) = measure(one, [Local(Impinge())], Limits(repeat=2, turns=7))
    assert row.runs == 7
