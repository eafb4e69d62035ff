"""Plots of the experiments with `ray`, as PNG and SVG."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from impinge._text import counted
from impinge.lab.bench.plot import colors, figure, save

if TYPE_CHECKING:
    from impinge.lab.papers.ray.experiments import RayResult


def plot_force(result: RayResult, folder: Path) -> list[Path]:
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
    axes.plot([10], [8], "D", color="black", markersize=6, label="paper: worst with 10 sides")
    axes.axhline(1, color="black", linewidth=1, linestyle=":", label="paper: falls to about 1 %")
    axes.set_ylim(bottom=0)
    axes.set_title("Cylinder on a slab, 100 rotations")
    axes.set_xlabel("sides of the cylinder")
    axes.set_ylabel("sideways force, % of the upward force")
    axes.legend(frameon=False)
    return save(drawn, folder, "ray-force")


def plot_overlap(result: RayResult, folder: Path) -> list[Path]:
    """Figure 10 in numbers: the common volume of two tori against time."""
    canvas = figure(7, 4)
    if canvas is None:
        return []
    drawn, axes = canvas
    for one, color in zip(result.separation, colors(len(result.separation)), strict=True):
        axes.plot(one.times, one.volumes, "-", color=color, label=one.method)
    axes.set_ylim(bottom=0)
    axes.set_title(f"Two tori of {400 * result.plan.fine**2:,} faces that overlap at the start")
    axes.set_xlabel("time, s")
    axes.set_ylabel("common volume, m³")
    axes.legend(frameon=False)
    return save(drawn, folder, "ray-overlap")


def plot_scaling(result: RayResult, folder: Path) -> list[Path]:
    """Figure 13: time of an iteration against the number of tori."""
    canvas = figure(8, 4)
    if canvas is None:
        return []
    drawn, axes = canvas
    threads = list(dict.fromkeys(one.workers for one in result.scaling))
    palette = colors(len(threads))
    for workers, color in zip(threads, palette, strict=True):
        chosen = [one for one in result.scaling if one.workers == workers]
        counts = [one.count for one in chosen]
        label = "all threads" if workers is None else counted(workers, "thread")
        step, detection = (
            [1e3 * getattr(one, name) for one in chosen] for name in ("seconds", "detection")
        )
        axes.plot(counts, step, "o-", color=color, label=f"whole step, {label}")
        axes.plot(counts, detection, "o--", color=color, label=f"contacts alone, {label}")
        if color == palette[0]:
            linear = [step[-1] * count / counts[-1] for count in counts]
            axes.plot(counts, linear, ":", color="black", linewidth=1, label="linear")
    axes.set_xscale("log")
    axes.set_yscale("log")
    counts = sorted({one.count for one in result.scaling})
    axes.set_xticks(counts, [str(count) for count in counts])
    axes.minorticks_off()
    axes.yaxis.set_major_formatter("{x:g}")
    axes.set_title(f"Tori of {400 * result.plan.fine**2:,} faces in a row, each in the next")
    axes.set_xlabel("number of tori")
    axes.set_ylabel("time of one iteration, ms")
    drawn.legend(loc="outside right center", frameon=False, fontsize=9)
    return save(drawn, folder, "ray-scaling")
