"""Pieces of HTML; every text that comes from outside is escaped here."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

from impinge.report.palette import Colour

# the page loads nothing and runs nothing, whatever the names in a file say
_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"


class Html(str):
    """Text that is HTML already; plain `str` is escaped wherever it is put in."""

    __slots__ = ()


def html(content: str) -> Html:
    """Escape plain text; HTML stays as it is."""
    return content if isinstance(content, Html) else Html(escape(content))


def element(tag: str, *content: str, **attributes: str) -> Html:
    """`<tag class="...">content</tag>`; `class_` stands for class."""
    names = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
    shown = "".join(f' {name}="{escape(value)}"' for name, value in names.items())
    return Html(f"<{tag}{shown}>{''.join(map(html, content))}</{tag}>")


def join(parts: Iterable[str], *, by: str = "\n") -> Html:
    """Several pieces, one after the other."""
    return Html(by.join(map(html, parts)))


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Html:
    """Columns whose heading begins with "#" hold numbers and stand to the right."""
    numeric = [column.startswith("#") for column in columns]
    cells = zip(columns, numeric, strict=True)
    head = [element("th", name.lstrip("#"), **_side(right)) for name, right in cells]
    body = [
        element(
            "tr", *[element("td", cell, **_side(n)) for cell, n in zip(row, numeric, strict=True)]
        )
        for row in rows
    ]
    return element("div", element("table", element("tr", *head), join(body)), class_="scroll")


def _side(right: bool) -> dict[str, str]:
    return {"class_": "number"} if right else {}


def picture(image: bytes, *, alt: str, kind: str = "png") -> Html:
    """An image inside the page, of a file that is "png" or "gif"."""
    data = b64encode(image).decode("ascii")
    return Html(f'<img alt="{escape(alt)}" src="data:image/{kind};base64,{data}">')


def swatch(colour: Colour, name: str) -> Html:
    """A name behind its colour."""
    red, green, blue = (round(255 * part) for part in colour)
    dot = element("span", class_="swatch", style=f"background:rgb({red},{green},{blue})")
    return join([dot, name], by="")


def document(title: str, *content: str) -> str:
    """The whole page."""
    style = Path(__file__).with_name("style.css").read_text(encoding="utf-8")
    head = join(
        [
            Html('<meta charset="utf-8">'),
            Html(f'<meta http-equiv="Content-Security-Policy" content="{escape(_POLICY)}">'),
            Html('<meta name="viewport" content="width=device-width, initial-scale=1">'),
            element("title", title),
            Html(f"<style>\n{style}</style>"),
        ]
    )
    body = element("body", element("main", join(content)))
    return f'<!doctype html>\n<html lang="en">\n<head>\n{head}\n</head>\n{body}\n</html>\n'


def number_text(value: float) -> str:
    """Four digits, or all of a large whole number."""
    return f"{value + 0.0:.4g}" if abs(value) < 1e4 else f"{value:,.0f}"


def point_text(values: Iterable[float], *, by: str = ", ") -> str:
    """Coordinates in one text."""
    return by.join(number_text(float(value)) for value in values)
