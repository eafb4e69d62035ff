"""One run of the benchmark: who takes part, in what, and what came out."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from impinge.lab.bench import peers, workloads
from impinge.lab.bench.contender import Remote, ended
from impinge.lab.bench.measure import FULL, QUICK, Row, measure
from impinge.lab.bench.report import PeerResult

if TYPE_CHECKING:
    from pathlib import Path


def run(
    *,
    workload_names: Iterable[str] = (),
    peer_names: Iterable[str] = (),
    repeat: int | None = None,
    threads: int | None = None,
    quick: bool = False,
    data: str | Path | None = None,
    say: Callable[[str], object] = lambda _: None,
) -> PeerResult:
    """Measures impinge and the installed ones of the named peers in the named workloads."""
    chosen = workloads.selected(workloads.available(quick=quick, data=data), workload_names)
    asked = peers.selected(peer_names)
    tasks = {workload.task for workload in chosen}
    begin = time.perf_counter()
    found = [peer for peer in asked if peer.installed]
    _make_ready([peer for peer in found if tasks & {*peer.tasks}], say)
    present = [peer for peer in found if peer.installed]
    absent = tuple(peer for peer in asked if not peer.installed)
    limits = QUICK if quick else FULL
    if repeat is not None:
        limits = replace(limits, repeat=repeat, turns=0)
    contenders = [
        Remote(adapter, threads=threads)
        for adapter in (peers.Impinge(), *present)
        if tasks & {*adapter.tasks}
    ]
    rows: dict[str, list[Row]] = {}
    # when much time went into compiling, there is less, but not none, for the workloads
    total = float("inf") if limits.total is None else limits.total
    end = max(begin + total, time.perf_counter() + total / 2)
    with ended(contenders):
        say("starting the contenders")
        for contender in contenders:
            contender.limit = 20.0 if quick else 120.0
            contender.start()
        # memory first, while the processes are new
        order = sorted(chosen, key=lambda workload: workload.task != "memory")
        for position, workload in enumerate(order):
            now = time.perf_counter()
            if now >= end:
                break
            until = now + (end - now) / (len(order) - position)
            rows[workload.name] = measure(workload, contenders, limits, until=until, say=say)
    reached = [rows[workload.name] for workload in chosen if workload.name in rows]
    skipped = tuple(workload.name for workload in chosen if workload.name not in rows)
    return PeerResult(tuple(chain.from_iterable(reached)), absent, threads, quick, skipped)


def _make_ready(adapters: list[peers.Adapter], say: Callable[[str], object]) -> None:
    """All at once, since a compiler has only one thread."""
    say("preparing the peers (those in C++ are compiled once)")
    with ThreadPoolExecutor() as pool:
        list(pool.map(lambda adapter: adapter.make_ready(), adapters))
