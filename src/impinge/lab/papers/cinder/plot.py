"""Plots of the experiments with `cinder`, as PNG and SVG."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from impinge.lab.bench.plot import colors, panels, save
from impinge.lab.papers.cinder.experiments import BVH, MANY

if TYPE_CHECKING:
    from impinge.lab.papers.cinder.experiments import CinderResult


def plot_lost(result: CinderResult, folder: Path) -> list[Path]:
    """Share of the pairs lost: by resolution and number of spheres, and by stages."""
    canvas = panels(10, 3.8, 2)
    if canvas is None:
        return []
    drawn, (left, right) = canvas
    plan = result.plan
    for count, color in zip(plan.spheres, colors(len(plan.spheres)), strict=True):
        rows = result.of("stairs", bodies=count, method="cinder")
        lost = [100 * (1 - row.recall) for row in rows]
        left.plot(plan.resolutions, lost, "o-", color=color, markersize=4, label=f"{count} spheres")
    left.set_xscale("log", base=2)
    left.set_xticks(plan.resolutions, [str(size) for size in plan.resolutions])
    left.set_xlabel("resolution")
    left.set_ylabel("pairs lost, %")
    left.legend(frameon=False)
    halved = [row for row in result.of("stages") if row.reduce == "none" or row.reduce.isdigit()]
    stages = [int(row.reduce) if row.reduce.isdigit() else 0 for row in halved]
    right.plot(stages, [100 * (1 - row.recall) for row in halved], "o-", markersize=4)
    lossless = result.of("stages", reduce="lossless")[0]
    right.axhline(
        100 * (1 - lossless.recall), color="black", linewidth=1, linestyle="--", label="lossless"
    )
    right.set_xlabel(f"stages, {MANY} spheres at {plan.resolution} x {plan.resolution}")
    right.legend(frameon=False)
    for axes in (left, right):
        axes.set_ylim(bottom=-0.5)
    return save(drawn, folder, "cinder-lost")


def plot_growth(result: CinderResult, folder: Path) -> list[Path]:
    """Time by objects and by triangles, with the straight lines."""
    canvas = panels(10, 3.8, 2)
    if canvas is None:
        return []
    drawn, both = canvas
    names = (
        ("objects", "bodies", "objects of 320 triangles"),
        ("polygons", "triangles", "triangles"),
    )
    for axes, (experiment, column, label) in zip(both, names, strict=True):
        for method, color in zip(("cinder", BVH), colors(2), strict=True):
            _growth(result, axes, (experiment, column, method), color)
        axes.set_xlabel(label)
        axes.legend(frameon=False)
    both[0].set_ylabel("CPU time, ms")
    return save(drawn, folder, "cinder-growth")


def _growth(result: CinderResult, axes: Any, what: tuple[str, str, str], color: Any) -> None:
    experiment, column, method = what
    rows = result.of(experiment, method=method)
    counts = [getattr(row, column) for row in rows]
    fit = result.fits[f"{experiment}, {method}"]
    axes.plot(counts, [1e3 * row.cpu for row in rows], "o", color=color, markersize=4, label=method)
    line = [1e3 * (fit.start + fit.slope * count) for count in counts]
    axes.plot(counts, line, "-", color=color, linewidth=1)
