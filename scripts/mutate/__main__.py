"""Breaks the sources on purpose, one change at a time, and lists the changes no test notices.

    python scripts/mutate.py --room geometry [--count 30] [--seed 0] [--work folder]
    python scripts/mutate.py --room geometry --list

Works in a copy of the tree, after scripts/build, with one build of the core compiled with -O1; what
a change does not touch is not compiled again. Prints each survivor with its place and the score:
how many of the changes the tests of that room noticed. Changes that cannot be noticed are named in
scripts/mutate_equivalent.txt with the reason, and are left out.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EQUIVALENT = ROOT / "scripts" / "mutate_equivalent.txt"
CORE = "src/impinge/_core"
COPIED = ("native", "src", "tests", "CMakeLists.txt", "pyproject.toml", "examples", "docs")

_EXACT = ("tests/conformance/test_oracle_by_hand.py", "tests/conformance/test_brute_is_rational.py")
_BRUTE = "tests/conformance/test_detectors_are_brute.py"
_ALIGNED = "tests/conformance/test_aligned.py"


@dataclass(frozen=True)
class Room:
    """Sources that are changed, and the tests that are to notice: the quickest first."""

    sources: tuple[str, ...]
    tests: tuple[str, ...]
    only: str = ""  # -k of pytest


ROOMS = {
    "geometry": Room(
        ("native/geometry/*.?pp",),
        (
            "tests/native/geometry",
            *_EXACT,
            "tests/conformance/test_contacts.py",
            "tests/queries/test_ray_bounds.py",
        ),
    ),
    "pairs": Room(
        ("native/pairs/*.?pp",),
        (
            "tests/native/pairs",
            "tests/queries/test_max_pairs.py",
            "tests/native/bvh",
            "tests/conformance/test_margin.py",
            _BRUTE,
            "tests/conformance/test_many_bodies.py",
            "tests/conformance/test_poses.py",
        ),
        "not peel and not cdfc",
    ),
    "bvh": Room(
        ("native/bvh/pair/*.?pp",),
        (
            "tests/native/bvh",
            "tests/queries/test_max_pairs.py",
            _BRUTE,
            "tests/conformance/test_slabs.py",
            "tests/conformance/test_poses.py",
        ),
        "not peel and not cdfc and not dop",
    ),
    "dop": Room(
        ("native/dop/*.?pp", "src/impinge/detectors/dop/*.py"),
        ("tests/detectors/dop", _ALIGNED, _BRUTE),
        "dop",
    ),
    "cdfc": Room(
        ("native/cdfc/*.?pp", "src/impinge/detectors/cdfc/*.py"),
        ("tests/detectors/cdfc", _ALIGNED, _BRUTE),
        "cdfc and not gpu",
    ),
    "raster": Room(
        (
            "native/raster/*.?pp",
            "src/impinge/detectors/peel/*.py",
            "src/impinge/detectors/cinder/*.py",
        ),
        ("tests/detectors/peel", "tests/detectors/cinder", _ALIGNED, _BRUTE),
        "(peel or cinder) and not gpu",
    ),
    "octree": Room(
        ("native/octree/*.?pp", "src/impinge/detectors/ray/*.py"),
        ("tests/detectors/ray", "tests/queries/test_contact_points.py"),
    ),
}

# what is found, and what it becomes; spaces keep templates, includes and arguments apart
_SWAPS = [
    (r" < ", " <= "),
    (r" <= ", " < "),
    (r" > ", " >= "),
    (r" >= ", " > "),
    (r" == ", " != "),
    (r" != ", " == "),
    (r" \+ ", " - "),
    (r" - ", " + "),
    (r" \+= ", " -= "),
    (r" & ", " | "),
    (r" \| ", " & "),
    (r"\bmin\(", "max("),
    (r"\bmax\(", "min("),
]
_OWN_SWAPS = {
    "cpp": [(r" && ", " || "), (r" \|\| ", " && "), (r"\btrue\b", "false"), (r"\bfalse\b", "true")],
    "py": [(r" and ", " or "), (r" or ", " and "), (r"\bTrue\b", "False"), (r"\bFalse\b", "True")],
}
_NUMBER = re.compile(r"(?<![\w.\"'])(\d+)(?![\w.\"'])")
_CALL = {
    "cpp": re.compile(r"^\s+[\w.\->\[\]]+(\(.*\)|\s[-+*|&^]?=\s.*|\+\+);$"),
    "py": re.compile(r"^\s+(?!return|raise|import|from|yield)[\w.\[\]]+(\(.*\)|\s[-+*|&]?=\s.*)$"),
}
_SILENT = re.compile(
    r"^\s*(//|#|\*|\"\"\"|template|static_assert|namespace|using|from |import |struct |class )"
)


@dataclass(frozen=True)
class Mutant:
    """One change of one line."""

    file: str
    line: int
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.before.strip()}  ->  {self.after.strip()}"

    @property
    def mark(self) -> str:
        """The same wherever the line stands."""
        return f"{self.file}: {self.before.strip()}  ->  {self.after.strip()}"


def mutants_of(file: Path) -> Iterator[Mutant]:
    """All changes of a file."""
    kind = "py" if file.suffix == ".py" else "cpp"
    name = file.relative_to(ROOT).as_posix()
    in_text = False
    for number, line in enumerate(file.read_text().splitlines(), 1):
        if kind == "py" and line.count('"""') == 1:
            in_text = not in_text
            continue
        if in_text or _SILENT.match(line):
            continue
        code = line if kind == "py" else line.split("//")[0]
        for after in _changes(code, kind):
            yield Mutant(name, number, line, after + line[len(code) :])


