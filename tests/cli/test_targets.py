"""What commands write over, and what they leave alone."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from support import mesh_files, meshes


@pytest.fixture
def parts(tmp_path: Path) -> list[Path]:
    """Two boxes that cross."""
    files = [tmp_path / "a.stl", tmp_path / "b.stl"]
    for file, offset in zip(files, ((0, 0, 0), (0.5, 0.25, 0.25)), strict=True):
        file.write_bytes(mesh_files.binary_stl(meshes.moved(meshes.box(), offset)))
    return files


OPTIONS = {".json": "--json", ".csv": "--csv", ".html": "--report", ".png": "--png"}
PYTHON = "import os, sys\n\nprint(os.getcwd())\n"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.json", PYTHON),
        ("x.json", "\0\1\2"),
        ("x.csv", PYTHON),
        ("x.csv", "Dear diary\n"),
        ("x.html", PYTHON),
        ("x.png", PYTHON),
    ],
)
def test_a_file_of_another_kind(impinge, parts, tmp_path, name, content) -> None:
    option = OPTIONS[Path(name).suffix]
    path = tmp_path / name
    path.write_text(content)
    answer = impinge("check", *parts, option, path)
    assert answer.code == 2
    assert f"'{option}'" in answer.err
    assert f"{str(path)!r} exists and is no " in answer.err
    assert "--force to write over it" in answer.err
    assert path.read_text() == content
    assert impinge("check", *parts, option, path, "--force", "-q") == (1, "", "")
    # it is of that kind now
    assert impinge("check", *parts, option, path, "-q") == (1, "", "")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.json", ""),
        ("x.json", '\ufeff{"old": 1}'),
        ("x.json", "[1, 2]"),
        ("x.json", "{}"),
        ("x.csv", "a,b\n1,2\n"),
        ("x.csv", "a,b\n" + "1,2\n" * 5000),
        ("x.html", "<!-- mine -->\n<HTML lang=en>"),
    ],
)
def test_a_file_of_the_same_kind(impinge, parts, tmp_path, name, content) -> None:
    option = OPTIONS[Path(name).suffix]
    (tmp_path / name).write_text(content, encoding="utf-8")
    assert impinge("check", *parts, option, tmp_path / name, "-q") == (1, "", "")
    assert (tmp_path / name).read_text(encoding="utf-8") != content


def test_other_commands_ask_too(impinge, parts, tmp_path) -> None:
    important = tmp_path / "important.py"
    important.write_text(PYTHON)
    picture = tmp_path / "x.png"
    picture.write_text(PYTHON)
    for arguments in (
        ("info", parts[0], "--json", important),
        ("devices", "--json", important),
        ("show-layers", *parts, "--out", important),
        ("show-passes", "--out", picture),
        ("demo", "chain", "--frames", "1", "--png", picture),
    ):
        answer = impinge(*arguments)
        assert answer.code == 2
        assert "--force to write over it" in answer.err
    assert important.read_text() == picture.read_text() == PYTHON
    assert impinge("info", parts[0], "--json", important, "--force").code == 0
    assert important.read_text().startswith("{")


def test_inputs_are_never_written(impinge, parts, tmp_path) -> None:
    before = parts[0].read_bytes()
    (tmp_path / "soft.json").symlink_to(parts[0])
    os.link(parts[0], tmp_path / "hard.json")
    for name in ("soft.json", "hard.json"):
        answer = impinge("check", *parts, "--json", tmp_path / name, "--force")
        assert answer.code == 2
        assert f"is the input {str(parts[0])!r}" in answer.err
    folder = impinge(
        "check", tmp_path, "--cluster", "local", "--out", tmp_path / "run",
        "--json", tmp_path / "hard.json", "--force",
    )  # fmt: skip
    assert "is the input" in folder.err
    assert not (tmp_path / "run").exists()
    assert parts[0].read_bytes() == before


def test_two_outputs_are_two_files(impinge, parts, tmp_path) -> None:
    (tmp_path / "x.json").write_text("")
    (tmp_path / "x.csv").symlink_to("x.json")
    answer = impinge("check", *parts, "--json", tmp_path / "x.json", "--csv", tmp_path / "x.csv")
    assert answer.code == 2
    assert "is the file of --json too" in answer.err


@pytest.mark.parametrize("name", ["x.html", "x.json"])
def test_a_full_disk_leaves_the_old_file(parts, tmp_path, name) -> None:
    path = tmp_path / name
    asked = ("check", *map(str, parts), OPTIONS[path.suffix], str(path), "-q")
    before = '{"old": 1}' if name.endswith("json") else "<!doctype html>old"
    path.write_text(before)

    def full() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))

    code = (
        "import signal, sys\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "from impinge.cli import main\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *asked],
        preexec_fn=full, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr == f"impinge: error: {path}: cannot be written (File too large)\n"
    assert path.read_text() == before
    assert {file.name for file in tmp_path.iterdir()} == {"a.stl", "b.stl", name}
