"""The plot of the collision chip beside software, as PNG and SVG."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from impinge.lab.bench.plot import colors, figure, save
from impinge.lab.papers.dop.objects import OBJECTS

if TYPE_CHECKING:
    from impinge.lab.papers.dop.experiments import DopResult

_TIMES = {
    "cycles": "chip, by cycles",
    "with_triangles": "chip, with triangles",
    "list": "software, list",
    "classic": "software, classic",
}


def plot_times(result: DopResult, folder: Path) -> list[Path]:
    """Average time of a pose: the modelled chip, our software, and what the paper printed."""
    canvas = figure(9, 1.6 + 0.6 * len(result.turns))
    if canvas is None:
        return []
    drawn, axes = canvas
    places = range(len(result.turns))
    for (key, label), color in zip(_TIMES.items(), colors(len(_TIMES)), strict=True):
        times = [turn.average(key) for turn in result.turns]
        axes.plot(times, places, "o", color=color, label=label)
    printed = [OBJECTS[turn.name].average for turn in result.turns]
    hardware, software = [one.hardware for one in printed], [one.software for one in printed]
    axes.plot(hardware, places, "|", color="black", markersize=16, label="paper, chip")
    axes.plot(software, places, "x", color="black", label="paper, software of 2003")
    axes.set_xscale("log")
    axes.set_yticks(places, [OBJECTS[turn.name].title for turn in result.turns])
    axes.invert_yaxis()
    axes.set_xlabel("microseconds, average of a full turn")
    drawn.legend(loc="outside upper center", ncols=3, frameon=False, fontsize=8)
    return save(drawn, folder, "chip")
