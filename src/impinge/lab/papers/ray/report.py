"""The experiments with `ray` as tables for people, and as JSON for files."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from impinge._outputs import write_text
from impinge.lab.papers.ray.experiments import METHODS

if TYPE_CHECKING:
    from impinge.lab.papers.ray.experiments import RayResult

PAPER = {
    "force quality": "10 sides: worst 8 %; falls to about 1 %",
    "separation": "ray separates, proximity stays entangled",
    "time step": "0.45 s with ray, 0.2 s with proximity",
    "speed": "30 frames/s with ray, 12 with proximity (Xeon 2.5 GHz)",
    "chain": "rings keep moving with ray, lock with proximity",
    "scaling": "linear in the number of tori; four cores more than twice as fast",
}


def tables(result: RayResult) -> str:
    """One table for each experiment, with what the paper says."""
    from impinge._terminal import drawn

    faces = 400 * result.plan.fine**2
    parts = [
        drawn(
            f"Sideways by upward force on a cylinder; paper: {PAPER['force quality']}",
            [("sides", True), ("worst", True), ("mean", True), ("worst without cosine", True)],
            [
                [str(q.sides), _percent(q.worst), _percent(q.mean), _percent(q.worst_unweighted)]
                for q in result.quality
            ],
        ),
        drawn(
            f"Two tori of {faces:,} faces that overlap; paper: {PAPER['separation']}",
            [("", False), ("overlap at the start", True), ("in the end", True), ("apart", True)],
            [
                [
                    s.method, f"{s.volumes[0]:.4f}", f"{s.volumes[-1]:.4f}",
                    next((f"{t:.2f} s" for t, v in zip(s.times, s.volumes, strict=True) if not v),
                         "never"),
                ]
                for s in result.separation
            ],
        ),
        drawn(
            f"Two tori that meet, apart after {result.plan.duration:g} s; paper: "
            f"{PAPER['time step']}",
            [("", False), *((f"{dt:g}", True) for dt in result.plan.time_steps), ("up to", True)],
            [
                [
                    method,
                    *("yes" if one.apart else f"{one.overlap:.2g}"
                      for one in result.time_steps if one.method == method),
                    f"{result.largest_step(method):g} s",
                ]
                for method in METHODS
            ],
        ),
        drawn(
            f"A torus falls on another, median of steps with contacts; paper: {PAPER['speed']}",
            [("", False), ("contacts", True), ("steps/s", True), ("ms", True), ("cpu ms", True),
             ("detection ms", True)],
            [
                [
                    s.method, f"{s.contacts:.0f}", f"{s.fps:.0f}", f"{1e3 * s.seconds:.1f}",
                    f"{1e3 * s.cpu:.1f}",
                    f"{1e3 * s.detection:.2f}",
                ]
                for s in result.speed
            ],
        ),
        drawn(
            f"Chain of {result.plan.chain_links} rings for {result.plan.chain_time:g} s, time step "
            f"{result.plan.chain_step:g} s; paper: {PAPER['chain']}",
            [("", False), ("depth of the swing", True), ("joints turned", True),
             ("stuck for up to", True), ("left in each other", True)],
            [
                [s.method, _percent(s.lowest), f"{s.turned:.0f}°", f"{s.stuck:.2f} s",
                 _percent(s.overlap)]
                for s in result.chain
            ],
        ),
        drawn(
            f"Tori in a row, each in the next, one iteration; paper: {PAPER['scaling']}",
            [
                ("tori", True), ("threads", True), ("contacts", True), ("ms", True),
                ("cpu ms", True), ("detection ms", True), ("cpu ms per torus", True),
            ],
            [
                [
                    str(s.count), str(s.workers or "all"), str(s.contacts),
                    f"{1e3 * s.seconds:.1f}", f"{1e3 * s.cpu:.1f}", f"{1e3 * s.detection:.2f}",
                    f"{1e3 * s.cpu / s.count:.2f}",
                ]
                for s in result.scaling
            ],
        ),
    ]  # fmt: skip
    return "\n".join(parts)


def write(result: RayResult, folder: Path) -> list[Path]:
    """JSON and, with matplotlib, the plots as PNG and SVG."""
    from impinge.lab.bench.report import machine
    from impinge.lab.papers.ray.plot import plot_force, plot_overlap, plot_scaling

    folder.mkdir(parents=True, exist_ok=True)
    content = {"machine": machine(), "paper": PAPER, **asdict(result)}
    content["largest_step"] = {method: result.largest_step(method) for method in METHODS}
    file = folder / "ray.json"
    # a failed run has an infinite overlap, which JSON does not know
    text = json.dumps(content, indent=1).replace("Infinity", "null")
    write_text(file, text + "\n")
    plots = [plot(result, folder) for plot in (plot_force, plot_overlap, plot_scaling)]
    return [file, *(path for paths in plots for path in paths)]


def _percent(value: float) -> str:
    return f"{100 * value:.3g} %"
