"""How time and memory of impinge grow with the number of triangles."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from impinge._outputs import write_text
from impinge.lab.bench import shapes, workloads
from impinge.lab.bench.cases import Bodies, Case, Surface
from impinge.lab.bench.contender import Local, Remote
from impinge.lab.bench.peers import Impinge

if TYPE_CHECKING:
    from impinge.lab.bench.contender import Contender

SIZES = (1_000, 4_000, 16_000, 64_000, 256_000, 1_000_000, 4_000_000)
QUICK_SIZES = SIZES[:4]

# below this the fixed cost of a call hides the growth
_FITTED_FROM = 10_000
# what pays for a body that is asked about again is there by then
_STEPS_BEFORE = 10
_BODY = 7
_BODY_FACES = 20 * _BODY**2


@dataclass(frozen=True)
class Curve:
    """Median seconds (and what was found) for each size."""

    name: str
    sizes: tuple[int, ...]
    seconds: tuple[float, ...]
    found: tuple[int, ...] = ()
    """Colliding pairs, where pairs are asked for."""

    @property
    def exponent(self) -> float:
        """The k of time ~ size^k, fitted where the size is large enough."""
        return fitted_exponent(self.sizes, self.seconds)


@dataclass(frozen=True)
class Growth:
    curves: tuple[Curve, ...]
    sizes: tuple[int, ...]
    peak: tuple[float, ...]
    """Bytes per triangle at the peak of a build."""
    kept: tuple[float, ...]
    """Bytes per triangle that a tree keeps."""

    @property
    def memory(self) -> dict[str, tuple[float, ...]]:
        """Bytes of whole trees, at the peak of a build and kept; empty when not measured."""
        measured = {"peak": self.peak, "kept": self.kept} if self.peak else {}
        return {name: tuple(np.multiply(self.sizes, each)) for name, each in measured.items()}

    @property
    def memory_exponents(self) -> dict[str, float]:
        """The k of bytes ~ size^k."""
        return {name: fitted_exponent(self.sizes, each) for name, each in self.memory.items()}


def fitted_exponent(sizes: tuple[int, ...], values: tuple[float, ...]) -> float:
    large = [k for k, size in enumerate(sizes) if size >= _FITTED_FROM]
    chosen = large if len(large) > 1 else list(range(len(sizes)))
    if len(chosen) < 2:
        return float("nan")
    x, y = (np.log(np.array(part, dtype=float)[chosen]) for part in (sizes, values))
    return float(np.polyfit(x, y, 1)[0])


def frequency_of(size: int) -> int:
    """Of a sphere with about so many triangles."""
    return max(1, round(math.sqrt(size / 20)))


def crowd(size: int, frames: int) -> Bodies:
    """As many small bodies as make up this size, always equally crowded."""
    count = max(2, round(size / _BODY_FACES))
    kinds = [Surface(*shapes.bumpy(_BODY, seed=k, height=0.15)) for k in range(8)]
    meshes = tuple(kinds[k % len(kinds)] for k in range(count))
    return Bodies(meshes, shapes.drifting(count, frames, workloads.box_side(count)))


_QUESTIONS: dict[str, tuple[str, Callable[[int], Case], int]] = {
    "build": ("build", lambda n: workloads.breathing(frequency_of(n)), 2),
    "refit": ("refit", lambda n: workloads.breathing(frequency_of(n)), 2),
    "pair": ("pair", lambda n: workloads.posed(frequency_of(n // 2), 6), 6),
    "self": (
        "itself",
        lambda n: workloads.folded_cloth(round(math.sqrt(n / 2)), 2, gentle=True),
        2,
    ),
    "many bodies": ("bodies", lambda n: crowd(n, 2), 2),
}


def grow(
    sizes: tuple[int, ...] = SIZES,
    *,
    repeat: int = 3,
    threads: int | None = None,
    memory: bool = True,
    say: Callable[[str], object] = lambda _: None,
) -> Growth:
    """Measures all sizes; `size` counts the triangles of all meshes of a question."""
    contender = Local(Impinge(), threads=threads)
    curves = []
    for name, (task, make, steps) in _QUESTIONS.items():
        seconds, found = [], []
        for size in sizes:
            say(f"{name} of {size:,} triangles")
            median, count = _ask(contender, task, make(size), steps, repeat)
            seconds.append(median)
            found.append(count)
        curves.append(Curve(name, sizes, tuple(seconds), tuple(found)))
    peak, kept = [], []
    if memory:
        for size in sizes:
            say(f"memory of {size:,} triangles")
            case = workloads.breathing(frequency_of(size))
            remote = Remote(Impinge(), threads=threads)
            most, left = remote.memory(case)
            remote.close()
            peak.append(most / len(case.faces))
            kept.append(left / len(case.faces))
    return Growth(tuple(curves), sizes, tuple(peak), tuple(kept))


def _ask(contender: Contender, task: str, case: Case, steps: int, repeat: int) -> tuple[float, int]:
    contender.prepare(task, case)
    rows, _ = contender.answer(0)
    contender.run([step % steps for step in range(_STEPS_BEFORE)])
    times = [contender.run([step])[0] for _ in range(repeat) for step in range(steps)]
    contender.drop()
    return float(np.median(times)), len(rows)


def table(growth: Growth) -> str:
    """Times, pairs and memory against size, and the exponents; those of memory of all bytes."""
    from impinge._terminal import drawn
    from impinge.lab.bench.report import duration

    columns = [("triangles", True), *((curve.name, True) for curve in growth.curves)]
    if growth.peak:
        columns += [("peak bytes/triangle", True), ("kept", True)]
    rows = []
    for k, size in enumerate(growth.sizes):
        cells = [f"{size:,}"]
        for curve in growth.curves:
            pairs = f" ({curve.found[k]:,})" if curve.found[k] else ""
            cells.append(f"{duration(curve.seconds[k])}{pairs}")
        if growth.peak:
            cells += [f"{growth.peak[k]:,.0f}", f"{growth.kept[k]:,.0f}"]
        rows.append(cells)
    exponents = [curve.exponent for curve in growth.curves]
    exponents += growth.memory_exponents.values()
    rows.append(["exponent", *(f"{exponent:.2f}" for exponent in exponents)])
    return drawn("Growth: time (and pairs found) against size", columns, rows)


def write(growth: Growth, folder: Path) -> list[Path]:
    """JSON, CSV and, with matplotlib, the plot as PNG and SVG."""
    from impinge.lab.bench.plot import plot_growth

    folder.mkdir(parents=True, exist_ok=True)
    content = asdict(growth) | {"memory_exponents": growth.memory_exponents}
    for entry, curve in zip(content["curves"], growth.curves, strict=True):
        entry["exponent"] = curve.exponent
    write_text(folder / "growth.json", json.dumps(content, indent=1) + "\n")
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["question", "triangles", "seconds", "pairs"])
    for curve in growth.curves:
        for line in zip(curve.sizes, curve.seconds, curve.found, strict=True):
            writer.writerow([curve.name, *line])
    write_text(folder / "growth.csv", text.getvalue())
    files = [folder / "growth.json", folder / "growth.csv"]
    return [*files, *plot_growth(growth, folder)]
