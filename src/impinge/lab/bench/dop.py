"""The DOP trees: traversals and numbers of directions on turning objects, beside the box tree."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import impinge
from impinge._outputs import write_text
from impinge.detectors.dop import SIZES
from impinge.lab.bench import turning

if TYPE_CHECKING:
    from impinge._types import Floats
    from impinge.detectors.protocol import Detector

COUNTED = ("node_pairs", "transforms", "leaf_pairs", "transforms_saved")
TRAVERSALS = ("list", "classic")


@dataclass(frozen=True)
class Turn:
    """One method on one object: medians and maxima over a full turn, with one thread."""

    object: str
    faces: int
    method: str
    hits: int
    """Pairs of all poses together; the same for every method."""
    median_seconds: float
    worst_seconds: float
    average: dict[str, float]
    """Counters per pose."""
    worst: dict[str, float]


def turn(
    *,
    quick: bool = False,
    names: tuple[str, ...] = tuple(turning.OBJECTS),
    say: Callable[[str], object] = lambda _: None,
) -> list[Turn]:
    """Measures every object with every method; the methods take turns at each pose."""
    methods: dict[str, Detector] = {"bvh": impinge.detector("bvh")}
    for k in SIZES:
        for traversal in TRAVERSALS:
            methods[f"{traversal} {k}"] = impinge.detector("dop", k=k, traversal=traversal)
    steps, repeat, share = (12, 3, 0.1) if quick else (72, 5, 1.0)
    rows = []
    for name in names:
        make, size = turning.OBJECTS[name]
        mesh = impinge.Mesh(*make(round(size * share)))
        poses = turning.full_turn(mesh, steps)
        seconds = {method: np.full(steps, np.inf) for method in methods}
        for _ in range(repeat):
            for step in range(steps):
                say(f"{name}, pose {step}")
                for method, made in methods.items():
                    # twice in a row: the others have emptied the caches
                    for _ in range(2):
                        taken = _ask(mesh, poses[step], made)["traverse_seconds"]
                        seconds[method][step] = min(seconds[method][step], taken)
        for method, made in methods.items():
            counted = [_ask(mesh, pose, made) for pose in poses]
            rows.append(_row((name, len(mesh), method), seconds[method], counted))
        _check_same(rows[-len(methods) :])
    return rows


def _ask(mesh: impinge.Mesh, pose: Floats, method: Detector) -> impinge.Stats:
    return impinge.collide(mesh, mesh, poses=pose[None], method=method, workers=1).stats


def _row(asked: tuple[str, int, str], seconds: Floats, counted: list[impinge.Stats]) -> Turn:
    values = {
        key: np.array([stats[key] for stats in counted], dtype=float)
        for key in COUNTED
        if key in counted[0]
    }
    return Turn(
        *asked,
        int(sum(stats["hits"] for stats in counted)),
        float(np.median(seconds)),
        float(seconds.max()),
        {key: float(value.mean()) for key, value in values.items()},
        {key: float(value.max()) for key, value in values.items()},
    )


def _check_same(rows: list[Turn]) -> None:
    found = {row.method: row.hits for row in rows}
    if len(set(found.values())) > 1:
        raise AssertionError(f"the methods disagree on {rows[0].object}: {found}")


def tables(rows: list[Turn]) -> str:
    """Counters in the manner of the paper, and times by number of directions and traversal."""
    from impinge._terminal import drawn
    from impinge.lab.bench.report import duration

    by = {(row.object, row.method): row for row in rows}
    names = list(dict.fromkeys(row.object for row in rows))
    counted = [
        ("object", False), ("faces", True), ("aligned", True), ("tumbled", True), ("checks", True),
        ("transforms saved", True), ("worst aligned", True), ("worst tumbled", True),
        ("classic / list", True),
    ]  # fmt: skip
    cells = []
    for name in names:
        few, many = by[name, "list 24"], by[name, "classic 24"]
        cells.append(
            [
                name,
                f"{few.faces:,}",
                *(f"{few.average[key]:,.0f}" for key in COUNTED),
                *(f"{few.worst[key]:,.0f}" for key in COUNTED[:2]),
                f"{many.median_seconds / few.median_seconds:.2f}",
            ]
        )
    text = drawn("Nodes of 24-DOP trees, average and worst of a full turn", counted, cells)
    times = [("object", False), ("bvh", True)]
    times += [(f"{k}", True) for k in SIZES] + [(f"classic {k}", True) for k in SIZES]
    methods = ["bvh", *(f"list {k}" for k in SIZES), *(f"classic {k}" for k in SIZES)]
    cells = [
        [name, *(duration(by[name, method].median_seconds) for method in methods)] for name in names
    ]
    return text + drawn("Median time of a pose by k, list and classic traversal", times, cells)


def write(rows: list[Turn], folder: Path) -> list[Path]:
    """JSON and, with matplotlib, the plot as PNG and SVG."""
    from impinge.lab.bench.plot import plot_directions
    from impinge.lab.bench.report import machine

    folder.mkdir(parents=True, exist_ok=True)
    content = {"machine": machine(), "rows": list(map(asdict, rows))}
    path = folder / "dop.json"
    write_text(path, json.dumps(content, indent=1) + "\n")
    return [path, *plot_directions(rows, folder)]
