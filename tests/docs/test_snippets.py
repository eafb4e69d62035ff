"""What stands in README.md and in docs/ runs: the Python, and the commands are commands."""

from __future__ import annotations

import shlex
import tempfile
import webbrowser
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest

import impinge
from impinge.cli.app import impinge as command
from impinge.lab.demos import registry
from support.markdown import PAGES, Block, blocks, commands
from support.mesh_files import binary_stl, glb, gltf_document
from support.meshes import box, grid, moved, torus

# snippets that are not run, of all pages together
MOST_LEFT_OUT = 3


def python(page: str) -> list[Block]:
    return [one for one in blocks(page) if one.language == "python"]


WITH_PYTHON = [page for page in PAGES if python(page)]
WITH_COMMANDS = [page for page in PAGES if commands(page)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The files that the pages speak of; nothing is opened, registered or left behind."""
    gear, shaft = torus(12, 8), moved(torus(12, 8), (0.4, 0.0, 0.1))
    (tmp_path / "gear.stl").write_bytes(binary_stl(gear))
    (tmp_path / "shaft.stl").write_bytes(binary_stl(shaft))
    parts = {"lid": box(), "bolt": moved(box(), 0.5), "nut": moved(box(), 0.7), "cloth": grid(4, 4)}
    nodes: list[dict[str, object]] = [{"mesh": i, "name": name} for i, name in enumerate(parts)]
    assembly = glb(*gltf_document(list(parts.values()), nodes))
    (tmp_path / "assembly.glb").write_bytes(assembly)
    (tmp_path / "parts").mkdir()
    for name in ("gear", "shaft"):
        (tmp_path / "parts" / f"{name}.stl").write_bytes((tmp_path / f"{name}.stl").read_bytes())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(webbrowser, "open", lambda url: True)
    registry.demos()
    monkeypatch.setattr(registry, "_demos", dict(registry._demos))
    return tmp_path


def names(folder: Path) -> dict[str, Any]:
    """What the pages take for granted: two meshes, a cloth, a scene, poses, rays."""
    vertices, faces = torus(12, 8)
    V, F = grid(4, 4)
    poses = np.tile(np.eye(4), (3, 1, 1))
    poses[:, 0, 3] = 0.0, 0.3, 5.0
    return {
        "__name__": "__main__",
        "impinge": impinge,
        "np": np,
        "a": impinge.load_mesh(folder / "gear.stl"),
        "b": impinge.load_mesh(folder / "shaft.stl"),
        "mesh": impinge.Mesh(*box(), name="ball"),
        "scene": scene(),
        **{"vertices": vertices, "faces": faces, "V": V, "F": F, "new_vertices": V + 0.1},
        **{"T": poses, "T0": poses[0], "T1": poses[1], "pose": poses[1]},
        **{"origins": vertices, "directions": np.array([0.0, 0.0, -1.0])},
        "parts": (vertices[:, 0] > 0.0).astype(np.int32),
        "make": scene,
    }


def scene() -> impinge.Scene:
    made = impinge.Scene()
    for number, name in enumerate(("hand", "cup", "table")):
        made.add(*moved(torus(12, 8), (0.4 * number, 0.05 * number, 0.1)), name=name)
    return made


@pytest.mark.parametrize("page", WITH_PYTHON)
def test_the_python_of_a_page_runs(page: str, folder: Path, request: pytest.FixtureRequest) -> None:
    """All blocks of a page in their order, with the names of those before."""
    space = names(folder)
    for block in python(page):
        if block.mark.startswith("not run, "):
            continue
        assert block.mark in ("", "gpu"), f"{page}:{block.line} is marked {block.mark!r}"
        if block.mark == "gpu":
            request.getfixturevalue("gpu_device")
        # the lines of an error are those of the page
        code = "\n" * (block.line - 1) + block.code
        exec(compile(code, page, "exec"), space)


def test_few_snippets_are_left_out() -> None:
    marks = [block.mark for page in PAGES for block in blocks(page)]
    assert sum(mark.startswith("not run") for mark in marks) <= MOST_LEFT_OUT


@pytest.mark.parametrize("page", WITH_COMMANDS)
def test_the_commands_of_a_page_exist(page: str) -> None:
    for line in commands(page):
        try:
            check(shlex.split(line)[1:])
        except click.UsageError as error:
            pytest.fail(f"{page}: {line}: {error.format_message()}")


def check(arguments: list[str]) -> None:
    """Raise unless there is such a command with such options; files need not be there."""
    chosen: click.Command = command
    while isinstance(chosen, click.Group) and arguments and not arguments[0].startswith("-"):
        word, *arguments = arguments
        found = chosen.get_command(click.Context(chosen), word)
        if found is None:
            raise click.UsageError(f"there is no command {word!r}")
        chosen = found
    context = click.Context(chosen)
    values, _, _ = chosen.make_parser(context).parse_args(list(arguments))
    for parameter in chosen.params:
        given = values.get(parameter.name or "")
        # a word in capitals stands for one of the reader
        if isinstance(parameter.type, click.Choice) and isinstance(given, str | tuple | list):
            for one in [given] if isinstance(given, str) else given:
                if not one.isupper():
                    parameter.type.convert(one, parameter, context)
