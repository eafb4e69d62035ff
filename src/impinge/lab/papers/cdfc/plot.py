"""Figures 3 and 4 of the paper: time of the stages by frame, as PNG and SVG."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from impinge.lab.bench.plot import colors, figure, save
from impinge.lab.papers.cdfc.experiments import STAGES

if TYPE_CHECKING:
    from impinge.lab.papers.cdfc.experiments import Experiment


def plot_stages(one: Experiment, folder: Path) -> list[Path]:
    """Stages on top of each other, and `bvh` as a line."""
    canvas = figure(8, 4)
    if canvas is None:
        return []
    drawn, axes = canvas
    frames = list(range(len(one.frames)))
    stages = [[1e3 * frame.stages[stage] for frame in one.frames] for stage in STAGES]
    axes.stackplot(frames, stages, labels=STAGES, colors=colors(len(STAGES)), alpha=0.85)
    axes.plot(frames, [1e3 * frame.total for frame in one.frames], "k-", label="cdfc, all")
    axes.plot(frames, [1e3 * frame.bvh for frame in one.frames], "k:", label="bvh")
    axes.set_xlabel("frame")
    axes.set_ylabel("milliseconds")
    axes.set_title(f"{one.title}, {one.faces:,} triangles")
    axes.legend(frameon=False, fontsize="small", ncols=2)
    return save(drawn, folder, f"cdfc-{one.name}")
