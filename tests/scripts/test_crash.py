"""`scripts/crash`: writers that are killed, or have no room, leave the old file or the new one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pyarrow")

PROGRAM = Path(__file__).resolve().parents[2] / "scripts" / "crash"


def test_some_rounds() -> None:
    done = subprocess.run(
        [sys.executable, str(PROGRAM), "--rounds", "2"],
        capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("0 problems\n")
