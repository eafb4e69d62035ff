"""What a second thread brings: impinge against itself, in turns."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from impinge._outputs import write_text
from impinge.lab.bench import workloads
from impinge.lab.bench.contender import Remote, ended
from impinge.lab.bench.measure import QUICK, Limits, measure
from impinge.lab.bench.peers import Impinge

if TYPE_CHECKING:
    from impinge.lab.bench.measure import Row

COUNTS = (1, 2)
# what has enough to do for two
_GROUPS = ("W1b", "W2", "W3", "W4b", "W6", "W7", "W8")
_LIMITS = Limits(repeat=10, turns=20)


@dataclass(frozen=True)
class Pair:
    """One workload with one thread and with two."""

    one: Row
    two: Row

    @property
    def factor(self) -> float | None:
        """How many times faster two threads are; two would be perfect."""
        if self.one.wall is None or self.two.wall is None:
            return None
        return self.one.wall.median / self.two.wall.median

    @property
    def best_factor(self) -> float | None:
        """The same of the quickest runs, which other load has disturbed least."""
        if self.one.wall is None or self.two.wall is None:
            return None
        return self.one.wall.least / self.two.wall.least

    @property
    def cpu_factor(self) -> float | None:
        """How much more both threads work together than one alone; one would be perfect."""
        if self.one.cpu is None or self.two.cpu is None or not self.one.cpu.median:
            return None
        return self.two.cpu.median / self.one.cpu.median

    @property
    def factors(self) -> tuple[float | None, ...]:
        return self.factor, self.best_factor, self.cpu_factor


def scale(*, quick: bool = False, say: Callable[[str], object] = lambda _: None) -> list[Pair]:
    """Measures all workloads that use threads; both have the same answers, or it says so."""
    rows = workloads.available(quick=quick)
    limits = QUICK if quick else _LIMITS
    contenders = [Remote(Impinge(), threads=count) for count in COUNTS]
    with ended(contenders):
        return [
            Pair(*measure(row, contenders, limits, say=say)) for row in rows if row.group in _GROUPS
        ]


def table(pairs: list[Pair]) -> str:
    from impinge._terminal import drawn
    from impinge.lab.bench.report import answer, duration

    def seconds(row: Row) -> str:
        return "" if row.wall is None else duration(row.wall.median)

    columns = [
        ("workload", False), ("1 thread", True), ("2 threads", True), ("factor", True),
        ("at best", True), ("CPU of 2 / of 1", True), ("answer", False),
    ]  # fmt: skip
    cells = [
        [
            f"{pair.one.workload.name}: {pair.one.workload.title}",
            seconds(pair.one),
            seconds(pair.two),
            *("" if value is None else f"{value:.2f}" for value in pair.factors),
            pair.one.problem or answer(pair.two),
        ]
        for pair in pairs
    ]
    return drawn("Two threads against one", columns, cells)


def write(pairs: list[Pair], folder: Path) -> list[Path]:
    """JSON and CSV."""
    from impinge.lab.bench.report import machine

    folder.mkdir(parents=True, exist_ok=True)
    rows = list(map(_as_dict, pairs))
    content = {"machine": machine(), "rows": rows}
    text = io.StringIO()
    writer = csv.DictWriter(text, list(_as_dict(pairs[0])) if pairs else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    texts = {"threads.json": json.dumps(content, indent=1) + "\n", "threads.csv": text.getvalue()}
    for name, part in texts.items():
        write_text(folder / name, part)
    return [folder / name for name in texts]


def _as_dict(pair: Pair) -> dict[str, Any]:
    entry: dict[str, Any] = {"workload": pair.one.workload.name, "unit": pair.one.workload.unit}
    for count, row in zip(COUNTS, (pair.one, pair.two), strict=True):
        entry[f"wall_median_s_{count}"] = row.wall and row.wall.median
        entry[f"wall_q1_s_{count}"] = row.wall and row.wall.low
        entry[f"wall_q3_s_{count}"] = row.wall and row.wall.high
        entry[f"wall_min_s_{count}"] = row.wall and row.wall.least
        entry[f"cpu_median_s_{count}"] = row.cpu and row.cpu.median
        entry[f"runs_{count}"] = row.runs
    entry |= dict(zip(("factor", "best_factor", "cpu_factor"), pair.factors, strict=True))
    return entry | {"same_answer": pair.two.verdict.correct, "problem": pair.two.problem}
