"""The page on the architecture is true: its rooms, its paths, and both of its journeys."""

from __future__ import annotations

import importlib
import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

import numpy as np
import pytest

import impinge
from support.mesh_files import binary_stl
from support.meshes import box, grid

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
PACKAGE = Path(impinge.__file__).resolve().parent
Call = tuple[str, str]


@pytest.fixture
def figures(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    return importlib.import_module("make_architecture")


@contextmanager
def called() -> Iterator[list[Call]]:
    """The functions of the package that are called, as files and names."""
    calls: list[Call] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            code = frame.f_code
            file = Path(code.co_filename)
            if file.is_relative_to(PACKAGE):
                calls.append((file.relative_to(PACKAGE).as_posix(), code.co_qualname))

    sys.setprofile(note)
    try:
        yield calls
    finally:
        sys.setprofile(None)


def check_a_pair(folder: Path) -> list[Call]:
    """`impinge check a.stl b.stl --report x.html`"""
    pytest.importorskip("click")
    from impinge.cli import main

    a, b, report = (str(folder / name) for name in ("a.stl", "b.stl", "x.html"))
    Path(a).write_bytes(binary_stl(box()))
    Path(b).write_bytes(binary_stl(box((0.7, 0.6, 0.5), (1.5, 1.5, 1.5))))
    with called() as calls:
        code = main(["check", a, b, "--report", report])
    assert code == 1
    assert Path(report).is_file()
    return calls


def a_cloth_frame(_: Path) -> list[Call]:
    """`cloth.vertices = V; scene.collide(self_collision=True)`"""
    vertices, faces = grid(20, 20)
    scene = impinge.Scene()
    cloth = scene.add(vertices, faces)

    def folded(time: float) -> np.ndarray:
        x, y, _ = vertices.T
        return np.stack([0.2 * np.sin(4 * x + time), y, 0.2 * np.cos(4 * x)], axis=1)

    cloth.vertices = folded(0.0)
    scene.collide(self_collision=True)
    with called() as calls:
        cloth.vertices = folded(0.1)
        hits = scene.collide(self_collision=True)
        assert hits.body_pairs is not None
        assert hits.segments is not None
    assert hits.stats["refits"] == 1
    return calls


RUNS: dict[str, Callable[[Path], list[Call]]] = {
    "journey-pair": check_a_pair,
    "journey-cloth": a_cloth_frame,
}


def test_every_journey_is_run(figures: ModuleType) -> None:
    assert set(figures.JOURNEYS) == set(RUNS)


@pytest.mark.parametrize("name", RUNS)
def test_functions_are_called_in_this_order(name: str, figures: ModuleType, tmp_path: Path) -> None:
    calls = iter(RUNS[name](tmp_path))
    for step in _steps(figures, name):
        if not step.is_native:
            wanted = (step.file, step.function)
            assert any(call == wanted for call in calls), f"{wanted} does not come next"


@pytest.mark.parametrize("name", RUNS)
def test_native_functions_are_where_the_figure_says(name: str, figures: ModuleType) -> None:
    for step in _steps(figures, name):
        if step.is_native:
            text = (ROOT / step.file).read_text(encoding="utf-8")
            assert _defines(text, step.function), f"{step.file} has no {step.function}"


@pytest.mark.parametrize("name", RUNS)
def test_figures_are_what_the_script_draws(name: str, figures: ModuleType) -> None:
    drawn = (ROOT / "docs" / "pictures" / f"{name}.svg").read_text(encoding="utf-8")
    assert drawn == figures.figure(figures.JOURNEYS[name]), "run docs/make_architecture.py"


def test_a_function_that_moved_is_noticed(figures: ModuleType) -> None:
    text = (ROOT / "native/pairs/rule.hpp").read_text(encoding="utf-8")
    assert _defines(text, "decide")
    assert not _defines(text, "classify_self")
    assert not _defines(text, "Judge::drain")


def test_paths_exist() -> None:
    paths = re.findall(r"`((?:src|native|tests|docs|scripts)/[\w./]+)`", PAGE)
    assert len(paths) >= 30
    missing = [path for path in paths if not (ROOT / path).exists()]
    assert not missing


def test_questions_have_one_file_each() -> None:
    rows = _rows("Where is it decided")
    assert len(rows) >= 20
    for question, answer in rows:
        assert re.fullmatch(r"`[\w./]+`", answer), question


def test_rooms_of_the_package_are_those_of_the_contract() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = project["tool"]["importlinter"]["contracts"][0]["layers"]
    expected = [re.split(r" [|:] ", layer) for layer in layers]
    assert [_names(room) for room, _ in _rows("src/impinge, from the top down")] == expected


def test_rooms_of_the_core_are_those_of_the_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    plan = importlib.import_module("rooms").PLAN.split()
    assert [
        name for room, _ in _rows("native, from the ground up") for name in _names(room)
    ] == plan


def _steps(figures: ModuleType, name: str) -> list[Any]:
    return [step for steps in figures.JOURNEYS[name].values() for step in steps]


def _defines(text: str, function: str) -> bool:
    """Whether a C++ file defines a function, or a class that has it."""
    owner, _, name = function.rpartition("::")
    if not owner or f"{function}(" in text:
        return re.search(rf"^(\S.*)?\b{re.escape(function)}\(", text, re.MULTILINE) is not None
    is_there = re.search(rf"^(class|struct) {owner}\b", text, re.MULTILINE)
    return is_there is not None and re.search(rf"^  .*\b{name}\(", text, re.MULTILINE) is not None


def _rows(heading: str) -> list[list[str]]:
    """The cells of the table below a heading, row by row."""
    section = PAGE.split(f"# {heading}\n", 1)[1].split("\n#", 1)[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [line.strip("| ").split(" | ") for line in lines[2:]]


def _names(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)
