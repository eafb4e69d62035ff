"""Text for people and pipes: stdout, stderr and files."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from impinge._terminal import one_line
from impinge.io.read import EXTENSIONS


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


def output_path(_: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Refuses to write over a mesh, as in `--json part.stl` with the file name forgotten."""
    if value is not None and Path(value).suffix.lower() in EXTENSIONS:
        raise click.BadParameter(f"{value!r} is the name of a mesh file", param=parameter)
    return value


def write_json(path: str, content: dict[str, object]) -> None:
    """JSON to a file, or to stdout for `-`."""
    text = json_text(content)
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
