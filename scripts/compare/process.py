"""A program of this folder in a process of its own, with one build of the package."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
TESTS = HERE.parents[1] / "tests"


class Process:
    """Questions and answers are lines of JSON."""

    def __init__(self, build: Path, program: str, *arguments: str) -> None:
        paths = os.pathsep.join(map(str, (build, TESTS)))
        self._child = subprocess.Popen(
            [sys.executable, str(HERE / program), *arguments],
            env={**os.environ, "PYTHONPATH": paths, "PYTHONHASHSEED": "0"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        self._stdin, self._stdout = self._child.stdin, self._child.stdout
        imported = Path(self.read() or "nothing")
        if not imported.is_relative_to(build):
            raise SystemExit(f"compare: {build} was to be imported, but {imported} was")

    def ask(self, question: Any) -> Any:
        return json.loads(self._answered(json.dumps(question).encode()))

    def cpu_seconds(self, step: int) -> float:
        """Of a step of the task last asked for; what is done here and there leaves caches alone."""
        return float(self._answered(b"%d" % step))

    def read(self) -> Any:
        """What it says next without a question; None at the end."""
        line = self._line()
        return json.loads(line) if line else None

    def _answered(self, question: bytes) -> bytes:
        self._stdin.write(question + b"\n")
        self._stdin.flush()
        return self._line()

    def _line(self) -> bytes:
        line = self._stdout.readline()
        if not line and self._child.wait():
            raise SystemExit(f"compare: a process ended with {self._child.returncode}")
        return line

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *_: object) -> None:
        self._child.kill()
        self._child.wait()
