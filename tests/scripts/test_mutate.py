"""`scripts/mutate` finds what can be changed, changes nothing else, and has switches that work."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "mutate"
COMPILER = os.environ.get("CXX") or shutil.which("g++") or shutil.which("clang++")
# its modules have plain names, and import each other
NAMES = ("rooms", "changes", "switches")
_others = {name: sys.modules.pop(name, None) for name in NAMES}
sys.path.insert(0, str(SCRIPT))
try:
    import changes
    import switches
    from rooms import ROOMS
finally:
    sys.path.remove(str(SCRIPT))
    for _name, _module in _others.items():
        sys.modules.pop(_name, None)
        if _module:
            sys.modules[_name] = _module


@pytest.mark.parametrize(
    ("line", "kind", "changed"),
    [
        ("  if (a < b && c) return 0;", "cpp", {"<=", "||", "1;"}),
        ("  std::vector<int> x;", "cpp", set()),
        ("  total += y;", "cpp", {"-=", ";"}),
        ("  double x[3]; float y[2][4]; f(const T (&p)[3]);", "cpp", set()),
        ("  return a[1];", "cpp", {"[2]"}),
        ("    if a == b or not c:", "py", {"!=", "and"}),
        ("    total(x)", "py", {"pass"}),
        ("    k: int | None", "py", set()),
    ],
)
def test_changes_of_a_line(line: str, kind: str, changed: set[str]) -> None:
    found = [line[:start] + new + line[end:] for start, end, new in changes.changes(line, kind)]
    assert len(found) == len(changed)
    assert line not in found
    assert all(any(part in other for other in found) for part in changed)


@pytest.mark.parametrize("name", ROOMS)
def test_every_room_has_sources_and_tests(name: str) -> None:
    room = ROOMS[name]
    sample = changes.chosen(room, 9, seed=3)
    assert len(sample) == 9
    assert sample == changes.chosen(room, 9, seed=3)
    assert all((changes.ROOT / test).exists() for test in room.tests)
    for mutant in sample:
        lines = (changes.ROOT / mutant.file).read_text().split("\n")
        assert lines[mutant.line - 1] == mutant.before != mutant.after


def test_equivalent_changes_are_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = ROOMS["octree"]
    every = changes.chosen(room, 10**6, seed=0)
    listed = tmp_path / "equivalent.txt"
    listed.write_text(f"{every[0].mark}  ## no one can tell\n")
    monkeypatch.setattr(changes, "EQUIVALENT", listed)
    rest = changes.chosen(room, 10**6, seed=0)
    assert {m.mark for m in every} - {m.mark for m in rest} == {every[0].mark}


def test_what_is_listed_as_equivalent_is_a_change(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that was written otherwise since has to be judged again."""
    listed = changes.equivalent()
    monkeypatch.setattr(changes, "equivalent", set)
    every = {m.mark for room in ROOMS.values() for m in changes.chosen(room, 10**6, 0)}
    assert listed
    assert not listed - every


PROGRAM = """
#include <cstdio>
#include <algorithm>
struct Number { double value; };
bool both(int a, int b) { return a > 0 && b > 0; }
int main() {
  const int low = 3, high = 5;
  int total = 0;
  for (int i = 0; i < high; ++i) {
    total += i * low + 2;
    if (i == 4 || total > 90) {
      total = std::max(total, 7);
    }
    const bool odd = i % 2 == 1;
    if (odd) total = total - 1;
  }
  constexpr int kFixed = 2;
  std::printf("%d %d", total + kFixed, both(total, low));
}
"""


@pytest.mark.skipif(not COMPILER, reason="there is no compiler")
def test_a_change_behind_a_switch_is_the_change(tmp_path: Path) -> None:
    """Every change of a program does what it does when it is compiled by itself."""
    lines = PROGRAM.split("\n")
    mutants = [
        changes.Mutant("program.cpp", at, line, *where)
        for at, line in enumerate(lines, 1)
        if not line.startswith("#")
        for where in changes.changes(line, "cpp")
    ]

    def program(name: str, text: str) -> Path | None:
        file = tmp_path / f"{name}.cpp"
        file.write_text(text)
        command = [str(COMPILER), "-std=c++20", "-w", "-I", str(SCRIPT), str(file), "-o"]
        done = subprocess.run([*command, str(tmp_path / name)], capture_output=True, check=False)
        return None if done.returncode else tmp_path / name

    def said(program: Path, number: int = 0) -> bytes:
        environment = {**os.environ, "IMPINGE_MUTANT": str(number)}
        return subprocess.run([program], env=environment, capture_output=True, check=True).stdout

    text, taken = switches.switched(PROGRAM, enumerate(mutants, 1))
    # what is fixed when it is compiled has no switch
    assert {number for number, m in enumerate(mutants, 1) if "constexpr" in m.before} == (
        {*range(1, len(mutants) + 1)} - taken
    )
    together = program("together", f'#include "switch.hpp"\n{text}')
    before = program("before", PROGRAM)
    assert together
    assert before
    assert said(together) == said(before)
    for number in sorted(taken):
        mutant = mutants[number - 1]
        lines[mutant.line - 1] = mutant.after
        alone = program("alone", "\n".join(lines))
        lines[mutant.line - 1] = mutant.before
        assert alone
        assert said(together, number) == said(alone), str(mutant)


LIBRARY = """
#include "switch.hpp"
extern "C" __attribute__((visibility("default"))) int answer() {
  return impinge_mutate::pick<3>(1, 2);
}
"""
CORE = """
import types
_chosen = types.SimpleNamespace(__file__={made!r})
"""
TESTS = """
import ctypes, os
library = ctypes.CDLL({made!r})
def test_first():
    assert library.other() == 1
def test_answer():
    assert library.answer() == 1
def test_end():
    os.abort() if library.last() == 2 else None
"""


@pytest.mark.skipif(not COMPILER, reason="there is no compiler")
def test_forks_ask_for_changes_in_a_library_that_is_loaded(tmp_path: Path) -> None:
    """Files of one library have one number, and a fork changes its own."""
    numbers = {"answer": 3, "other": 4, "last": 5}
    sources = [tmp_path / f"{name}.cpp" for name in numbers]
    for source, number in zip(sources, numbers.values(), strict=True):
        source.write_text(LIBRARY.replace("answer", source.stem).replace("<3>", f"<{number}>"))
    flags = ["-std=c++20", "-fPIC", "-shared", "-s", "-fvisibility=hidden", "-I", str(SCRIPT)]
    made = str(tmp_path / "made.so")
    subprocess.run([str(COMPILER), *flags, *map(str, sources), "-o", made], check=True)
    (tmp_path / "impinge" / "_core").mkdir(parents=True)
    (tmp_path / "impinge" / "__init__.py").touch()
    (tmp_path / "impinge" / "_core" / "__init__.py").write_text(CORE.format(made=made))
    (tmp_path / "test_it.py").write_text(TESTS.format(made=made))
    done = subprocess.run(
        [sys.executable, str(SCRIPT / "forked.py"), "60", "[0, 3, 4, 5, 0]", "test", "test_it.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path), "IMPINGE_MUTANT": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    told = [line for line in done.stdout.splitlines() if line.startswith("[")]
    assert done.returncode == 0, done.stdout + done.stderr
    assert told == [
        "[0, null]",
        '[3, "test_it.py::test_answer"]',
        '[4, "test_it.py::test_first"]',
        '[5, "signal 6"]',
        "[0, null]",
    ]
