"""Tables for the terminal, drawn with rich when there is something to show."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence

from impinge._text import one_line

# Wide enough that piped tables are never folded.
_PIPED_WIDTH = 240

Column = tuple[str, bool]


def drawn(title: str, columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> str:
    """A table as text. columns: heading and whether it holds numbers."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(
        title=Text(title, style="bold"), title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False
    )
    for heading, numeric in columns:
        table.add_column(
            heading, justify="right" if numeric else "left", no_wrap=numeric, overflow="fold"
        )
    for row in rows:
        # Text, not markup: a part may be called "[red]".
        table.add_row(*(Text(one_line(cell)) for cell in row))
    terminal = sys.stdout.isatty()
    canvas = io.StringIO()
    console = Console(
        file=canvas, force_terminal=terminal, width=None if terminal else _PIPED_WIDTH
    )
    console.print(table)
    lines = [line.rstrip() for line in canvas.getvalue().splitlines()]
    return "\n".join(line for line in lines if line) + "\n"


def number(value: float) -> str:
    """Four significant digits, or all of a whole number up to a billion."""
    return f"{value:,.0f}" if 1e3 <= abs(value) < 1e9 else f"{value:.4g}"


def point(values: Sequence[float]) -> str:
    """Coordinates in one cell."""
    return ", ".join(number(v + 0.0) for v in values)
