"""Asks all contenders the same: first for the answer, then for the time, in turns."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from impinge.lab.bench.compare import Verdict, compare
from impinge.lab.bench.contender import ContenderError
from impinge.lab.bench.oracle import confirm

if TYPE_CHECKING:
    from impinge.lab.bench.cases import Case
    from impinge.lab.bench.contender import Contender
    from impinge.lab.bench.workload import Workload


@dataclass(frozen=True)
class Limits:
    """How long a contender may take."""

    repeat: int = 5
    """Passes through all steps of a workload."""
    turns: int = 0
    """Fewest turns, for workloads of few steps."""
    checking: float = 3.0
    """Seconds after which no further step is compared."""
    timing: float = 4.0
    """Seconds after which a contender that ran at least three times runs no more."""
    slowest: float = 10.0
    """Seconds of one step beyond which a contender is not timed at all."""
    total: float | None = None
    """Seconds for all workloads together; what is not reached in time is left out."""


FULL = Limits(turns=15)
QUICK = Limits(repeat=3, checking=0.1, timing=0.3, slowest=1.0, total=40.0)


@dataclass(frozen=True)
class Spread:
    """Median, quartiles and minimum, in seconds per step."""

    median: float
    low: float
    high: float
    least: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        least, low, median, high = map(float, np.percentile(values, [0, 25, 50, 75]))
        return cls(median, low, high, least)

    @classmethod
    def mean(cls, spreads: Sequence[Spread]) -> Spread:
        """Of several classes, all of the same weight."""
        values = [(one.median, one.low, one.high, one.least) for one in spreads]
        return cls(*map(float, np.mean(values, axis=0)))


@dataclass
class Row:
    """One contender in one workload."""

    workload: Workload
    name: str
    version: str
    verdict: Verdict = field(default_factory=Verdict)
    wall: Spread | None = None
    cpu: Spread | None = None
    runs: int = 0
    peak: float | None = None
    """Bytes per triangle at the peak of a build."""
    kept: float | None = None
    """Bytes per triangle that a tree keeps."""
    problem: str = ""
    part: str = ""
    """The class of steps it is about; empty for all of them."""
    parts: list[Row] = field(default_factory=list)
    """Its times by class, where the workload has classes."""

    @property
    def cost(self) -> float | None:
        """What is compared: seconds per step, or bytes per triangle."""
        if self.workload.task == "memory":
            return self.peak
        return None if self.wall is None else self.wall.median


Say = Callable[[str], object]


def measure(
    workload: Workload,
    contenders: Sequence[Contender],
    limits: Limits,
    *,
    until: float = float("inf"),
    say: Say = lambda _: None,
) -> list[Row]:
    """Rows of all contenders that can do this workload; the first one is the reference.

    No turn begins after `until`, a time of `time.perf_counter`, but each has at least one.
    """
    able = [one for one in contenders if workload.task in one.adapter.tasks]
    rows = [Row(workload, one.adapter.name, one.adapter.version) for one in able]
    say(f"{workload.name}: making")
    case = workload.make()
    if workload.task == "memory":
        _weigh(case, able, rows, say)
        return rows
    ready = []
    for one, row in zip(able, rows, strict=True):
        say(f"{workload.name}: {row.name} prepares")
        try:
            one.prepare(workload.task, case)
            ready.append((one, row))
        except ContenderError as error:
            row.problem = str(error)
    ready = check(workload, case, ready, limits, say)
    interleave(workload, ready, limits, until=until, say=say)
    for one in able:
        try:
            one.drop()
        except ContenderError:
            continue
    return rows


Entered = list[tuple["Contender", Row]]


def check(workload: Workload, case: Case, ready: Entered, limits: Limits, say: Say) -> Entered:
    """Compares all answers with those of the first; gives who goes on to be timed."""
    reference: list[Any] = []
    left = []
    for position, (one, row) in enumerate(ready):
        say(f"{workload.name}: {row.name} is checked")
        start = time.perf_counter()
        try:
            for step in range(workload.steps):
                rows, spent = one.answer(step)
                if position == 0:
                    reference.append(rows)
                    if step in workload.confirmed:
                        confirm(workload.task, case, step, rows)
                if step < len(reference):
                    row.verdict += compare(rows, reference[step])
                late = time.perf_counter() - start > limits.checking
                # the reference answers everything, however long it takes
                if late and position > 0:
                    break
        except (ContenderError, ValueError) as error:
            row.problem = str(error)
            continue
        if spent > limits.slowest:
            row.problem = f"too slow: {spent:.1f} s"
            continue
        left.append((one, row))
    return left


def interleave(
    workload: Workload,
    ready: Entered,
    limits: Limits,
    *,
    until: float = float("inf"),
    say: Say = lambda _: None,
) -> None:
    """Runs of all contenders in turns, each turn begun by another, so that load hits all alike."""
    chunks = workload.chunks()
    turns = max(limits.repeat * len(chunks), limits.turns)
    least = max(3, len(workload.classes))
    times = [Times() for _ in ready]
    for turn in range(turns):
        # every class has its turn, however late it is
        if turn >= max(1, len(workload.classes)) and time.perf_counter() > until:
            break
        kind, chunk = chunks[turn % len(chunks)]
        say(f"{workload.name}: turn {turn + 1} of {turns}")
        for position in range(len(ready)):
            index = (position + turn) % len(ready)
            (one, row), spent = ready[index], times[index]
            if row.problem or (spent.total > limits.timing and spent.runs >= least):
                continue
            try:
                wall, cpu = one.run([*chunk] * workload.rounds)
            except ContenderError as error:
                row.problem = str(error)
                continue
            spent.add(kind, wall, cpu, len(chunk) * workload.rounds * workload.per)
    for (_, row), spent in zip(ready, times, strict=True):
        if spent.runs and not row.problem:
            spent.enter(row)


class Times:
    """What one contender took, by class of steps."""

    def __init__(self) -> None:
        self.total = 0.0
        self.runs = 0
        self._times: dict[str, list[tuple[float, float]]] = {}

    def add(self, kind: str, wall: float, cpu: float, parts: int) -> None:
        self._times.setdefault(kind, []).append((wall / parts, cpu / parts))
        self.total += wall
        self.runs += 1

    def enter(self, row: Row) -> None:
        """Writes the times into the row, and into a part of it for each class."""
        spreads = {
            kind: tuple(map(Spread.of, zip(*times, strict=True)))
            for kind, times in self._times.items()
        }
        row.runs = self.runs
        row.wall, row.cpu = (Spread.mean(part) for part in zip(*spreads.values(), strict=True))
        if not row.workload.classes:
            return
        named = [(kind, (kind,)) for kind in row.workload.classes]
        for name, kinds in (*named, *row.workload.groups):
            some = [spreads[kind] for kind in kinds if kind in spreads]
            if len(some) == len(kinds):
                wall, cpu = (Spread.mean(part) for part in zip(*some, strict=True))
                runs = sum(len(self._times[kind]) for kind in kinds)
                row.parts.append(replace(row, part=name, wall=wall, cpu=cpu, runs=runs, parts=[]))


def _weigh(case: Case, able: Sequence[Contender], rows: Sequence[Row], say: Say) -> None:
    triangles = len(case.faces)  # type: ignore[union-attr]
    for one, row in zip(able, rows, strict=True):
        say(f"{row.workload.name}: {row.name}")
        try:
            peak, kept = one.memory(case)
        except ContenderError as error:
            row.problem = str(error)
            continue
        row.peak, row.kept, row.runs = peak / triangles, kept / triangles, 1
