"""What a page of Markdown has for a computer: blocks of code and commands."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PAGES = ("README.md", *sorted(str(p.relative_to(ROOT)) for p in ROOT.glob("docs/**/*.md")))

# A comment right above a block says how it is treated: "<!-- snippet: gpu -->" needs a GPU,
# "<!-- snippet: not run, it asks the network -->" is left out, for the reason that follows.
_BLOCK = re.compile(
    r"^(?:<!-- snippet: (?P<mark>.*?) -->\n)?```(?P<language>[\w{}-]*)\n(?P<code>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
_COMMAND = re.compile(r"(?:^|&& )(impinge(?: [^#\n]*?)?)(?= *(?:#|&&|\||>|$))", re.MULTILINE)
_INLINE = re.compile(r"`(impinge(?: [^`\n]+)?)`")


class Block(NamedTuple):
    """A fenced block; `line` is that of its first line of code."""

    language: str
    code: str
    line: int
    mark: str


def blocks(page: str) -> list[Block]:
    text = (ROOT / page).read_text(encoding="utf-8")
    return [
        Block(
            one["language"],
            one["code"],
            text.count("\n", 0, one.start("code")) + 1,
            one["mark"] or "",
        )
        for one in _BLOCK.finditer(text)
    ]


def commands(page: str) -> list[str]:
    """The lines with the command `impinge`, of blocks for a shell and in the text."""
    shell = (one.code for one in blocks(page) if one.language in ("", "bash", "sh", "console"))
    found = [command for code in shell for command in _COMMAND.findall(code)]
    text = _BLOCK.sub("", (ROOT / page).read_text(encoding="utf-8"))
    return [*found, *(command for command in _INLINE.findall(text) if " " in command)]
