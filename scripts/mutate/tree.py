"""A copy of the tree that is changed, built and tested."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from changes import ROOT, Mutant
from rooms import Room
from switches import switched

CORE = "src/impinge/_core"
COPIED = ("src", "tests", "pyproject.toml", "examples", "docs")
SWITCH = Path(__file__).with_name("switch.hpp")
# Tests that compare the builds of several instruction sets would notice what changes one of them.
# So there is one, which answers to both names.
_ONE_BUILD = """
from . import avx2 as _avx2
globals().update({name: value for name, value in vars(_avx2).items() if name[:2] != "__"})
cpu = "baseline"
"""


class Tree:
    """The tree, copied; its core compiled by itself where that is to be changed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for name in COPIED:
            source, target = ROOT / name, root / name
            if source.is_dir():
                _copy(source, target)
            else:
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, target)

    def run(
        self, command: list[str], seconds: float | None = None
    ) -> subprocess.CompletedProcess[str]:
        """A command in the tree."""
        return subprocess.run(
            command,
            cwd=self.root,
            env=self._environment(),
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )

    def _environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "PYTHONPATH": "src",
            "PYTHONDONTWRITEBYTECODE": "1",
            # what is installed besides is not to disturb
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "IMPINGE_MUTANT": "0",
        }

    def take_core(self) -> None:
        """The core that scripts/build made."""
        made = list((ROOT / CORE).glob("*.so"))
        if not made:
            raise SystemExit("mutate: there is no build in this tree; run scripts/build")
        for module in made:
            shutil.copy2(module, self.root / CORE / module.name)

    def configure(self) -> None:
        lists = (ROOT / "CMakeLists.txt").read_text()
        _write(self.root / "CMakeLists.txt", re.sub(r"-O[23]", "-O1", lists))
        if not (self.root / "native").is_dir():
            _copy(ROOT / "native", self.root / "native")
        nanobind = self.run([sys.executable, "-m", "nanobind", "--cmake_dir"]).stdout.strip()
        done = self.run(
            [
                *("cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"),
                *(f"-DPython_EXECUTABLE={sys.executable}", f"-Dnanobind_DIR={nanobind}"),
            ]
        )
        if done.returncode:
            raise SystemExit(f"mutate: CMake fails\n{done.stderr}")
        targets = self.run(["cmake", "--build", "build", "-t", "help"]).stdout
        self._level = "avx2" if "avx2" in targets else "baseline"
        if self._level == "avx2":
            (self.root / CORE / "baseline.py").write_text(_ONE_BUILD)

    def build(self, jobs: int, *, go_on: bool = False) -> str | None:
        """What the compiler complains of, None when it does not."""
        command = ["cmake", "--build", "build", "--target", self._level, "--", f"-j{jobs}"]
        done = self.run([*command, *(["-k", "0"] if go_on else [])])
        if done.returncode:
            return done.stdout + done.stderr
        for module in (self.root / "build").glob(f"{self._level}.*"):
            if module.is_file():
                shutil.copy2(module, self.root / CORE / module.name)
        return None

    def build_switched(self, mutants: list[Mutant], jobs: int) -> set[int]:
        """Compile in what fits behind a switch; the numbers of these, from 1 on."""
        by_file: dict[str, list[tuple[int, Mutant]]] = defaultdict(list)
        for number, mutant in enumerate(mutants, 1):
            if not mutant.file.endswith(".py"):
                by_file[mutant.file].append((number, mutant))
        # what did not compile with a switch before will not now
        note = self.root / "build" / "alone.json"
        alone = set(json.loads(note.read_text())) if note.is_file() else set()
        while True:
            texts, taken = {"native/impinge_mutate.hpp": SWITCH.read_text()}, set[int]()
            for file, some in by_file.items():
                wanted = [(number, m) for number, m in some if m.mark not in alone]
                text, numbers = switched((ROOT / file).read_text(), wanted)
                head = f'#include "impinge_mutate.hpp"\n#line 1 "{file}"\n' if numbers else ""
                texts[file] = head + text
                taken |= numbers
            _copy(ROOT / "native", self.root / "native", texts)
            note.write_text(json.dumps(sorted(alone)))
            complaint = self.build(jobs, go_on=True)
            if complaint is None:
                return taken
            lost = {
                m.mark
                for file, some in by_file.items()
                for number, m in some
                if number in taken and re.search(rf"{re.escape(file)}:{m.line}\b", complaint)
            }
            if not lost:
                raise SystemExit(f"mutate: the tree does not build\n{complaint[-5000:]}")
            alone |= lost

    def failing(self, room: Room, seconds: float) -> str | None:
        """The first test of a room that fails or takes too long, None if all pass."""
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]
        command += ["--tb=line", "-k", room.only]
        try:
            done = self.run([*command, *room.tests], seconds)
        except subprocess.TimeoutExpired:
            return f"more than {seconds:g} s"
        if done.returncode == 0:
            return None
        if done.returncode > 2:
            # nothing was tested; a crash is a negative number
            raise SystemExit(
                f"mutate: pytest does not run\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
            )
        failed = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
        return failed[1] if failed else f"exit code {done.returncode}"

    def each_failing(
        self, room: Room, seconds: float, numbers: list[int]
    ) -> Iterator[tuple[int, str | None]]:
        """Changes that are compiled in, and what `failing` tells of them."""
        program = Path(__file__).with_name("forked.py")
        arguments = [f"{seconds:g}", json.dumps(numbers), room.only, *room.tests]
        with subprocess.Popen(
            [sys.executable, str(program), *arguments],
            cwd=self.root,
            env=self._environment(),
            stdout=subprocess.PIPE,
            text=True,
        ) as forks:
            assert forks.stdout
            for line in forks.stdout:
                if line.startswith("["):
                    number, by = json.loads(line)
                    yield number, by
        if forks.returncode:
            raise SystemExit(f"mutate: pytest does not run, exit code {forks.returncode}")

    @contextmanager
    def changed(self, mutant: Mutant) -> Iterator[None]:
        """The file with a change, as long as the context lasts."""
        file = self.root / mutant.file
        text = file.read_text()
        lines = (ROOT / mutant.file).read_text().split("\n")
        lines[mutant.line - 1] = mutant.after
        file.write_text("\n".join(lines))
        try:
            yield
        finally:
            _write(file, text)


def _copy(source: Path, target: Path, texts: dict[str, str] | None = None) -> None:
    """Copy what differs: what is the same is not compiled again. Some files have other texts."""
    known = {target.parent / name: text for name, text in (texts or {}).items()}
    for file in source.rglob("*"):
        if file.is_file() and file.suffix not in (".so", ".pyc"):
            to = target / file.relative_to(source)
            if to not in known and not (to.is_file() and file.read_bytes() == to.read_bytes()):
                to.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, to)
    for to, text in known.items():
        _write(to, text)


def _write(file: Path, text: str) -> None:
    if not file.is_file() or file.read_text() != text:
        file.write_text(text)
