"""Small tables for `repr` and notebooks, and text that is safe to print."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

_SHOWN = 20


def table(title: str, rows: Iterable[Sequence[str]], *, numbers: bool = True) -> str:
    """Lines of text: the title, then the rows, columns after the first to the right if numbers."""
    cells = [list(row) for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = [title]
    for first, *others in cells:
        padded = zip(others, widths[1:], strict=True)
        aligned = [cell.rjust(width) if numbers else cell.ljust(width) for cell, width in padded]
        lines.append("  ".join(["", first.ljust(widths[0]), *aligned]).rstrip())
    return "\n".join(lines)


def html_table(
    title: str, rows: Iterable[Sequence[str]], *, head: Sequence[str] = (), total: int = 0
) -> str:
    """A table for notebooks; every text is escaped. Of a large `total` only the first are shown."""
    lines = [f"<table><caption>{_escaped(title)}</caption>"]
    if head:
        lines.append(f"<tr>{''.join(f'<th>{_escaped(cell)}</th>' for cell in head)}</tr>")
    if total > _SHOWN:
        others = (f"and {total - _SHOWN:,} more", *[""] * (len(head) - 1))
        rows = [*islice(rows, _SHOWN), others]
    lines.extend(
        f"<tr>{''.join(f'<td>{_escaped(cell)}</td>' for cell in row)}</tr>" for row in rows
    )
    return "\n".join([*lines, "</table>"])


def counted(number: int, noun: str) -> str:
    """ "1 body", "1,203 pairs"."""
    plural = noun[:-1] + "ies" if noun.endswith("y") else noun + "s"
    return f"{number:,} {noun if number == 1 else plural}"


def one_line(text: str) -> str:
    """The text without line breaks and control characters; names come from files."""
    return text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)


def _escaped(text: str) -> str:
    # imported here: only notebooks need it
    from html import escape

    return escape(text)
