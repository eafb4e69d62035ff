"""The result as tables for people and as JSON, CSV and Markdown for files."""

from __future__ import annotations

import csv
import io
import json
import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from impinge._outputs import write_text
from impinge.lab.bench.peers import OWN, Impinge

if TYPE_CHECKING:
    from impinge.lab.bench.measure import Row, Spread
    from impinge.lab.bench.peers import Adapter


@dataclass(frozen=True)
class PeerResult:
    """Everything one run of `impinge bench peers` found out."""

    rows: tuple[Row, ...]
    missing: tuple[Adapter, ...] = ()
    """Peers that are not installed."""
    threads: int | None = None
    quick: bool = False
    skipped: tuple[str, ...] = ()
    """Workloads that were not reached in time."""

    @property
    def workloads(self) -> list[list[Row]]:
        """Rows of one workload each, the cheapest first, those without a cost last."""
        groups = groupby(self.rows, key=lambda row: row.workload.name)
        return [sorted(rows, key=_by_cost) for _, rows in groups]


def _by_cost(row: Row) -> float:
    return float("inf") if row.cost is None else row.cost


def own_row(rows: Iterable[Row]) -> Row | None:
    return next((row for row in rows if row.name == Impinge.name), None)


def best_peer(rows: Iterable[Row]) -> Row | None:
    """The cheapest peer without a mistake."""
    good = [
        row
        for row in rows
        if row.name not in OWN and row.cost is not None and row.verdict.correct and not row.problem
    ]
    return min(good, key=_by_cost, default=None)


def ratio(row: Row | None, own: Row | None) -> float | None:
    """How many times the cost of impinge."""
    if row is None or own is None or row.cost is None or not own.cost:
        return None
    return row.cost / own.cost


def cpu_ratio(row: Row | None, own: Row | None) -> float | None:
    """How many times the CPU time of impinge, over all threads; steadier on a busy machine."""
    if row is None or own is None or row.cpu is None or own.cpu is None or not own.cpu.median:
        return None
    return row.cpu.median / own.cpu.median


def tables(result: PeerResult) -> str:
    """One table for each workload, and the summary."""
    from impinge._terminal import drawn

    columns = [
        ("contender", False), ("version", False), ("wall", True), ("quartiles", True),
        ("CPU", True), ("runs", True), ("x impinge", True), ("answer", False),
    ]  # fmt: skip
    parts = []
    for rows in result.workloads:
        workload = rows[0].workload
        if workload.task == "memory":
            parts.append(_memory_table(rows))
            continue
        title = f"{workload.name}: {workload.title} (per {workload.unit})"
        parts.append(drawn(title, columns, [_cells(row, own_row(rows)) for row in rows]))
        if workload.classes:
            head, body = class_summary(rows)
            numeric = [name not in ("class", "fastest correct peer") for name in head]
            title = f"{workload.name} by class (per {workload.unit})"
            parts.append(drawn(title, list(zip(head, numeric, strict=True)), body))
    head, body = summary(result)
    numeric = [False, True, False, True, True, True, False]
    parts.append(drawn("Summary", list(zip(head, numeric, strict=True)), body))
    return "\n".join(parts)


def _cells(row: Row, own: Row | None) -> list[str]:
    times = ratio(row, own)
    return [
        row.name,
        row.version,
        _seconds(row.wall),
        f"{duration(row.wall.low)} - {duration(row.wall.high)}" if row.wall else "",
        _seconds(row.cpu),
        str(row.runs or ""),
        "" if times is None else f"{times:.2f}",
        answer(row),
    ]


def answer(row: Row) -> str:
    """What was wrong, or that nothing was."""
    if row.problem:
        return row.problem
    if not row.verdict.expected and row.workload.task in ("build", "refit", "memory"):
        return ""
    more = f" of {row.verdict.expected:,}" if not row.verdict.correct else ""
    return f"{row.verdict}{more}"


def _memory_table(rows: Sequence[Row]) -> str:
    from impinge._terminal import drawn

    cells = [
        [row.name, row.version, _bytes(row.peak), _bytes(row.kept), row.problem] for row in rows
    ]
    columns = [
        ("contender", False), ("version", False), ("peak bytes/triangle", True),
        ("kept bytes/triangle", True), ("", False),
    ]  # fmt: skip
    return drawn(f"{rows[0].workload.name}: {rows[0].workload.title}", columns, cells)


def summary(result: PeerResult) -> tuple[list[str], list[list[str]]]:
    """Head and rows: impinge against the fastest peer with the right answer."""
    body = []
    for rows in result.workloads:
        own, best = own_row(rows), best_peer(rows)
        times, cpu_times = ratio(best, own), cpu_ratio(best, own)
        wrong = [f"{row.name} ({answer(row)})" for row in rows if not row.verdict.correct]
        body.append(
            [
                f"{rows[0].workload.name}: {rows[0].workload.title}",
                _cost(own),
                best.name if best else "none",
                _cost(best),
                "" if times is None else f"{times:.1f}",
                "" if cpu_times is None else f"{cpu_times:.1f}",
                ", ".join(wrong),
            ]
        )
    head = ["workload", "impinge", "fastest correct peer", "its cost", "ratio", "CPU ratio"]
    head.append("wrong answers")
    return head, body


