"""Plots of the results, as PNG and SVG."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from impinge._outputs import replacing
from impinge.lab.bench.peers import Impinge

if TYPE_CHECKING:
    from impinge.lab.bench.dop import Turn
    from impinge.lab.bench.growth import Growth
    from impinge.lab.bench.report import PeerResult

_INK, _GRID = "#222222", "#dddddd"


def figure(width: float, height: float) -> tuple[Any, Any] | None:
    """A figure with its axes; None without matplotlib."""
    canvas = panels(width, height, 1)
    return None if canvas is None else (canvas[0], canvas[1][0])


def panels(width: float, height: float, count: int) -> tuple[Any, list[Any]] | None:
    """A figure with several axes side by side; None without matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        return None
    drawn = Figure(figsize=(width, height), layout="constrained")
    row = drawn.subplots(1, count, squeeze=False)[0]
    for axes in row:
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(True, axis="both", color=_GRID, linewidth=0.6)
        axes.set_axisbelow(True)
    return drawn, list(row)


def plot_peers(result: PeerResult, folder: Path) -> list[Path]:
    """Cost of each peer as a multiple of impinge's; hollow marks answered wrongly."""
    from impinge.lab.bench.report import own_row, ratio

    groups = [rows for rows in result.workloads if own_row(rows) is not None]
    canvas = figure(9, 1.6 + 0.42 * len(groups))
    if canvas is None or not groups:
        return []
    drawn, axes = canvas
    names = list(dict.fromkeys(row.name for row in result.rows if row.name != Impinge.name))
    palette = colors(len(names))
    shown = set()
    for height, rows in enumerate(reversed(groups)):
        own = own_row(rows)
        for row in rows:
            times = ratio(row, own)
            if times is None or row.name == Impinge.name:
                continue
            color = palette[names.index(row.name)]
            axes.plot(
                times, height, "o", color=color, markersize=7, linestyle="none",
                markerfacecolor=color if row.verdict.correct else "white",
                label=None if row.name in shown else row.name,
            )  # fmt: skip
            shown.add(row.name)
    axes.axvline(1, color=_INK, linewidth=1.5)
    axes.set_xscale("log")
    axes.set_yticks(range(len(groups)), [rows[0].workload.name for rows in reversed(groups)])
    axes.set_xlabel("cost as a multiple of impinge's (right of the line: impinge is ahead)")
    if shown:
        drawn.legend(loc="outside upper center", ncols=6, frameon=False, fontsize=8)
    return save(drawn, folder, "peers")


def plot_growth(growth: Growth, folder: Path) -> list[Path]:
    """Time, and memory where it was measured, against size, all in powers."""
    exponents = growth.memory_exponents
    sides = {"seconds": [(one.name, one.seconds, one.exponent) for one in growth.curves]}
    if exponents:
        sides["bytes"] = [(name, each, exponents[name]) for name, each in growth.memory.items()]
    canvas = panels(6 * len(sides), 5, len(sides))
    if canvas is None:
        return []
    drawn, row = canvas
    for axes, (unit, lines) in zip(row, sides.items(), strict=True):
        for (name, values, exponent), color in zip(lines, colors(len(lines)), strict=True):
            label = f"{name}: n^{exponent:.2f}"
            axes.plot(growth.sizes, values, "o-", color=color, markersize=4, label=label)
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel("triangles")
        axes.set_ylabel(unit)
        axes.legend(frameon=False)
    return save(drawn, folder, "growth")


def plot_directions(rows: list[Turn], folder: Path) -> list[Path]:
    """Time by the number of directions as a multiple of bvh's; one colour for each object."""
    from impinge.detectors.dop import SIZES

    canvas = figure(7, 5)
    if canvas is None:
        return []
    drawn, axes = canvas
    seconds = {(row.object, row.method): row.median_seconds for row in rows}
    objects = list(dict.fromkeys(row.object for row in rows))
    places = range(len(SIZES))
    for name, color in zip(objects, colors(len(objects)), strict=True):
        for traversal, line in (("list", "o-"), ("classic", "o--")):
            times = [seconds[name, f"{traversal} {k}"] / seconds[name, "bvh"] for k in SIZES]
            axes.plot(places, times, line, color=color, markersize=4, label=f"{name}, {traversal}")
    axes.axhline(1, color=_INK, linewidth=1.5)
    axes.set_yscale("log")
    ticks = [1, 1.5, 2, 3, 4, 6, 8]
    axes.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.set_yticks([], minor=True)
    axes.set_xticks(places, [f"{k}" for k in SIZES])
    axes.set_xlabel("directions k of a DOP")
    axes.set_ylabel("median time of a pose as a multiple of bvh's")
    drawn.legend(loc="outside upper center", ncols=len(objects), frameon=False, fontsize=8)
    return save(drawn, folder, "dop")


def colors(count: int) -> list[Any]:
    """As many colours that are told apart."""
    from matplotlib import colormaps

    palette = colormaps["tab20" if count > 10 else "tab10"]
    return [palette(k) for k in range(count)]


def save(drawn: Any, folder: Path, name: str) -> list[Path]:
    """The picture in both formats."""
    paths = [folder / f"{name}.png", folder / f"{name}.svg"]
    for path in paths:
        with replacing(path) as partial:
            drawn.savefig(partial, dpi=150, format=path.suffix[1:])
    return paths
