"""The experiments with `cinder` as tables for people, and as JSON, CSV and Markdown for files."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from impinge._outputs import write_text
from impinge._text import counted as in_words
from impinge.lab.bench.report import machine, machine_text, markdown_table
from impinge.lab.papers.cinder.experiments import BVH, FEW, MANY
from impinge.lab.papers.peel.report import ms, share

if TYPE_CHECKING:
    from impinge.lab.papers.cinder.experiments import CinderResult, Row

PAPER = {
    "run": "all found",
    "stairs": "all of about 50, not all of about 250",
    "stages": "some are lost by overlap, some by halving the image",
    "pile": "none",
    "growth": "linear",
}


class _Table(NamedTuple):
    title: str
    head: list[str]
    rows: list[list[str]]


def tables(result: CinderResult) -> str:
    """One table for each experiment, with what the paper says."""
    from impinge._terminal import drawn

    return "\n".join(
        drawn(table.title, [(name, name != "") for name in table.head], table.rows)
        for table in _tables(result)
    )


def markdown(result: CinderResult) -> str:
    """The same as Markdown."""
    parts = [machine_text()]
    for table in _tables(result):
        parts += [table.title + ":", markdown_table(table.head, table.rows)]
    return "\n\n".join(parts) + "\n"


def _tables(result: CinderResult) -> list[_Table]:
    plan = result.plan
    counted = ["true pairs", "found", "lost", "invented", "pixels", "ms", "CPU ms"]
    run = [[*_way(row), *_counts(row)] for row in result.of("run")]
    stairs = [[str(row.bodies), *_way(row), *_counts(row)] for row in result.of("stairs")]
    stages = [
        [_stages(row), *_counts(row)[:4], f"{1 - row.recall:.2%}",
         *_counts(row)[4:]]
        for row in result.of("stages")
    ]  # fmt: skip
    pile = [
        [*_way(row), str(row.true), share(row.recall), share(row.precision), *_counts(row)[2:]]
        for row in result.of("pile")
    ]
    growth = [
        [row.experiment, str(row.bodies), f"{row.triangles:,}", *_way(row), ms(row.seconds),
         ms(row.cpu)]
        for experiment in ("objects", "polygons")
        for row in result.of(experiment)
    ]  # fmt: skip
    fits = [
        [name, ms(fit.start), f"{1e6 * fit.slope:.3g}", f"{fit.share:.4f}"]
        for name, fit in result.fits.items()
    ]
    piled = result.of("pile")[0]
    return [
        _Table(
            f"{FEW} spheres on stairs, each of {plan.frames} frames; paper: {PAPER['run']}",
            ["", *counted], run,
        ),
        _Table(
            f"Spheres on stairs, every {plan.every}th frame; paper: {PAPER['stairs']}",
            ["spheres", "", *counted], stairs,
        ),
        _Table(
            f"{MANY} spheres on stairs at {plan.resolution}², every {plan.every}th frame, the "
            f"image halved again and again; paper: {PAPER['stages']}",
            ["", *counted[:4], "share lost", *counted[4:]], stages,
        ),
        _Table(
            f"{piled.bodies} bodies of {piled.triangles // piled.bodies:,} triangles, "
            f"{in_words(len(plan.times), 'frame')}; paper: {PAPER['pile']}",
            ["", "true pairs", "recall", "precision", *counted[2:]], pile,
        ),
        _Table(
            f"Time for more objects and more polygons, at {plan.resolution}²; paper: "
            f"{PAPER['growth']}",
            ["", "objects", "triangles", "by", "ms", "CPU ms"], growth,
        ),
        _Table(
            "CPU time as a straight line over the number of objects, or of triangles",
            ["", "start, ms", "µs for each", "R²"], fits,
        ),
    ]  # fmt: skip


def _way(row: Row) -> list[str]:
    return [BVH if row.resolution is None else f"cinder {row.resolution}²"]


def _stages(row: Row) -> str:
    if row.reduce.isdigit():
        return f"{row.reduce} {'stage' if row.reduce == '1' else 'stages'}"
    return {"none": "all pixels"}.get(row.reduce, row.reduce)


def _counts(row: Row) -> list[str]:
    pixels = "" if row.resolution is None else f"{row.pixels:,.0f}"
    numbers = [f"{n:,}" for n in (row.true, row.found, row.lost, row.invented)]
    return [*numbers, pixels, ms(row.seconds), ms(row.cpu)]


def write(result: CinderResult, folder: Path) -> list[Path]:
    """JSON, CSV, Markdown and, with matplotlib, the plots as PNG and SVG."""
    from impinge.lab.papers.cinder.plot import plot_growth, plot_lost

    folder.mkdir(parents=True, exist_ok=True)
    rows = [
        {**asdict(row), "recall": row.recall, "precision": row.precision} for row in result.rows
    ]
    content = {
        "machine": machine(),
        "device": result.device,
        "paper": PAPER,
        "plan": asdict(result.plan),
        "fits": {name: asdict(fit) for name, fit in result.fits.items()},
        "rows": rows,
    }
    texts = {
        "cinder.json": json.dumps(content, indent=1) + "\n",
        "cinder.csv": _csv(rows),
        "cinder.md": markdown(result),
    }
    for name, part in texts.items():
        write_text(folder / name, part)
    files = [folder / name for name in texts]
    return [*files, *plot_lost(result, folder), *plot_growth(result, folder)]


def _csv(rows: Iterable[dict[str, object]]) -> str:
    text = io.StringIO()
    listed = list(rows)
    writer = csv.DictWriter(text, list(listed[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(listed)
    return text.getvalue()
