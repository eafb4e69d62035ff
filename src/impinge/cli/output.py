"""Text for people and pipes: stdout, stderr and files."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import click

from impinge._text import one_line
from impinge.io.read import EXTENSIONS

_MOST_WARNINGS = 10


def warn_unencodable() -> None:
    """Lets a terminal without Unicode show names all the same."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def write(text: str) -> None:
    """Text to stdout; a reader that has gone away is no error."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        # Python flushes once more at exit; give it somewhere to flush to.
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())


def warn(message: str) -> None:
    """A warning line on stderr."""
    print(f"impinge: warning: {one_line(message)}", file=sys.stderr)


def warn_all(messages: Sequence[str]) -> None:
    """The first warnings, and how many there are more."""
    for text in messages[:_MOST_WARNINGS]:
        warn(text)
    if len(messages) > _MOST_WARNINGS:
        warn(f"and {len(messages) - _MOST_WARNINGS:,} more warnings; --json FILE.json has all")


def length(_: click.Context, parameter: click.Parameter, value: float | None) -> float | None:
    """Refuses what is no finite length of at least 0."""
    if value is not None and not 0 <= value < math.inf:
        cause = f"{value:g} is not a length of at least 0, in the units of the files"
        raise click.BadParameter(cause, param=parameter)
    return value


Callback = Callable[[click.Context, click.Parameter, str | None], str | None]


def output_file(*kinds: str) -> Callback:
    """Checks a path to write to before any work is done; kinds: extensions, "-" for stdout."""
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
    causes = {
        "is the name of a mesh file": path.suffix.lower() in EXTENSIONS,
        f"does not end in {' or '.join(extensions)}": path.suffix.lower() not in extensions,
        "is a folder": path.is_dir(),
        f"cannot be written: there is no folder {str(path.parent)!r}": not path.parent.is_dir(),
        "cannot be written: permission denied": not os.access(
            path if path.exists() else path.parent, os.W_OK
        ),
    }
    # /dev/null and pipes take anything
    special = path.exists() and not path.is_file() and not path.is_dir()
    return "" if special else next((cause for cause, holds in causes.items() if holds), "")


def output_path(_: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Refuses to write over a mesh, as in `--json part.stl` with the file name forgotten."""
    if value is not None and Path(value).suffix.lower() in EXTENSIONS:
        raise click.BadParameter(f"{value!r} is the name of a mesh file", param=parameter)
    return value


def write_json(path: str, content: dict[str, object]) -> None:
    """JSON to a file, or to stdout for `-`."""
    write_text(path, json_text(content))


def write_text(path: str, text: str) -> None:
    """Text to a file, or to stdout for `-`."""
    if path == "-":
        write(text)
        return
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"{path}: cannot be written ({error.strerror})") from None


def json_text(content: dict[str, object]) -> str:
    """One line for each entry and each item of a list: readable, also with millions of faces."""
    import json

    def line(value: object) -> str:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)

    entries = []
    for key, value in content.items():
        if isinstance(value, list) and value:
            items = ",\n".join(f"    {line(item)}" for item in value)
            entries.append(f"  {line(key)}: [\n{items}\n  ]")
        else:
            entries.append(f"  {line(key)}: {line(value)}")
    return "{\n" + ",\n".join(entries) + "\n}\n"
