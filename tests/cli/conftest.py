"""Fixtures of the command line tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from impinge.cli import main


class Answer(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def impinge(capsys: pytest.CaptureFixture[str]) -> Callable[..., Answer]:
    """Runs the command in this process."""

    def run(*arguments: object) -> Answer:
        code = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Answer(code, captured.out, captured.err)

    return run


@pytest.fixture
def put(tmp_path: Path) -> Callable[[str, bytes], Path]:
    """Writes a file and gives its path."""

    def write(name: str, data: bytes | str) -> Path:
        path = tmp_path / name
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return path

    return write
