"""The experiments with `cdfc` as tables for people, and as JSON and Markdown for files."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from impinge._outputs import write_text
from impinge.lab.bench.report import machine, machine_text, markdown_table
from impinge.lab.papers.cdfc.experiments import PAPER, STAGES

if TYPE_CHECKING:
    from impinge.lab.bench.measure import Row
    from impinge.lab.papers.cdfc.experiments import CdfcResult, Experiment

_STAGE_HEAD = [
    "frame", "pairs", "clusters", "copies", "sweep pairs", "tests", *STAGES, "total", "CPU", "bvh",
    "bvh CPU",
]  # fmt: skip
_TABLE_HEAD = ["scene", "triangles", "", "ms", "CPU ms", "answers"]
_NOTE = (
    "Paper: table 1, means on a GeForce GTX 480. Ours: milliseconds for a frame with the update, "
    "medians; the pairs of every frame are those of bvh. CPU: of all threads."
)


def tables(result: CdfcResult) -> str:
    """Time of the stages by frame, and table 1."""
    from impinge._terminal import drawn

    numbers = [(name, True) for name in _STAGE_HEAD]
    parts = [
        drawn(f"{one.title}: milliseconds by frame", numbers, _stage_rows(one))
        for one in result.experiments
    ]
    columns = [(name, name in ("triangles", "ms", "CPU ms")) for name in _TABLE_HEAD]
    parts += [drawn("Table 1", columns, _table_rows(result)), f"{_NOTE}\n"]
    return "\n".join(parts)


def markdown(result: CdfcResult) -> str:
    """The same as Markdown."""
    parts = [machine_text(), markdown_table(_TABLE_HEAD, _table_rows(result)), _NOTE]
    for one in result.experiments:
        parts += [f"{one.title}:", markdown_table(_STAGE_HEAD, _stage_rows(one))]
    return "\n\n".join(parts) + "\n"


def write(result: CdfcResult, folder: Path) -> list[Path]:
    """JSON, Markdown and, with matplotlib, figures 3 and 4 as PNG and SVG."""
    from impinge.lab.papers.cdfc.plot import plot_stages

    folder.mkdir(parents=True, exist_ok=True)
    content = {
        "machine": machine(),
        "paper": PAPER,
        "experiments": [
            {
                "scene": one.name,
                "triangles": one.faces,
                "frames": [asdict(frame) for frame in one.frames],
                "table": [_row_dict(row) for row in one.rows],
            }
            for one in result.experiments
        ],
    }
    texts = {"cdfc.json": json.dumps(content, indent=1) + "\n", "cdfc.md": markdown(result)}
    for name, text in texts.items():
        write_text(folder / name, text)
    plots = [path for one in result.experiments for path in plot_stages(one, folder)]
    return [*(folder / name for name in texts), *plots]


def _stage_rows(one: Experiment) -> list[list[str]]:
    return [
        [
            str(index), f"{frame.pairs:,}", f"{frame.counters['clusters']:,}",
            *(f"{frame.counters[name]:,}" for name in ("copies", "sweep_pairs", "tests")),
            *(_ms(frame.stages[stage]) for stage in STAGES),
            _ms(frame.total), _ms(frame.cpu), _ms(frame.bvh), _ms(frame.bvh_cpu),
        ]
        for index, frame in enumerate(one.frames)
    ]  # fmt: skip


def _table_rows(result: CdfcResult) -> list[list[str]]:
    rows = []
    for one in result.experiments:
        for name, value in PAPER[one.scene].items():
            rows.append([one.title, "", f"paper: {name}", f"{value:g}", "", ""])
        for row in one.rows:
            said = row.problem or str(row.verdict)
            rows.append([one.title, f"{one.faces:,}", _name(row), *_times(row), said])
    # the scene is named once
    for before, after in zip(reversed(rows[:-1]), reversed(rows[1:]), strict=True):
        if before[0] == after[0]:
            after[0] = ""
    return rows


def _name(row: Row) -> str:
    return "impinge bvh" if row.name == "impinge" else row.name


def _times(row: Row) -> list[str]:
    if row.wall is None or row.cpu is None:
        return ["", ""]
    return [_ms(row.wall.median), _ms(row.cpu.median)]


def _row_dict(row: Row) -> dict[str, object]:
    return {
        "name": _name(row),
        "version": row.version,
        "wall_s": None if row.wall is None else row.wall.median,
        "cpu_s": None if row.cpu is None else row.cpu.median,
        "missing": row.verdict.missing,
        "extra": row.verdict.extra,
        "problem": row.problem,
    }


def _ms(seconds: float) -> str:
    return f"{1e3 * seconds:.3g}" if np.isfinite(seconds) else ""
