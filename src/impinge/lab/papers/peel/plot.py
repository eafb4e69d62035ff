"""Plots of the experiments with `peel`, as PNG and SVG."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from impinge.lab.bench.plot import colors, figure, save
from impinge.lab.papers.peel.experiments import BVH, CONSERVATIVE, MODES, RECALL_MODES

if TYPE_CHECKING:
    from impinge.lab.papers.peel.experiments import PeelResult


def plot_times(result: PeelResult, folder: Path) -> list[Path]:
    """Milliseconds of each mode in the frame with the most pairs, and those of the paper."""
    from impinge.lab.papers.peel.report import busiest

    canvas = figure(9, 1.6 + 0.5 * len(result.runs))
    if canvas is None:
        return []
    drawn, axes = canvas
    modes = (*MODES, BVH)
    for mode, color in zip(modes, colors(len(modes)), strict=True):
        shown = [busiest(result.of("table", run.name, mode)) for run in result.runs]
        places = range(len(shown))
        axes.plot([1e3 * one.total for one in shown], places, "o", color=color, label=mode)
    paper = [(run.paper.total_ms, place) for place, run in enumerate(result.runs)]
    printed = [(time, place) for time, place in paper if time is not None]
    axes.plot(*zip(*printed, strict=True), "|", color="black", markersize=16, label="paper, 2007")
    axes.set_xscale("log")
    axes.set_yticks(range(len(result.runs)), [run.name for run in result.runs])
    axes.invert_yaxis()
    axes.set_xlabel("milliseconds for the frame with the most pairs")
    drawn.legend(loc="outside upper center", ncols=len(modes) + 1, frameon=False, fontsize=8)
    return save(drawn, folder, "peel")


def plot_recall(result: PeelResult, folder: Path) -> list[Path]:
    """The mean share of pairs missed, over all scenes, against the resolution."""
    canvas = figure(7, 4)
    if canvas is None:
        return []
    drawn, axes = canvas
    sizes = result.plan.resolutions
    for mode, color in zip(RECALL_MODES, colors(len(RECALL_MODES)), strict=True):
        lost = []
        for size in sizes:
            shares = [
                100 * (1 - one.recall)
                for run in result.runs
                for one in result.of("resolution", run.name, mode)
                if one.resolution == size
            ]
            lost.append(sum(shares) / len(shares))
        style = "o-" if mode == CONSERVATIVE else "o--"
        axes.plot(sizes, lost, style, color=color, markersize=4, label=mode)
    axes.set_xscale("log", base=2)
    axes.set_xticks(sizes, [str(size) for size in sizes])
    axes.set_xlabel("resolution")
    axes.set_ylabel("pairs missed, % (mean of the scenes)")
    axes.legend(frameon=False)
    return save(drawn, folder, "peel-recall")
