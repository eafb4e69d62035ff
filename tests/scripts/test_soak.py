"""A short soak: thousands of queries from many threads, all answers right, memory flat."""

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).resolve().parents[2] / "scripts" / "soak.py"


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
def test_many_queries_are_right_and_leave_nothing_behind() -> None:
    command = [sys.executable, str(PROGRAM), "--queries", "4000", "--threads", "8"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "4,000 queries, 0 wrong" in ended.stdout
