"""Where a command may write, checked before any work is done."""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import click

from impinge._outputs import regular_target
from impinge.io.read import EXTENSIONS

Callback = Callable[[click.Context, click.Parameter, str | None], str | None]

# of a file that is there: enough to tell what it is
_HEAD_BYTES = 4096
_JSON = re.compile(r'\s*(\{\s*["}]|\[\s*(["\[\]{\d-]|true|false|null))')
_HTML = re.compile(r"\s*(<!--.*?-->\s*)*<(!doctype\s+html|html)\b", re.IGNORECASE | re.DOTALL)


class Target(NamedTuple):
    """A file that an option asks for, and the extension that tells its kind."""

    option: str
    path: str | None
    kind: str


force_option = click.option(
    "--force", is_flag=True, help="Also write over files of another kind than is written."
)


def guard(targets: Iterable[Target], inputs: Iterable[str] = (), *, force: bool) -> None:
    """Refuse to write over an input, twice to one file, or over what is of another kind."""
    inputs = list(inputs)
    taken: dict[tuple[int, int], str] = {}
    for option, given, kind in targets:
        if given is None or given == "-":
            continue
        path = _regular(given)
        number = None if path is None else _number(path)
        if path is None or number is None:
            continue
        if number in taken:
            _refuse(option, given, f"is the file of {taken[number]} too; give another one")
        taken[number] = option
        for file in _files(inputs):
            if _number(file) == number:
                _refuse(option, given, f"is the input {str(file)!r}; give another file")
        if not force and not _is_kind(path, kind):
            _refuse(
                option, given, f"exists and is no {kind[1:].upper()} file; give another file, or "
                "--force to write over it",
            )  # fmt: skip


def _refuse(option: str, given: str, cause: str) -> None:
    raise click.UsageError(f"Invalid value for '{option}': {given!r} {cause}")


def _regular(given: str) -> Path | None:
    """The file that is there; None where there is none, or a pipe or a device."""
    try:
        path = regular_target(given)
    except OSError:
        return None
    return path if path is not None and path.exists() else None


def _files(inputs: list[str]) -> Iterator[Path]:
    """The files of a command, those of a folder too."""
    for given in inputs:
        path = Path(given)
        if path.is_dir():
            yield from (one for one in path.rglob("*") if one.suffix.lower() in EXTENSIONS)
        else:
            yield path


def _number(path: Path) -> tuple[int, int] | None:
    """The same for all names of a file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _is_kind(path: Path, kind: str) -> bool:
    """Whether a file is empty or begins as one of that kind does."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
    except OSError:
        # what cannot be read cannot be told; whether it may be written is asked elsewhere
        return False
    if not head or kind in (".png", ".gif"):
        magic = {".png": b"\x89PNG\r\n\x1a\n", ".gif": b"GIF8"}
        return not head or head.startswith(magic[kind])
    text = head.decode("utf-8", errors="replace").removeprefix("\ufeff")
    if "\0" in text:
        return False
    if kind == ".csv":
        return _is_csv(text, whole=len(head) < _HEAD_BYTES)
    return (_JSON if kind == ".json" else _HTML).match(text) is not None


def _is_csv(text: str, *, whole: bool) -> bool:
    """Whether the rows have one number of columns, and more than one."""
    try:
        rows = list(csv.reader(io.StringIO(text, newline="")))
    except csv.Error:
        return False
    # the last row of a part of a file may be cut
    widths = {len(row) for row in (rows if whole else rows[:-1])}
    return len(widths) == 1 and widths.pop() > 1


def output_file(*kinds: str) -> Callback:
    """Checks a path to write to; kinds: extensions, "-" for stdout."""
    extensions = tuple(kind for kind in kinds if kind != "-")

    def checked(_: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
        if value is not None and value not in kinds:
            cause = _unusable(Path(value), extensions)
            if cause:
                raise click.BadParameter(f"{value!r} {cause}", param=parameter)
        return value

    return checked


def _unusable(path: Path, extensions: tuple[str, ...]) -> str:
    """Why nothing can be written there; empty when it can."""
    folder = Path(os.path.realpath(path)).parent
    causes = {
        "is the name of a mesh file": path.suffix.lower() in EXTENSIONS,
        f"does not end in {' or '.join(extensions)}": path.suffix.lower() not in extensions,
        "is a folder": path.is_dir(),
        f"cannot be written: there is no folder {str(path.parent)!r}": not path.parent.is_dir(),
        "cannot be written: permission denied": path.exists() and not os.access(path, os.W_OK),
        # a file is replaced by one that is written beside it
        f"cannot be written: permission denied in {str(folder)!r}": folder.is_dir()
        and not os.access(folder, os.W_OK),
    }
    # /dev/null and pipes take anything
    special = path.exists() and not path.is_file() and not path.is_dir()
    return "" if special else next((cause for cause, holds in causes.items() if holds), "")


def output_path(_: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Refuses to write over a mesh, as in `--json part.stl` with the file name forgotten."""
    if value is not None and Path(value).suffix.lower() in EXTENSIONS:
        raise click.BadParameter(f"{value!r} is the name of a mesh file", param=parameter)
    return value
