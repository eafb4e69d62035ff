"""Ctrl-C ends the benchmark and all of its processes, with one line."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

PROC = Path("/proc")
pytestmark = pytest.mark.skipif(not PROC.is_dir(), reason="needs /proc")


def living(group: int) -> list[int]:
    """Processes of a group that have not ended."""
    found = []
    for entry in PROC.iterdir():
        if entry.name.isdigit():
            try:
                # the name of a program is in parentheses and may contain anything
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[2]) == group and fields[0] != "Z":
                found.append(int(entry.name))
    return found


def eventually(condition: Callable[[], bool], seconds: float = 20.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("patience", [0.0, 1.5], ids=["starting", "running"])
def test_interrupt(tmp_path: Path, patience: float) -> None:
    command = [sys.executable, "-m", "impinge", "bench", "threads", "--out", str(tmp_path)]
    run = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    # itself, the two contenders, and the helper of multiprocessing
    assert eventually(lambda: len(living(run.pid)) >= 3)
    time.sleep(patience)
    os.killpg(run.pid, signal.SIGINT)
    out, err = run.communicate(timeout=20)
    assert run.returncode == 130
    assert out == ""
    assert err.strip() == "impinge: interrupted"
    assert eventually(lambda: not living(run.pid))
