"""The public surface: every name with its signature is written down, so that a change is meant."""

from __future__ import annotations

import runpy
from pathlib import Path

ROOT = Path(__file__).parents[2]
NAMES = ROOT / "tests" / "docs" / "public_names.txt"
surface = runpy.run_path(str(ROOT / "scripts" / "public_names.py"))


def test_the_public_names_are_those_written_down() -> None:
    written = NAMES.read_text(encoding="utf-8").splitlines()
    assert list(surface["lines"]()) == written, (
        "the public surface has changed; if that is meant, tell it in CHANGELOG.md and run "
        "python scripts/public_names.py --write tests/docs/public_names.txt"
    )
