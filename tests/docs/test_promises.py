"""Every promise names the tests that hold it, and they are there."""

from __future__ import annotations

import ast
import re
import tomllib
from functools import cache
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
ROOT = TESTS.parent
PAGE = (ROOT / "docs" / "promises.md").read_text(encoding="utf-8")
ROWS = [
    line.strip("| \n").rsplit(" | ", 1)
    for line in PAGE.splitlines()
    if line.startswith("|") and not line.startswith(("| promise |", "|---"))
]


@cache
def names_in(file: Path) -> frozenset[str]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return frozenset(one.name for one in tree.body if isinstance(one, ast.FunctionDef))


def test_every_promise_names_tests_that_are_there() -> None:
    assert len(ROWS) > 50
    for promise, holders in ROWS:
        names = re.findall(r"`([^`]+)`", holders)
        assert names, f"nothing holds: {promise}"
        for name in names:
            file, _, test = name.partition("::")
            assert test.startswith("test_"), name
            assert (TESTS / file).is_file(), f"{file} is not there: {promise}"
            assert test in names_in(TESTS / file), f"{name} is not there: {promise}"


def test_every_warning_fails_a_test() -> None:
    options = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert options["tool"]["pytest"]["ini_options"]["filterwarnings"][0] == "error"
