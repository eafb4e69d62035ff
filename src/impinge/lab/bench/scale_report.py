"""What `impinge bench scale` found, as tables, JSON and a plot."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from impinge._outputs import write_text
from impinge._terminal import drawn
from impinge.lab.bench.plot import colors, figure, save
from impinge.lab.bench.report import machine
from impinge.lab.bench.scale import SIZES, WORKERS
from impinge.lab.bench.scale_model import Cluster, Work, predicted, simulated

if TYPE_CHECKING:
    from impinge.lab.bench.scale import Run, ScaleResult
    from impinge.lab.bench.scale_model import Costs

_STAGES = ("survey", "scatter", "solve")


def tables(result: ScaleResult) -> str:
    """All tables, one below the other."""
    assert result.costs is not None
    parts = [_runs(result), _tiles(result), _checks(result), _extended(result.costs)]
    verdict = (
        f"{result.triangles:,} triangles; one process {result.single_seconds:.1f} s; all runs have "
        f"its {result.runs[0].pairs:,} pairs; efficiency of 2 workers {result.efficiency:.0%}\n"
    )
    return "\n".join([*parts, verdict])


def _runs(result: ScaleResult) -> str:
    columns = [("run", False), ("seconds", True), *((f"{name} CPU s", True) for name in _STAGES),
               ("tiles", True), ("ghosts", True), ("tile files", True), ("pairs", True),
               ("peak of a worker", True)]  # fmt: skip
    cells = [
        (
            run.name, f"{run.seconds:.1f}", *(f"{run.cpu(stage):.1f}" for stage in _STAGES),
            f"{run.counter('solve', 'tiles'):,.0f}", _share(run),
            f"{run.counter('scatter', 'bytes') / 1e6:,.0f} MB", f"{run.pairs:,}",
            f"{run.peak_bytes / 1e6:,.0f} MB",
        )
        for run in result.runs
    ]  # fmt: skip
    return drawn("Runs", columns, cells)


def _share(run: Run) -> str:
    return f"{run.counter('scatter', 'ghosts') / run.counter('survey', 'triangles'):.2%}"


def _tiles(result: ScaleResult) -> str:
    columns = [("triangles of a tile", True), ("tiles", True), ("ghosts", True),
               ("bytes per triangle", True), ("scatter us/triangle", True),
               ("solve us/triangle", True), ("ms per tile", True)]  # fmt: skip
    cells = []
    for run in result.ghosts:
        triangles, tiles = run.counter("survey", "triangles"), run.counter("solve", "tiles")
        cells.append((
            f"{run.tile:,}", f"{tiles:,.0f}", _share(run),
            f"{run.counter('scatter', 'bytes') / triangles:.1f}",
            f"{run.cpu('scatter') / triangles * 1e6:.3f}",
            f"{run.cpu('solve') / triangles * 1e6:.3f}",
            f"{run.cpu('solve') / tiles * 1e3:.1f}",
        ))  # fmt: skip
    return drawn("Tiles, one worker, CPU time", columns, cells)


def _checks(result: ScaleResult) -> str:
    columns = [("workers", True), ("measured s", True), ("arithmetic s", True),
               ("simulated s", True), ("off by", True)]  # fmt: skip
    cells = [
        (str(workers), f"{seconds:.2f}", f"{sums:.2f}", f"{schedule:.2f}",
         f"{schedule / seconds - 1:+.0%}")
        for workers, seconds, sums, schedule in result.checks()
    ]  # fmt: skip
    return drawn("The model against the runs", columns, cells)


def extended(costs: Costs) -> list[dict[str, float]]:
    """Sizes and numbers of workers beyond this machine."""
    found = []
    for triangles in SIZES:
        alone = simulated(costs, Work(triangles), Cluster(1))
        for workers in WORKERS:
            cluster = Cluster(workers)
            healthy = simulated(costs, Work(triangles), cluster)
            found.append({
                "triangles": triangles, "workers": workers,
                "arithmetic_s": predicted(costs, Work(triangles), cluster), "simulated_s": healthy,
                "efficiency": alone / (workers * healthy),
                "troubled_s": simulated(costs, Work(triangles), cluster.troubled()),
            })  # fmt: skip
    return found


def _extended(costs: Costs) -> str:
    columns = [("triangles", True), ("workers", True), ("arithmetic", True), ("simulated", True),
               ("efficiency", True), ("with stragglers and failures", True)]  # fmt: skip
    cells = [
        (
            f"{row['triangles']:,.0f}", f"{row['workers']:,}", _duration(row["arithmetic_s"]),
            _duration(row["simulated_s"]), f"{row['efficiency']:.0%}",
            _duration(row["troubled_s"]),
        )
        for row in extended(costs)
    ]  # fmt: skip
    return drawn("Beyond this machine", columns, cells)


def _duration(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.1f} s"
    return f"{seconds / 60:.1f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def write(result: ScaleResult, folder: Path) -> list[Path]:
    """JSON, and the plot when matplotlib is there."""
    assert result.costs is not None
    folder.mkdir(parents=True, exist_ok=True)
    content = {
        "machine": machine(),
        "triangles": result.triangles,
        "source_bytes": result.source_bytes,
        "single_seconds": result.single_seconds,
        "efficiency": result.efficiency,
        "runs": [_as_dict(run) for run in [*result.runs, *result.ghosts]],
        "costs": asdict(result.costs),
        "checks": result.checks(),
        "extended": extended(result.costs),
    }
    path = folder / "scale.json"
    write_text(path, json.dumps(content, indent=1) + "\n")
    return [path, *plot(result.costs, folder)]


def _as_dict(run: Run) -> dict[str, Any]:
    return {
        "name": run.name, "tile": run.tile, "seconds": run.seconds,
        "pairs": run.pairs, "pair_bytes": run.pair_bytes, "stages": run.stats.to_dict(),
    }  # fmt: skip


def plot(costs: Costs, folder: Path) -> list[Path]:
    """How many times faster many workers are than one, by the simulated schedule."""
    canvas = figure(7, 5)
    if canvas is None:
        return []
    picture, axes = canvas
    counts = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
    axes.plot(counts, counts, color="#999999", linewidth=1, label="ideal")
    for triangles, color in zip(SIZES, colors(len(SIZES)), strict=True):
        alone = simulated(costs, Work(triangles), Cluster(1))
        for style, what, kind in (("o-", "", Cluster), (".:", ", with trouble", _troubled)):
            faster = [alone / simulated(costs, Work(triangles), kind(count)) for count in counts]
            label = f"{triangles / 1e6:,.0f} M triangles{what}"
            axes.plot(counts, faster, style, color=color, markersize=4, label=label)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("workers")
    axes.set_ylabel("times faster than one worker")
    axes.legend(frameon=False, fontsize=8)
    return save(picture, folder, "scale")


def _troubled(workers: int) -> Cluster:
    return Cluster(workers).troubled()
