"""`scripts/fuzz` looks for new inputs for a minute, or tells what it needs to."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from fuzz.formats import CORPUS, FORMATS

PROGRAM = Path(__file__).resolve().parents[2] / "scripts" / "fuzz"


def fuzz(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(PROGRAM), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", FORMATS)
def test_a_minute_of_inputs_that_coverage_chooses(name: str) -> None:
    """Other inputs each time, for a sixth of a minute each format."""
    ran = fuzz(name, "--seconds", 60 / len(FORMATS))
    if find_spec("atheris") and find_spec("coverage"):
        assert ran.returncode == 0, ran.stdout + ran.stderr
        told = re.findall(r"^([\d,]+) of [\d,]+ inputs", ran.stdout, re.MULTILINE)
        assert int(told[-1].replace(",", "")) >= 100
        assert f"{'threemf' if name == '3mf' else name}.py" in ran.stdout
    else:
        assert ran.returncode == 2
        assert "pip install" in ran.stderr


def test_a_file_that_breaks_no_promise_has_nothing_to_minimise(tmp_path: Path) -> None:
    whole = (CORPUS / "off" / "tetrahedron.off").read_bytes()
    path = tmp_path / "whole.off"
    path.write_bytes(whole)
    assert "as it should" in fuzz("off", "--minimise", path).stdout
    assert path.read_bytes() == whole
