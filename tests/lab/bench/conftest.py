"""Fixtures of the benchmark tests: peers that are made up."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from impinge.lab.bench import peers
from support import fake_peers


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
