"""Fixtures of the whole suite."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from hypothesis import settings

# The same examples on every machine and in every run; a failure is a bug, never bad luck.
settings.register_profile("impinge", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("impinge")

# A shell starts background jobs with Ctrl-C ignored, and children inherit that; tests press it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real meshes and reference results next to the repository."""
    folder = Path(__file__).resolve().parents[2] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"no shared data at {folder}")
    return folder
