"""Random calls with a fixed seed: of the public functions, and of the native module itself."""

import subprocess
import sys
from inspect import getmembers, isfunction
from pathlib import Path

import pytest

import impinge

PROGRAM = Path(__file__).resolve().parents[2] / "scripts" / "fuzz_calls"


def fuzz(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(PROGRAM), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)


@pytest.mark.parametrize("what", ["public", "core"])
def test_random_calls_end_in_an_answer_or_in_an_error_of_the_library(what: str) -> None:
    ended = fuzz(what, "--calls", "300", "--seed", "7")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert f"{what}: 300 calls: " in ended.stdout
    answered = int(ended.stdout.partition("calls: ")[2].split()[0])
    assert answered > 80, ended.stdout


def test_every_public_question_is_asked() -> None:
    program = f"import sys; sys.path[0] = {str(PROGRAM)!r}\n"
    program += "from public_calls import NAMES; print(*NAMES)"
    command = [sys.executable, "-c", program]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    asked = set(ended.stdout.split())
    functions = {name for name in impinge.__all__ if isfunction(getattr(impinge, name))}
    methods = {f"Scene.{name}" for name, _ in getmembers(impinge.Scene, isfunction)}
    # files have a fuzzer of their own; scenes are built, and nothing is shown
    others = {"detector", "methods", "load_mesh", "load_scene"}
    others |= {f"Scene.{name}" for name in ("add", "remove", "ignore", "show")}
    assert {name for name in functions | methods if "._" not in name} - asked == others


def test_crashes_and_hangs_are_found(tmp_path: Path) -> None:
    """The program itself, with a worker that dies, hangs and raises."""
    for file in PROGRAM.glob("*.py"):
        (tmp_path / file.name).write_text(file.read_text())
    (tmp_path / "core_calls.py").write_text("""
import os, time
REFUSALS = (ValueError,)
ENDS = [lambda: 1, lambda: os.abort(), lambda: time.sleep(60), lambda: 1 / 0, lambda: int("x")]
def call(draw):
    return "some", ENDS[draw.numbers[1]]
""")
    command = [sys.executable, str(tmp_path), "core", "--calls", "5", "--patience", "4"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode == 1
    for what in ("crash", "no end", "foreign exception", "ZeroDivisionError"):
        assert what in ended.stdout, ended.stdout
    assert "1 answered, 1 crashed, 1 foreign, 1 hung, 1 refused" in ended.stdout
