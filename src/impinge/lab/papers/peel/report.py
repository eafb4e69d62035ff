"""The experiments with `peel` as tables for people, and as JSON, CSV and Markdown for files."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from impinge.lab.bench.report import machine, machine_text, markdown_table, write_texts
from impinge.lab.papers.peel.experiments import (
    BVH,
    LAYER_MODES,
    MODES,
    RECALL_MODES,
    STAGES,
)

if TYPE_CHECKING:
    from impinge.lab.papers.peel.experiments import PeelResult, Record
    from impinge.lab.scenes import PaperRow, SceneRun

_HEAD = [
    "triangles", "rays", "downloaded", "pot. coll.", "tests", "pairs", "snap", "sample", "pack",
    "exact", "total", "CPU", "mean", "recall",
]  # fmt: skip
_LAYER_HEAD = ["rays", "downloaded", "tests", "mean", "pairs missed of those in all layers"]
_LAYER_TITLE = "Six layers of the rigid bunnies, dilate 0, mean of all frames"


def tables(result: PeelResult) -> str:
    """The paper's table, recall by resolution, and the experiment with six layers."""
    from impinge._terminal import drawn

    numbers = [(name, True) for name in _HEAD]
    parts = [
        drawn(f"{run.name}: {run.title}", [("", False), *numbers], list(_scene_rows(result, run)))
        for run in result.runs
    ]
    parts.append(f"{_note(result)}\n")
    columns = [("scene", False), ("mode", False)]
    columns += [(size, True) for size in _sizes(result)]
    parts.append(drawn("Recall by resolution", columns, list(_recall_rows(result))))
    rows = list(_layer_rows(result))
    if rows:
        columns = [("", False), *((name, True) for name in _LAYER_HEAD)]
        parts.append(drawn(_LAYER_TITLE, columns, rows))
    return "\n".join(parts)


def markdown(result: PeelResult) -> str:
    """The same as Markdown."""
    rows = [
        [run.name if first else "", *row]
        for run in result.runs
        for first, row in _marked(_scene_rows(result, run))
    ]
    parts = [machine_text(), markdown_table(["scene", "", *_HEAD], rows), _note(result)]
    parts.append(markdown_table(["scene", "mode", *_sizes(result)], _recall_rows(result)))
    layers = list(_layer_rows(result))
    if layers:
        parts += [_LAYER_TITLE + ":", markdown_table(["", *_LAYER_HEAD], layers)]
    return "\n\n".join(parts) + "\n"


def _marked(rows: Iterable[list[str]]) -> Iterable[tuple[bool, list[str]]]:
    return ((index == 0, row) for index, row in enumerate(rows))


def _note(result: PeelResult) -> str:
    size = result.plan.resolution
    return (
        "Paper: one frame on a GeForce 7800 GTX at 1024 x 1024. "
        f"Ours ({result.device}): the frame with the most pairs, {size} x {size}, milliseconds; "
        "CPU: of all threads; mean: total over all frames; recall: pairs found in all frames."
    )


def _sizes(result: PeelResult) -> list[str]:
    return [f"{size}²" for size in result.plan.resolutions]


def _scene_rows(result: PeelResult, run: SceneRun) -> Iterable[list[str]]:
    yield ["paper", *_paper_cells(run.paper), "", "", ""]
    for mode in (*MODES, BVH):
        records = result.of("table", run.name, mode)
        shown = busiest(records)
        counters = [
            _count(shown.counters.get(key))
            for key in ("rays", "downloaded", "potentially_colliding", "tests")
        ]
        pairs = shown.verdict.expected - shown.verdict.missing
        yield [
            mode, f"{run.faces:,}", *counters, f"{pairs:,}",
            *(ms(shown.stages.get(stage)) for stage in STAGES),
            ms(shown.total), ms(shown.cpu), ms(mean(records)), share(recall(records)),
        ]  # fmt: skip


def _paper_cells(paper: PaperRow) -> list[str]:
    counts = (
        paper.triangles, paper.rays, paper.downloaded, paper.potentially_colliding, paper.tests,
        paper.positives,
    )  # fmt: skip
    times = paper.sample_ms, paper.pack_ms, paper.exact_ms, paper.total_ms
    return [*map(_count, counts), "", *("" if time is None else f"{time:g}" for time in times)]


def _recall_rows(result: PeelResult) -> Iterable[list[str]]:
    for run in result.runs:
        for mode in RECALL_MODES:
            found = {one.resolution: one for one in result.of("resolution", run.name, mode)}
            yield [
                run.name,
                mode,
                *(share(found[size].recall) for size in result.plan.resolutions),
            ]


def _layer_rows(result: PeelResult) -> Iterable[list[str]]:
    for run in result.runs:
        for mode in LAYER_MODES:
            records = result.of("layers", run.name, mode)
            if not records:
                continue
            counts = [
                _count(round(float(np.mean([one.counters[key] for one in records]))))
                for key in ("rays", "downloaded", "tests")
            ]
            expected = sum(one.verdict.expected for one in records)
            missing = sum(one.verdict.missing for one in records)
            lost = f"{missing:,} of {expected:,} ({1 - recall(records):.2%})"
            yield [mode, *counts, ms(mean(records)), lost]


def busiest(records: list[Record]) -> Record:
    """The frame with the most pairs."""
    return max(records, key=lambda record: record.verdict.expected)


def mean(records: list[Record]) -> float:
    """Seconds for a frame."""
    return float(np.mean([one.total for one in records]))


def recall(records: list[Record]) -> float:
    """Share of the pairs of all frames that was found."""
    expected = sum(one.verdict.expected for one in records)
    missing = sum(one.verdict.missing for one in records)
    return 1.0 - missing / expected if expected else 1.0


def write(result: PeelResult, folder: Path) -> list[Path]:
    """JSON, CSV, Markdown and, with matplotlib, the plots as PNG and SVG."""
    from impinge.lab.papers.peel.plot import plot_recall, plot_times

    rows = [_as_dict(one) for one in result.records]
    content = {
        "machine": machine(),
        "device": result.device,
        "plan": asdict(result.plan),
        "paper": {run.name: asdict(run.paper) for run in result.runs},
        "scenes": {run.name: run.title for run in result.runs},
        "rows": rows,
    }
    files = write_texts(folder, "peel", content, rows, markdown(result))
    return [*files, *plot_times(result, folder), *plot_recall(result, folder)]


def _as_dict(record: Record) -> dict[str, Any]:
    return {
        "experiment": record.experiment,
        "scene": record.scene,
        "triangles": record.triangles,
        "mode": record.mode,
        "resolution": record.resolution,
        "t": record.t,
        "expected": record.verdict.expected,
        "missing": record.verdict.missing,
        **{f"{stage}_s": seconds for stage, seconds in record.stages.items()},
        "total_s": record.total,
        "cpu_s": record.cpu,
        **record.counters,
    }


def _count(value: float | None) -> str:
    return "" if value is None else f"{value:,.0f}"


def ms(seconds: float | None) -> str:
    """Milliseconds, three digits of them."""
    return "" if seconds is None else f"{1e3 * seconds:.3g}"


def share(value: float) -> str:
    """Per cent, never rounded up."""
    # 99.99 % of many pairs must not read as all of them
    return "100 %" if value == 1 else f"{np.floor(1e4 * value) / 100:.2f} %"
