"""Every installed peer answers every question that it says it can answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from impinge.lab.bench import peers, workloads
from impinge.lab.bench.compare import compare
from impinge.lab.bench.contender import ContenderError, Local, Remote
from impinge.lab.bench.peers import Impinge

CASES = {
    "pair": lambda: workloads.posed(8, 2),
    "pair_batch": lambda: workloads.posed(8, 2),
    "one_shot": lambda: workloads.posed(8, 2),
    "itself": lambda: workloads.folded_cloth(30, 2),
    "contacts": lambda: workloads.near_itself(workloads.folded_cloth(30, 2)),
    "bodies": lambda: workloads.pile(6, 6, 2),
    "touch": lambda: workloads.touching(8, 8),
    "touch_batch": lambda: workloads.touching(8, 8),
    "distance": lambda: workloads.posed(8, 2, 2.6),
    "rays": lambda: workloads.inward_rays(8),
    "build": lambda: workloads.breathing(8),
    "refit": lambda: workloads.breathing(8),
}
# peers are known to err now and then, but not by much
FORGIVEN = 0.1


ALL = [(peer.name, task) for peer in peers.selected() for task in CASES if task in peer.tasks]


@pytest.fixture(scope="module")
def peer(request: pytest.FixtureRequest) -> Iterator[Any]:
    (adapter,) = peers.selected([request.param])
    if not adapter.installed:
        pytest.skip(f"not installed: {adapter.cure}")
    adapter.make_ready()
    if not adapter.installed:
        pytest.fail(adapter.cure)
    contender = Remote(adapter)
    yield contender
    contender.close()


@pytest.mark.parametrize(("peer", "task"), ALL, indirect=["peer"])
def test_answers_of_installed_peers(peer: Remote, task: str) -> None:
    case, own = CASES[task](), Local(Impinge())
    own.prepare(task, case)
    try:
        peer.prepare(task, case)
    except ContenderError as error:
        # a package that is there but cannot be used here, as on an old machine
        if "ImportError" in str(error) or "ended unexpectedly" in str(error):
            pytest.skip(str(error))
        raise
    steps = 1 if task in ("rays", "pair_batch", "touch_batch") else 2
    for step in range(steps):
        wanted, _ = own.answer(step)
        found, _ = peer.answer(step)
        verdict = compare(np.asarray(found), np.asarray(wanted))
        wrong = verdict.missing + verdict.extra + verdict.off
        assert wrong <= FORGIVEN * verdict.expected, str(verdict)
    wall, cpu = peer.run(range(steps))
    assert wall > 0
    assert cpu >= 0
