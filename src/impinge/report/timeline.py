"""A page with a time line: when each two parts clash."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import NamedTuple

from impinge._outputs import write_text
from impinge._text import counted
from impinge.render.about import number_text
from impinge.report.markup import Html, document, element, join, table

_MEANING = (
    "A clash is a time in which faces of two parts cross, deeper than the tolerance. It never "
    "begins later than told, whatever lies between the frames; it ends with a frame without a "
    "crossing, halved down to where that begins. Times are in seconds."
)
_MOST_BARS = 2000
_TICKS = 5


class Bar(NamedTuple):
    """Two parts that clash from one time to another."""

    a: str
    b: str
    begin: float
    end: float


def write_timeline(
    path: str | PathLike[str],
    bars: Sequence[Bar],
    *,
    begin: float,
    end: float,
    title: str,
    parts: int,
) -> None:
    """Write one self-contained HTML page with a line for each two parts that clash."""
    write_text(path, timeline_page(bars, begin=begin, end=end, title=title, parts=parts))


def timeline_page(bars: Sequence[Bar], *, begin: float, end: float, title: str, parts: int) -> str:
    """The text of that page."""
    pairs: dict[tuple[str, str], list[Bar]] = {}
    for bar in bars[:_MOST_BARS]:
        pairs.setdefault((bar.a, bar.b), []).append(bar)
    verdict = f"{len(bars):,} clash{'es' * (len(bars) > 1)}" if bars else "no clash"
    seconds = f"{number_text(begin)} to {number_text(end)} seconds"
    content = [
        element(
            "header",
            element("h1", title),
            element("p", f"{counted(parts, 'part')}, {seconds}"),
        ),
        element("p", verdict, class_="verdict clash" if bars else "verdict"),
        element("p", _MEANING, class_="about"),
    ]
    if bars:
        lines = [_line(names, own, begin, end) for names, own in pairs.items()]
        content += [
            element("h2", "Time line"),
            element("div", _ticks(begin, end), *lines, class_="timeline"),
            element("h2", "Clashes"),
            table(
                ("part", "part", "#from", "#to"),
                [
                    (bar.a, bar.b, number_text(bar.begin), number_text(bar.end))
                    for bar in bars[:_MOST_BARS]
                ],
            ),
        ]
    if len(bars) > _MOST_BARS:
        content.append(element("p", f"and {len(bars) - _MOST_BARS:,} more clashes", class_="about"))
    return document(title, *content)


def _line(names: tuple[str, str], bars: Sequence[Bar], begin: float, end: float) -> Html:
    spans = []
    for bar in bars:
        left, right = (_share(time, begin, end) for time in (bar.begin, bar.end))
        told = f"{number_text(bar.begin)} to {number_text(bar.end)}"
        style = f"left:{100 * left:.3f}%;width:{100 * (right - left):.3f}%"
        spans.append(element("i", style=style, title=told))
    label = element("span", f"{names[0]} × {names[1]}")
    return element("div", label, element("div", join(spans), class_="track"), class_="line")


def _ticks(begin: float, end: float) -> Html:
    times = [begin + (end - begin) * k / (_TICKS - 1) for k in range(_TICKS)]
    ticks = [
        element("b", number_text(time), style=f"left:{100 * k / (_TICKS - 1):.3f}%")
        for k, time in enumerate(times)
    ]
    return element(
        "div", element("span"), element("div", join(ticks), class_="ticks"), class_="line"
    )


def _share(time: float, begin: float, end: float) -> float:
    return (time - begin) / (end - begin) if end > begin else 0.0
