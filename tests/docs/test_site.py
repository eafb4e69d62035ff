"""The site: every public name has a page, and nothing on it leads nowhere."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
surface = runpy.run_path(str(ROOT / "scripts" / "public_names.py"))


def test_every_public_name_has_a_page() -> None:
    """Once: listed in a page of docs/reference, which Sphinx turns into one page each."""
    listed: list[str] = []
    for page in (ROOT / "docs" / "reference").glob("*.md"):
        text = page.read_text(encoding="utf-8")
        listed += re.findall(r"^(?: {3}|\.\. py:data:: )(impinge\.[\w.]+)$", text, re.MULTILINE)
    assert sorted(listed) == sorted(surface["public"]())


def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    """All pages are read and all links resolved; that they are then drawn is left to Sphinx."""
    for package in ("sphinx", "furo", "myst_parser"):
        pytest.importorskip(package)
    done = subprocess.run(
        ["bash", str(ROOT / "scripts" / "docs"), str(tmp_path / "site"), "-b", "dummy"],
        env={**os.environ, "PYTHON": sys.executable},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
