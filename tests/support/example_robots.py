"""The robots of the package example-robot-data, when it is installed."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest


def folder() -> Path:
    """Where they are; skips the test when they are not."""
    found = find_spec("cmeel")
    for place in (found.submodule_search_locations or ()) if found else ():
        data = Path(place).parent / "cmeel.prefix" / "share" / "example-robot-data" / "robots"
        if data.is_dir():
            return data
    pytest.skip("the package example-robot-data is not installed")
