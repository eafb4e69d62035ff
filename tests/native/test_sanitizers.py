"""A small stress program of the box tree under each sanitizer: no report, all answers agree.

`scripts/sanitize` does the same for all rooms, and runs tests under the interpreter. Nothing is
optimised here: most of the time goes into compiling.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
KINDS = ("thread", "address")
COMPILER = os.environ.get("CXX") or shutil.which("g++") or shutil.which("clang++")
RACY = """
#include <thread>
int shared = 0, kept[2];
int main(int n, char**) {
  std::thread one([] { shared = 1; });
  shared = 2;
  one.join();
  return kept[n + 1];
}
"""


def run(*command: object, **options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(part) for part in command],
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
        env={**os.environ, **options},
    )


@pytest.mark.parametrize("kind", KINDS)
def test_the_box_tree_under_a_sanitizer(tmp_path: Path, kind: str) -> None:
    flags = ["-fsanitize=address,undefined" if kind == "address" else "-fsanitize=thread", "-O1"]
    (tmp_path / "racy.cpp").write_text(RACY)
    made = COMPILER and run(COMPILER, *flags, tmp_path / "racy.cpp", "-o", tmp_path / "racy")
    if not made or made.returncode or not shutil.which("cmake"):
        pytest.skip(f"no cmake, or no compiler with a {kind} sanitizer")
    # the sanitizer sees what it should, on this machine
    assert run(tmp_path / "racy").returncode != 0
    built = run("cmake", "-S", ROOT, "-B", tmp_path / "build", "-DCMAKE_BUILD_TYPE=None",
                f"-DIMPINGE_SANITIZE={kind}", "-DIMPINGE_STRESS=ON",
                "-DIMPINGE_SANITIZE_LEVEL=-O0",
                f"-DPython_EXECUTABLE={sys.executable}")  # fmt: skip
    assert built.returncode == 0, built.stderr
    built = run("cmake", "--build", tmp_path / "build", "--target", "stress_trees")
    assert built.returncode == 0, built.stdout[-3000:] + built.stderr[-3000:]
    ended = run(tmp_path / "build" / "stress_trees", "1")
    assert ended.returncode == 0, ended.stderr[-5000:]
    assert "all answers agree" in ended.stdout
