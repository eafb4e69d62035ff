"""Random calls of the library and of its native module: none crashes, hangs or raises oddities.

    python scripts/fuzz_calls [public] [core] --calls 100000 [--seed 1] [--first 0] [--patience 60]

Calls are good, a little off, or wild. Each ends in an answer or in an error of the library (of the
native module: TypeError, ValueError or IndexError). What ends otherwise is printed with the options
that repeat it, and the exit code is 1. Works with a build under sanitizers, too.
"""

from __future__ import annotations

import argparse
import json
import queue
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path
from typing import Any

WORKER = Path(__file__).with_name("worker.py")


class Worker:
    """A process that makes calls until it dies or is done."""

    def __init__(self, what: str, seed: int, first: int, count: int) -> None:
        command = [sys.executable, str(WORKER), what, str(seed), str(first), str(count)]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace"
        )
        self.lines: queue.Queue[str | None] = queue.Queue()
        self.complaints = ""
        self._threads = [
            threading.Thread(target=each, daemon=True) for each in (self._read, self._hear)
        ]
        for thread in self._threads:
            thread.start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def _hear(self) -> None:
        assert self.process.stderr
        for line in self.process.stderr:
            self.complaints = (self.complaints + line)[-6000:]

    def tell(self, patience: float) -> dict[str, Any] | None:
        """What it says next, None at its end; queue.Empty when it says nothing."""
        line = self.lines.get(timeout=patience)
        return None if line is None else json.loads(line)

    def end(self) -> str:
        """How it ended."""
        self.process.kill()
        code = self.process.wait()
        for thread in self._threads:
            thread.join(10)
        return f"exit code {code}\n{self.complaints}"


def run(what: str, seed: int, first: int, count: int, patience: float) -> tuple[Counter[str], int]:
    """Make so many calls; how they ended, and how many ended wrong."""
    ends: Counter[str] = Counter()
    wrong, end = 0, first + count
    while first < end:
        worker, at, over = Worker(what, seed, first, end - first), first - 1, False
        try:
            while not over:
                # it takes a while to begin
                told = worker.tell(patience if at >= first else patience + 60)
                if told is None:
                    over = True
                elif "begin" in told:
                    at = told["begin"]
                else:
                    ends[told["end"]] += 1
                    first = at + 1
                    if told["end"] == "foreign":
                        wrong += 1
                        report(f"{what} --seed {seed} --first {at}", "foreign exception", told)
            died = worker.process.wait() != 0 or at + 1 < end
            if died:
                ends["crashed"] += 1
                wrong += 1
                report(f"{what} --seed {seed} --first {at}", "crash", {"why": worker.end()})
                first = at + 1
        except queue.Empty:
            ends["hung"] += 1
            wrong += 1
            report(f"{what} --seed {seed} --first {at}", "no end", {"why": worker.end()})
            first = at + 1
    return ends, wrong


def report(call: str, kind: str, told: dict[str, str]) -> None:
    """What went wrong, and the options that repeat it."""
    print(f"{kind}: {told.get('name', '')} ({call} --calls 1)", told["why"], sep="\n")


def main() -> int:
    parser = argparse.ArgumentParser(
        "fuzz_calls", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", nargs="*", help="public or core; both when left out")
    parser.add_argument("--calls", type=int, default=10_000, help="of each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--patience", type=float, default=60.0, help="seconds for one call")
    asked = parser.parse_args()
    wrong = 0
    for what in asked.what or ("public", "core"):
        ends, bad = run(what, asked.seed, asked.first, asked.calls, asked.patience)
        wrong += bad
        counted = ", ".join(f"{number:,} {end}" for end, number in sorted(ends.items()))
        print(f"{what}: {sum(ends.values()):,} calls: {counted}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
