"""Runs a tutorial: its Python snippets one after the other, and its commands.

Both the tests, which compare what is printed with what the page shows, and
make_tutorial_pictures.py, which draws what the page has computed, use it.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

import impinge

FOLDER = Path(__file__).resolve().parent
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    language: str
    text: str
    line: int


class Shown(NamedTuple):
    """What a page claims and what is true."""

    line: int
    source: str
    expected: str
    printed: str


def blocks(page: str) -> list[Block]:
    text = (FOLDER / page).read_text(encoding="utf-8")
    return [
        Block(match[1], match[2], text.count("\n", 0, match.start()) + 1)
        for match in _FENCE.finditer(text)
    ]


def run(page: str, folder: Path, names: dict[str, Any] | None = None) -> Iterator[Shown]:
    """Run a page in an empty folder. `names` are filled with what its snippets define."""
    namespace = {} if names is None else names
    found = blocks(page)
    with chdir(folder):
        for block, after in zip(found, [*found[1:], None], strict=True):
            if block.language == "python":
                printed = _printed(page, block, namespace)
                shown = after.text if after is not None and after.language == "text" else ""
                yield Shown(block.line, block.text, shown, printed)
            elif block.language == "console":
                yield from _commands(block)


def _printed(page: str, block: Block, namespace: dict[str, Any]) -> str:
    # empty lines first, so that an error tells the line of the page
    source = "\n" * block.line + block.text
    with redirect_stdout(io.StringIO()) as out:
        exec(compile(source, page, "exec"), namespace)
    return out.getvalue()


def _commands(block: Block) -> Iterator[Shown]:
    """The commands after "$ "; `echo $?` is the exit code of the one before."""
    code = 0
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        if command == "echo $?":
            yield Shown(block.line, command, expected, f"{code}\n")
            continue
        done = _run(command)
        code = done.returncode
        yield Shown(block.line, command, expected, done.stdout)


def _run(command: str) -> subprocess.CompletedProcess[str]:
    program, *arguments = shlex.split(command)
    python = {"impinge": [sys.executable, "-m", "impinge"], "python": [sys.executable]}
    # the very package that is imported here, installed or not
    package = str(Path(impinge.__file__).resolve().parents[1])
    return subprocess.run(
        [*python[program], *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": package, "PYTHONIOENCODING": "utf-8"},
        timeout=120,
        check=False,
    )