def class_summary(rows: Sequence[Row]) -> tuple[list[str], list[list[str]]]:
    """Head and rows: impinge against the fastest peer with the right answer, class by class."""
    body = []
    for name in dict.fromkeys(part.part for row in rows for part in row.parts):
        parts = [part for row in rows for part in row.parts if part.part == name]
        own, best = own_row(parts), best_peer(parts)
        times, cpu_times = ratio(best, own), cpu_ratio(best, own)
        peer = best.name if best else "none"
        body.append([name, _cost(own), peer, _cost(best), _factor(times), _factor(cpu_times)])
    return ["class", "impinge", "fastest correct peer", "its cost", "ratio", "CPU ratio"], body


def markdown(result: PeerResult) -> str:
    """The summary and all rows as Markdown tables."""
    head, body = summary(result)
    parts = [f"{machine_text()}, {threads_text(result)}", markdown_table(head, body)]
    for rows in result.workloads:
        workload = rows[0].workload
        cells = [
            [
                row.name,
                row.version,
                _cost(row),
                _factor(ratio(row, own_row(rows))),
                _factor(cpu_ratio(row, own_row(rows))),
                answer(row),
            ]
            for row in rows
        ]
        parts.append(f"**{workload.name}**: {workload.title}, per {workload.unit}")
        parts.append(
            markdown_table(["contender", "version", "cost", "ratio", "CPU ratio", "answer"], cells)
        )
        if workload.classes:
            parts.append(f"**{workload.name} by class**")
            parts.append(markdown_table(*class_summary(rows)))
    return "\n\n".join(parts) + "\n"


def markdown_table(head: Sequence[str], body: Iterable[Sequence[str]]) -> str:
    """Rows of text as Markdown."""
    lines = [head, ["---"] * len(head), *body]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def machine() -> dict[str, Any]:
    """What the times depend on."""
    import numpy as np

    import impinge

    loads = os.getloadavg() if hasattr(os, "getloadavg") else (0.0,)
    return {
        "impinge": impinge.__version__,
        "processor": _processor(),
        "cores": os.cpu_count(),
        "load": round(loads[0], 1),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "numpy": np.__version__,
    }


def machine_text() -> str:
    facts = machine()
    return (
        f"{facts['processor']}, {facts['cores']} cores, load {facts['load']} at the end, "
        f"{facts['system']}, Python {facts['python']}"
    )


def threads_text(result: PeerResult) -> str:
    return f"threads: {'all' if result.threads is None else result.threads}"


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or "unknown processor"


def as_dict(result: PeerResult) -> dict[str, Any]:
    return {
        "machine": machine(),
        "threads": result.threads,
        "quick": result.quick,
        "skipped": list(result.skipped),
        "not_installed": {peer.name: peer.cure for peer in result.missing},
        "rows": list(map(_row_dict, result.rows)),
        "classes": [_row_dict(part) for row in result.rows for part in row.parts],
    }


def _row_dict(row: Row) -> dict[str, Any]:
    return {
        "workload": row.workload.name,
        "class": row.part,
        "title": row.workload.title,
        "contender": row.name,
        "version": row.version,
        "unit": row.workload.unit,
        "wall_median_s": row.wall and row.wall.median,
        "wall_q1_s": row.wall and row.wall.low,
        "wall_q3_s": row.wall and row.wall.high,
        "wall_min_s": row.wall and row.wall.least,
        "cpu_median_s": row.cpu and row.cpu.median,
        "cpu_min_s": row.cpu and row.cpu.least,
        "runs": row.runs,
        "peak_bytes_per_triangle": row.peak,
        "kept_bytes_per_triangle": row.kept,
        "correct": row.verdict.correct,
        **asdict(row.verdict),
        "problem": row.problem,
    }


def write(result: PeerResult, folder: Path) -> list[Path]:
    """JSON, CSV, Markdown and, with matplotlib, the plot as PNG and SVG."""
    from impinge.lab.bench.plot import plot_peers

    content = as_dict(result)
    rows = [*content["rows"], *content["classes"]]
    files = write_texts(folder, "peers", content, rows, markdown(result))
    return [*files, *plot_peers(result, folder)]


def write_texts(
    folder: Path, name: str, content: object, rows: Sequence[Mapping[str, Any]], markdown: str
) -> list[Path]:
    """The content as JSON, its rows as CSV, and the Markdown, in files of this name."""
    folder.mkdir(parents=True, exist_ok=True)
    table = io.StringIO()
    columns = list(dict.fromkeys(column for row in rows for column in row))
    writer = csv.DictWriter(table, columns, lineterminator="\n")
    if rows:
        writer.writeheader()
        writer.writerows(rows)
    texts = {"json": json.dumps(content, indent=1) + "\n", "csv": table.getvalue(), "md": markdown}
    files = [folder / f"{name}.{ending}" for ending in texts]
    for file, text in zip(files, texts.values(), strict=True):
        write_text(file, text)
    return files


def duration(seconds: float) -> str:
    """Three digits with the unit that fits."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return (
                f"{seconds / size:.3g} {unit}"
                if seconds < 100 * size
                else (f"{seconds / size:.0f} {unit}")
            )
    return f"{seconds * 1e9:.0f} ns"


def _seconds(spread: Spread | None) -> str:
    return "" if spread is None else duration(spread.median)


def _bytes(value: float | None) -> str:
    return "" if value is None else f"{value:,.0f}"


def _cost(row: Row | None) -> str:
    if row is None or row.cost is None:
        return ""
    return f"{row.cost:,.0f} bytes" if row.workload.task == "memory" else duration(row.cost)


def _factor(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"
