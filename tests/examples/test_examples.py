"""Every example runs, and says what its text promises."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import impinge

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SCRIPTS = sorted(path.name for path in EXAMPLES.glob("*.py") if path.name != "shapes.py")
WORDS = {
    "deforming_cloth.py": "frame 7",
    "falling_tori.py": "pairs of faces cross",
    "first_steps.py": "closed",
    "gpu_made_body.py": "frame 5",
    "make_gearbox.py": "44 parts",
    "robot_configurations.py": "is blocked:",
    "robot_poses.py": "the yes-or-no question agrees: True",
}


def test_every_example_has_an_expectation() -> None:
    assert set(SCRIPTS) == set(WORDS)


@pytest.mark.parametrize("name", SCRIPTS)
def test_example_runs(name: str, tmp_path: Path) -> None:
    if name.startswith("gpu_") and os.environ.get("IMPINGE_GPU") == "skip":
        pytest.skip("IMPINGE_GPU=skip")
    arguments = [str(tmp_path)] if name == "make_gearbox.py" else []
    # the examples use the very package under test, installed or not
    packages = str(Path(impinge.__file__).resolve().parents[1])
    finished = subprocess.run(
        [sys.executable, str(EXAMPLES / name), *arguments],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": packages, "PATH": ""},
        timeout=120,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    assert WORDS[name] in finished.stdout


def test_shapes_are_closed_and_turned_outward(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    import shapes

    for arrays in (shapes.torus(), shapes.ball(), shapes.box((0.0, 0.0, 0.0), (1.0, 2.0, 3.0))):
        report = impinge.Mesh(*arrays).report()
        assert report.closed
        assert report.oriented
