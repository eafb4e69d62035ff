"""`scripts/fuzz` runs, or tells what it needs to."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from fuzz.formats import CORPUS

PROGRAM = Path(__file__).resolve().parents[2] / "scripts" / "fuzz"


def fuzz(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(PROGRAM), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_short_run_or_what_to_install() -> None:
    ran = fuzz("off", "--runs", 300)
    if find_spec("atheris") and find_spec("coverage"):
        assert ran.returncode == 0, ran.stdout + ran.stderr
        assert "300 of 300 inputs" in ran.stdout
        assert "off.py" in ran.stdout
    else:
        assert ran.returncode == 2
        assert "pip install" in ran.stderr


def test_a_file_that_breaks_no_promise_has_nothing_to_minimise(tmp_path: Path) -> None:
    whole = (CORPUS / "off" / "tetrahedron.off").read_bytes()
    path = tmp_path / "whole.off"
    path.write_bytes(whole)
    assert "as it should" in fuzz("off", "--minimise", path).stdout
    assert path.read_bytes() == whole
