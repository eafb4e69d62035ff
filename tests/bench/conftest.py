"""Fixtures of the benchmark tests: peers that are made up, and the command."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest

import fake_peers
from impinge.bench import peers
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
def fakes() -> Iterator[None]:
    """The made-up peers, registered."""
    made = (
        fake_peers.Sloppy(),
        fake_peers.Raising(),
        fake_peers.Crashing(),
        fake_peers.Absent(),
    )
    for one in made:
        peers.register(one)
    yield
    for one in made:
        peers.unregister(one.name)
