"""Plots of the experiments with `ray`, as PNG and SVG."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from impinge.bench.plot import colors, figure, save

if TYPE_CHECKING:
    from impinge.bench.papers.ray import Result


def plot_force(result: Result, folder: Path) -> list[Path]:
    """Figure 8: sideways by upward force against the number of sides."""
    canvas = figure(7, 4)
    if canvas is None:
        return []
    drawn, axes = canvas
    sides = [one.sides for one in result.quality]
    lines = {
        "worst": [one.worst for one in result.quality],
        "worst without cosine": [one.worst_unweighted for one in result.quality],
        "mean": [one.mean for one in result.quality],
    }
    for (name, values), color in zip(lines.items(), colors(3), strict=True):
        shown = [100 * value for value in values]
        axes.plot(sides, shown, "o-", color=color, markersize=4, label=name)
    axes.plot([sides[0]], [8], "_", color="black", markersize=16, label="paper, worst at 10 sides")
    axes.set_xlabel("sides of the cylinder")
    axes.set_ylabel("sideways by upward force, %")
    axes.legend(frameon=False)
    return save(drawn, folder, "ray-force")


def plot_overlap(result: Result, folder: Path) -> list[Path]:
    """Figure 10 in numbers: the common volume of two tori against time."""
    canvas = figure(7, 4)
    if canvas is None:
        return []
    drawn, axes = canvas
    for one, color in zip(result.separation, colors(2), strict=True):
        axes.plot(one.times, one.volumes, "-", color=color, label=one.method)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("time, s")
    axes.set_ylabel("common volume of the tori")
    axes.legend(frameon=False)
    return save(drawn, folder, "ray-overlap")


def plot_scaling(result: Result, folder: Path) -> list[Path]:
    """Figure 13: time of an iteration against the number of tori."""
    canvas = figure(7, 4)
    if canvas is None:
        return []
    drawn, axes = canvas
    threads = list(dict.fromkeys(one.workers for one in result.scaling))
    for workers, color in zip(threads, colors(len(threads)), strict=True):
        chosen = [one for one in result.scaling if one.workers == workers]
        counts = [one.count for one in chosen]
        label = "all threads" if workers is None else f"{workers} thread"
        axes.plot(counts, [one.seconds for one in chosen], "o-", color=color, label=label)
        detection = [one.detection for one in chosen]
        axes.plot(counts, detection, "o:", color=color, label=f"contacts alone, {label}")
    axes.set_xscale("log")
    axes.set_yscale("log")
    counts = sorted({one.count for one in result.scaling})
    axes.set_xticks(counts, [str(count) for count in counts])
    axes.minorticks_off()
    axes.set_xlabel("tori")
    axes.set_ylabel("seconds for one iteration")
    axes.legend(frameon=False)
    return save(drawn, folder, "ray-scaling")
