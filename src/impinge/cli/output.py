"""Text for people and pipes: stdout, stderr and files."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import click

from impinge import _outputs
from impinge._text import one_line

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


def write_json(path: str, content: dict[str, object]) -> None:
    """JSON to a file, or to stdout for `-`."""
    write_text(path, json_text(content))


def write_text(path: str, text: str) -> None:
    """Text to a file, or to stdout for `-`."""
    if path == "-":
        write(text)
        return
    with told(path):
        _outputs.write_text(path, text)


def write_file(path: str, content: bytes) -> None:
    """Bytes to a file."""
    with told(path):
        _outputs.write_bytes(path, content)


@contextmanager
def told(path: str) -> Iterator[None]:
    """What keeps a file from being written is one line."""
    try:
        yield
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
