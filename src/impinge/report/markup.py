"""Pieces of HTML; every text that comes from outside is escaped here."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape
from itertools import chain, repeat
from pathlib import Path

from impinge.render.about import number_text
from impinge.render.page import embed
from impinge.render.palette import Colour

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


def table(
    columns: Sequence[str], rows: Iterable[Sequence[str]], *, findings: Iterable[int] = ()
) -> Html:
    """Columns whose heading begins with "#" hold numbers and stand to the right.

    `findings` are their numbers, where rows lead to one. Scripts make the table sortable.
    """
    looks = [_look(column) for column in columns]
    cells = zip(columns, looks, strict=True)
    head = [element("th", name.removeprefix("#"), **look) for name, look in cells]
    leads = chain(({"data_clash": str(number)} for number in findings), repeat({}))
    body = [
        element(
            "tr",
            *[element("td", cell, **look) for cell, look in zip(row, looks, strict=True)],
            **lead,
        )
        for row, lead in zip(rows, leads, strict=False)
    ]
    inner = [element("thead", element("tr", *head)), element("tbody", join(body))]
    return element("div", element("table", *inner, class_="sortable"), class_="scroll")


def _look(column: str) -> dict[str, str]:
    if column.startswith("#"):
        return {"class_": "number"}
    return {"class_": "part"} if column == "part" else {}


def picture(image: bytes, *, alt: str, kind: str = "png") -> Html:
    """An image inside the page, of a file that is "png" or "gif"."""
    data = b64encode(image).decode("ascii")
    return Html(f'<img alt="{escape(alt)}" src="data:image/{kind};base64,{data}">')


def swatch(colour: Colour, name: str) -> Html:
    """A name behind its colour."""
    red, green, blue = (round(255 * part) for part in colour)
    dot = element("span", class_="swatch", style=f"background:rgb({red},{green},{blue})")
    return join([dot, name], by="")


def valued(text: str, value: float) -> Html:
    """A text that is sorted by a number."""
    return element("span", text, data_value=repr(float(value)))


def document(title: str, *content: str, model: bytes | None = None) -> str:
    """The whole page; with a `model` to look at, it has the scripts that show it."""
    style = Path(__file__).with_name("style.css").read_text(encoding="utf-8")
    policy = _POLICY if model is None else embed.policy()
    head = join(
        [
            Html('<meta charset="utf-8">'),
            Html(f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">'),
            Html('<meta name="viewport" content="width=device-width, initial-scale=1">'),
            element("title", title),
            Html(f"<style>\n{embed.style('scene') if model else ''}{style}</style>"),
        ]
    )
    scripts = "" if model is None else embed.scripts(model)
    body = element(
        "body", element("main", join(content)), Html(scripts), data_mode="report" if model else ""
    )
    return f'<!doctype html>\n<html lang="en">\n<head>\n{head}\n</head>\n{body}\n</html>\n'


def point_text(values: Iterable[float], *, by: str = ", ") -> str:
    """Coordinates in one text."""
    return by.join(number_text(float(value)) for value in values)
