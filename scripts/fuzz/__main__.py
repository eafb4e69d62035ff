"""Fuzzes the reader of a format, guided by the branches that its inputs reach.

    python scripts/fuzz obj --runs 1000000
    python scripts/fuzz --seconds 60
    python scripts/fuzz obj --minimise file.obj

Formats are stl, ply, obj, off, gltf and 3mf: all of them in turn when none is named, each with its
share of the seconds. Inputs are mutations of tests/fuzz/corpus and of what
earlier runs left in build/fuzz/FORMAT/corpus. Each must be read as the face counter of its format
says, or be refused in one line, quickly and in little memory. What breaks a promise is made small
and kept in build/fuzz/FORMAT/findings, one file for each cause; the exit code is 1 if there is any.
At the end stands how much of the reader the inputs reached. Needs `pip install atheris coverage`;
the package is the installed one, or that of PYTHONPATH.
"""

from __future__ import annotations

import argparse
import math
import os
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from fuzz.formats import FORMATS
from fuzz.judge import FindingError, Judge
from fuzz.minimise import minimised

ROOT = Path(__file__).resolve().parents[2]
MOST_AT_ONCE = 200_000


def run(name: str, runs: int, seconds: float) -> int:
    """Fuzzes in a process of its own, since a reader may take it down; how many findings."""
    work = ROOT / "build" / "fuzz" / name
    findings = work / "findings"
    for folder in (work / "corpus", findings):
        folder.mkdir(parents=True, exist_ok=True)
    memory = "/dev/shm" if Path("/dev/shm").is_dir() else None
    died, began = 0, time.monotonic()
    with tempfile.TemporaryDirectory(dir=memory) as inputs:
        # one process after the other: atheris keeps the memory of every input it mutates
        for end in [*range(MOST_AT_ONCE, runs, MOST_AT_ONCE), runs]:
            left = seconds - (time.monotonic() - began)
            if died or left <= 0:
                break
            died = _child("guided.py", name, str(end), str(runs), str(work), inputs, str(left))
    _child("reached.py", name, str(work / "corpus"))
    for path in sorted(findings.iterdir()):
        finding = minimise(name, path)
        if finding is None:
            path.unlink()
        else:
            print(f"{path}: {finding}")
    if died:
        print(f"the process ended with exit code {died}: see {work / 'log.txt'}")
    return len(list(findings.iterdir())) + bool(died)


def _child(program: str, *arguments: str) -> int:
    paths = [str(ROOT / "tests"), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, str(Path(__file__).parent / program), *arguments]
    return subprocess.run(command, env=environment, check=False).returncode


def minimise(name: str, path: Path) -> FindingError | None:
    """Makes the file small where it is; what is wrong with it."""
    form = FORMATS[name]
    with tempfile.TemporaryDirectory() as folder:
        judge = Judge(form, Path(folder))
        try:
            judge.verdict(path.read_bytes())
        except FindingError as finding:
            # these take too long to be asked a thousand times
            if finding.kind not in ("slow", "hang", "memory"):
                path.write_bytes(minimised(form, judge, path.read_bytes()))
            return finding
    return None


def main() -> int:
    parser = argparse.ArgumentParser(
        "fuzz", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("format", nargs="*", help=", ".join(FORMATS))
    parser.add_argument("--runs", type=int, help="inputs to try of each format (100,000)")
    parser.add_argument("--seconds", type=float, help="for all formats together")
    parser.add_argument("--minimise", type=Path, metavar="FILE", help="make a finding small")
    asked = parser.parse_args()
    names = asked.format or list(FORMATS)
    if unknown := set(names) - set(FORMATS):
        parser.error(f"unknown format {unknown.pop()!r}; there are {', '.join(FORMATS)}")
    if asked.minimise:
        finding = minimise(names[0], asked.minimise)
        print(finding or "is read or refused as it should be")
        return 1 if finding else 0
    missing = [name for name in ("atheris", "coverage") if find_spec(name) is None]
    if missing:
        print(f"fuzz: pip install {' '.join(missing)}", file=sys.stderr)
        return 2
    share = asked.seconds / len(names) if asked.seconds else math.inf
    runs = asked.runs or (MOST_AT_ONCE if asked.seconds else 100_000)
    return 1 if sum([run(name, runs, share) for name in names]) else 0


if __name__ == "__main__":
    sys.exit(main())