def _changes(code: str, kind: str) -> Iterator[str]:
    for pattern, new in (*_SWAPS, *_OWN_SWAPS[kind]):
        for found in re.finditer(pattern, code):
            yield code[: found.start()] + new + code[found.end() :]
    for found in _NUMBER.finditer(code):
        yield code[: found.start()] + str(int(found[1]) + 1) + code[found.end() :]
    if _CALL[kind].match(code.rstrip()) and " const " not in code and " auto " not in code:
        indent = code[: len(code) - len(code.lstrip())]
        yield indent + ("pass" if kind == "py" else ";")


def chosen(room: Room, count: int, seed: int) -> list[Mutant]:
    """A sample of all changes but the equivalent ones, file by file."""
    known = {
        line.partition("  ##")[0].strip()
        for line in (EQUIVALENT.read_text().splitlines() if EQUIVALENT.is_file() else ())
    }
    files = sorted({file for pattern in room.sources for file in ROOT.glob(pattern)})
    every = [m for file in files for m in mutants_of(file) if m.mark not in known]
    some = random.Random(seed).sample(every, min(count, len(every)))
    return sorted(some, key=lambda m: (m.file, m.line))


class Copy:
    """The tree, copied and built."""

    def __init__(self, work: Path) -> None:
        self.root = work / "tree"
        self._stale = False  # the core has a change that was taken back since
        for name in COPIED:
            source, target = ROOT / name, self.root / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target, dirs_exist_ok=True, ignore=_ignored)
            else:
                shutil.copy2(source, target)
        # the core asks this build which CPU it is on
        if not (baseline := [*(ROOT / CORE).glob("baseline.*")]):
            raise SystemExit("mutate: there is no build in this tree; run scripts/build")
        shutil.copy2(baseline[0], self.root / CORE / baseline[0].name)
        lists = self.root / "CMakeLists.txt"
        times = lists.stat()
        lists.write_text(re.sub(r"-O[23]", "-O1", lists.read_text()))
        # an older file is not configured, and all of the core not compiled, again
        os.utime(lists, ns=(times.st_atime_ns, times.st_mtime_ns))
        nanobind = self._run([sys.executable, "-m", "nanobind", "--cmake_dir"]).stdout.strip()
        configured = self._run(
            [
                *("cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"),
                *(f"-DPython_EXECUTABLE={sys.executable}", f"-Dnanobind_DIR={nanobind}"),
            ]
        )
        if configured.returncode or not self.build():
            raise SystemExit(f"mutate: the tree does not build\n{configured.stderr}")

    def _run(self, command: list[str], seconds: float = 3600) -> subprocess.CompletedProcess[str]:
        env = {**os.environ, "PYTHONPATH": "src", "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run(
            command,
            cwd=self.root,
            env=env,
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )

    def build(self) -> bool:
        """Whether it compiles."""
        level = (
            "avx2"
            if "avx2" in self._run(["cmake", "--build", "build", "-t", "help"]).stdout
            else "baseline"
        )
        if self._run(["cmake", "--build", "build", "--target", level]).returncode:
            return False
        for module in (self.root / "build").glob(f"{level}.*"):
            if module.is_file():
                shutil.copy2(module, self.root / CORE / module.name)
        return True

    def passes(self, room: Room, seconds: float) -> bool:
        """Whether all tests of a room do, in time."""
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-n", "0"]
        if room.only:
            command += ["-k", room.only]
        try:
            return self._run([*command, *room.tests], seconds).returncode == 0
        except subprocess.TimeoutExpired:
            return False

    def survives(self, mutant: Mutant, room: Room, seconds: float) -> bool | None:
        """Whether no test notices; None when it does not compile."""
        file = self.root / mutant.file
        text = file.read_text()
        lines = text.split("\n")
        lines[mutant.line - 1] = mutant.after
        file.write_text("\n".join(lines))
        try:
            # a change of Python is not to be noticed by what the core before it had
            compiles = (file.suffix == ".py" and not self._stale) or self.build()
            self._stale = file.suffix != ".py"
            return self.passes(room, seconds) if compiles else None
        finally:
            file.write_text(text)


def _ignored(folder: str, names: list[str]) -> set[str]:
    return {name for name in names if name.endswith((".so", ".pyc")) or name == "__pycache__"}


def main() -> int:
    parser = argparse.ArgumentParser("mutate", description=__doc__.partition("\n")[0])
    parser.add_argument("--room", choices=ROOMS, required=True)
    parser.add_argument("--count", type=int, default=30, help="changes to try")
    parser.add_argument("--seed", type=int, default=0, help="of the sample")
    parser.add_argument("--work", type=Path, help="a folder to keep the build in")
    parser.add_argument("--seconds", type=float, default=180.0, help="for the tests of one change")
    parser.add_argument("--list", action="store_true", help="the sample, and no more")
    asked = parser.parse_args()
    room = ROOMS[asked.room]
    sample = chosen(room, asked.count, asked.seed)
    if asked.list:
        print(*sample, sep="\n")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(asked.work or Path(folder))
        if not copy.passes(room, 10 * asked.seconds):
            raise SystemExit("mutate: the tests fail without any change")
        outcomes: list[bool] = []
        for mutant in sample:
            survives = copy.survives(mutant, room, asked.seconds)
            if survives is None:
                continue
            outcomes.append(not survives)
            print("SURVIVED" if survives else "noticed ", mutant, flush=True)
    print(f"{asked.room}: {sum(outcomes)} of {len(outcomes)} changes noticed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
