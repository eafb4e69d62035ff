"""Compares two builds of Impinge, each a wheel or a folder with the package.

    python scripts/compare answers old.whl new.whl [part of a name ...]
    python scripts/compare speed old.whl new.whl [part of a name ...]

`answers` asks both builds all there is to ask, and prints each case in which any bit differs; the
exit code is 1 if there is one. What mode="first" chooses and statistics are left out.
`speed` prints the CPU time of small calls and of the workloads of `impinge bench peers`, and the
ratio of the new build to the old one, beside the ratio of the old one to a copy of itself.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from itertools import permutations
from pathlib import Path

import numpy as np
from process import Process

# rounds through all steps of a workload
FEWEST, MOST = 5, 1000


def copied(build: Path, into: Path) -> Path:
    """The folder to import a copy from, which shares no memory with another copy."""
    if build.suffix == ".whl":
        zipfile.ZipFile(build).extractall(into)
    elif (build / "impinge" / "__init__.py").is_file():
        shutil.copytree(build / "impinge", into / "impinge")
    else:
        raise SystemExit(f"compare: {build} is no wheel and no folder with the package impinge")
    return into.resolve()


@contextmanager
def started(builds: Sequence[Path], program: str, *arguments: str) -> Iterator[list[Process]]:
    with ExitStack() as stack:
        yield [stack.enter_context(Process(build, program, *arguments)) for build in builds]


def compare_answers(builds: Sequence[Path], patterns: Sequence[str]) -> int:
    """Prints the cases in which the new build answers otherwise; how many there are."""
    with started(builds, "answers.py", *patterns) as processes, ThreadPoolExecutor() as pool:
        old, new = pool.map(lambda process: dict(iter(process.read, None)), processes)
    different = 0
    for name in old | new:
        before, after = old.get(name, {}), new.get(name, {})
        # what the new build tells beyond the old one is no difference
        if wrong := [part for part in before or after if before.get(part) != after.get(part)]:
            different += 1
            texts = [each[part] for part in wrong for each in (before, after) if "error" in part]
            print(f"{name}: {', '.join(wrong)}", *texts, sep="\n  ")
    parts = sum(map(len, old.values()))
    print(f"{len(old | new):,} cases, {parts:,} parts of answers; {different:,} cases differ")
    return different


def compare_speed(
    builds: Sequence[Path], patterns: Sequence[str], seconds: float, sittings: int
) -> None:
    """Prints a line for each workload."""
    print(f"{'CPU time, µs':<20} {'old':>12} {'new':>12} {'new/old':>8} {'old/old':>8}")
    with started(builds[:1], "tasks.py") as contenders:
        known = contenders[0].ask(None)
    for name, is_small in known:
        if any(pattern in name for pattern in patterns or ("",)):
            print(_speed(name, builds, sittings if is_small else 1, seconds), flush=True)


def _speed(name: str, builds: Sequence[Path], sittings: int, seconds: float) -> str:
    found = []
    for _ in range(sittings):
        with started(builds, "tasks.py") as contenders:
            works = [one.ask(name) for one in contenders]
            if any(work != works[0] for work in works):
                return f"{name:<20} is another task, or has other answers"
            times = _times(contenders, works[0][0], seconds / sittings)
            # steps may differ much from each other: the median of each
            found.append(np.median(times, axis=0).mean(axis=0))
    old, again, new = np.median(found, axis=0) * 1e6
    return f"{name:<20} {old:12,.1f} {new:12,.1f} {new / old:8.3f} {again / old:8.3f}"


def _times(contenders: list[Process], steps: int, seconds: float) -> np.ndarray:
    """(rounds, steps, contenders): step by step in turns, in any order; load hits all alike."""
    rounds: list[list[list[float]]] = []
    end = time.perf_counter() + seconds
    orders = [*permutations(enumerate(contenders))]
    while len(rounds) < FEWEST or (len(rounds) < MOST and time.perf_counter() < end):
        rounds.append([])
        for step in range(steps):
            turns = {who: one.cpu_seconds(step) for who, one in random.choice(orders)}
            rounds[-1].append([turns[who] for who in range(len(contenders))])
    return np.array(rounds)


def main() -> int:
    parser = argparse.ArgumentParser(
        "compare", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("answers", "speed"))
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("patterns", nargs="*", help="parts of the names of cases or workloads")
    parser.add_argument("--seconds", type=float, default=10.0, help="for each workload")
    # where memory lies is another in each process, and that alone makes a difference of a tenth
    parser.add_argument("--sittings", type=int, default=7, help="processes for each small workload")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        copies = [(asked.old, "old"), (asked.old, "again"), (asked.new, "new")]
        builds = [copied(build, Path(folder) / name) for build, name in copies]
        if asked.what == "answers":
            return 1 if compare_answers(builds[::2], asked.patterns) else 0
        compare_speed(builds, asked.patterns, asked.seconds, asked.sittings)
    return 0


if __name__ == "__main__":
    sys.exit(main())
