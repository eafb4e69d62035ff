"""Table 1 of the paper on the collision chip, for people and as JSON, CSV and Markdown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from impinge.lab.bench.report import machine, machine_text, markdown_table, write_texts
from impinge.lab.papers.dop.objects import OBJECTS

if TYPE_CHECKING:
    from impinge.lab.papers.dop.experiments import DopResult, Turn

AVERAGE = "Average of a full turn"
WORST = "Maxima of a full turn"
_HEAD = [
    "triangles", "aligned", "tumbled", "checks", "HW formula", "HW cycles", "and triangles",
    "SW classic", "SW list", "classic / formula", "list / cycles", "list / all",
]  # fmt: skip
_MODEL = "The model"
_MODEL_HEAD = [
    "cycles against formula", "at most", "pairs in a list", "levels", "SRAM words",
    "crossing pairs", "missed", "extra",
]  # fmt: skip
NOTE = (
    "Times in microseconds. Paper: hardware by its formula, software on a Pentium III of 1 GHz. "
    "Ours: as far apart as makes as many tumbled nodes on average; the chip by the formula, by "
    "counting cycles, and with the triangles that the paper leaves out; software is dop on one "
    "thread of this machine."
)


def tables(result: DopResult) -> str:
    """Averages, maxima, and how the model compares."""
    from impinge._terminal import drawn

    columns = [("object", False), ("", False), *((name, True) for name in _HEAD)]
    model = [("object", False), *((name, True) for name in _MODEL_HEAD)]
    return "\n".join(
        [
            drawn(AVERAGE, columns, list(_rows(result, worst=False))),
            drawn(WORST, columns, list(_rows(result, worst=True))),
            f"{NOTE}\n",
            drawn(_MODEL, model, list(_model_rows(result))),
        ]
    )


def markdown(result: DopResult) -> str:
    """The same as Markdown."""
    head = ["object", "", *_HEAD]
    parts = [machine_text(), NOTE]
    for title, worst in ((AVERAGE, False), (WORST, True)):
        parts += [f"{title}:", markdown_table(head, _rows(result, worst=worst))]
    parts += [f"{_MODEL}:", markdown_table(["object", *_MODEL_HEAD], _model_rows(result))]
    return "\n\n".join(parts) + "\n"


def _rows(result: DopResult, *, worst: bool) -> Iterable[list[str]]:
    for turn in result.turns:
        chosen = OBJECTS[turn.name]
        printed = chosen.worst if worst else chosen.average
        yield [
            chosen.title, "paper", _count(chosen.triangles), _count(printed.aligned),
            _count(printed.tumbled), "" if printed.checks is None else _count(printed.checks),
            _count(printed.hardware), "", "", _count(printed.software), "",
            f"{printed.speedup}", "", "",
        ]  # fmt: skip
        yield ["", turn.stand_in, _count(turn.triangles), *_own_cells(turn, worst=worst)]


def _own_cells(turn: Turn, *, worst: bool) -> list[str]:
    from impinge.lab.chip import time

    of = turn.worst if worst else turn.average
    # as in the paper: of the maxima, which need not be of the same pose
    formula = time(of("aligned"), of("tumbled"))
    times = formula, of("cycles"), of("with_triangles"), of("classic"), of("list")
    ratios = times[3] / times[0], times[4] / times[1], times[4] / times[2]
    return [
        *(_count(of(key)) for key in ("aligned", "tumbled", "checks")),
        *map(_time, times),
        *(f"{ratio:.2f}" for ratio in ratios),
    ]


def _model_rows(result: DopResult) -> Iterable[list[str]]:
    for turn in result.turns:
        yield [
            OBJECTS[turn.name].title,
            f"{100 * turn.difference:+.1f} %",
            f"{100 * turn.largest_difference:.1f} %",
            f"{turn.column('list_pairs').sum() / turn.column('lists').sum():.2f}",
            *(_count(turn.worst(key)) for key in ("levels", "sram_words")),
            *(_count(turn.column(key).sum()) for key in ("pairs", "missed", "extra")),
        ]


def write(result: DopResult, folder: Path) -> list[Path]:
    """JSON, CSV, Markdown and, with matplotlib, the plot as PNG and SVG."""
    from impinge.lab.papers.dop.plot import plot_times

    rows = [asdict(record) for turn in result.turns for record in turn.records]
    content = {
        "machine": machine(),
        "plan": asdict(result.plan),
        "paper": {turn.name: asdict(OBJECTS[turn.name]) for turn in result.turns},
        "objects": {
            turn.name: {
                "stand_in": turn.stand_in,
                "triangles": turn.triangles,
                "cycles_against_formula": turn.difference,
            }
            for turn in result.turns
        },
        "rows": rows,
    }
    files = write_texts(folder, "chip", content, rows, markdown(result))
    return [*files, *plot_times(result, folder)]


def _count(value: float) -> str:
    return f"{value:,.0f}"


def _time(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
