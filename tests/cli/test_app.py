"""The command as a whole: help, version, bad usage, signals and pipes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

import impinge as package
from impinge import cli
from impinge.cli import app
from support import mesh_files, meshes

COMMAND = (sys.executable, "-c", "import sys; from impinge.cli import main; sys.exit(main())")


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--help",),
        ("-h",),
        ("check", "--help"),
        ("info", "-h"),
        ("devices", "-h"),
        ("contact-points", "-h"),
    ],
)
def test_help(impinge, arguments):
    answer = impinge(*arguments)
    assert answer.code == 0
    assert answer.out.startswith("Usage: impinge")
    assert "Examples:" in answer.out


def test_version(impinge):
    assert impinge("--version") == (0, f"impinge {package.__version__}\n", "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("chekc",), "No such command 'chekc'"),
        (("check",), "Missing argument 'FILE...'"),
        (("check", "--frobnicate"), "No such option"),
        (("check", "a.stl", "--touching", "maybe"), "Invalid value for '--touching'"),
        (("check", "a.stl", "--workers", "0"), "Invalid value for '--workers'"),
        (("check", "a.stl", "--ignore", "a"), "'--ignore' requires 2 arguments"),
        (
            ("check", "a.stl", "--tolerence", "1"),
            "(Did you mean one of: '--clearance', '--tolerance'?)",
        ),
    ],
)
def test_bad_usage(impinge, arguments, message):
    answer = impinge(*arguments)
    assert answer.code == 2
    assert answer.out == ""
    assert answer.err.startswith("impinge: error: ")
    assert message in answer.err
    assert answer.err.count("\n") == 1


@pytest.mark.parametrize("option", ["--lenien", "--clearence", "--linient", "--tolerant"])
def test_nobody_is_led_to_lenient(impinge, option):
    answer = impinge("check", "a.stl", option)
    assert answer.code == 2
    assert "--lenient" not in answer.err


def test_without_click(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "click", None)
    assert cli.main(["--help"]) == 2
    assert capsys.readouterr().err == (
        'impinge: error: the command needs click: pip install "click>=8.1" "rich>=13"\n'
    )


def raising(error):
    def main(*_, **__):
        raise error

    return main


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (KeyboardInterrupt(), 130, "impinge: interrupted"),
        (MemoryError(), 2, "impinge: error: out of memory"),
        (OSError(28, "No space left on device"), 2, "impinge: error: [Errno 28] No space left"),
        (ZeroDivisionError(), 2, "impinge: error: this is a bug of impinge"),
    ],
)
def test_other_errors(impinge, monkeypatch, error, code, line):
    monkeypatch.setattr(app.impinge, "main", raising(error))
    answer = impinge("check", "a.stl")
    assert answer.code == code
    assert answer.err.splitlines()[-1].startswith(line)


@pytest.fixture
def crossing(put):
    names = ("one", "two")
    boxes = meshes.box(), meshes.moved(meshes.box(), (0.5, 0.25, 0.25))
    return put("both.stl", mesh_files.text_stl(*boxes, names=names))


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
def test_reader_that_goes_away(crossing):
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [*COMMAND, "check", str(crossing)], stdout=write, stderr=subprocess.PIPE, check=False
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_interrupt(put):
    path = put("box.stl", mesh_files.text_stl(meshes.box()))
    code = (
        "import sys, time; from impinge.cli import info, main\n"
        "def read_for_ever(*_, **__):\n"
        "    print('reading', flush=True)\n"
        "    time.sleep(600)\n"
        "info.read_models = read_for_ever\n"
        "sys.exit(main())"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, "info", str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout.readline() == b"reading\n"
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert (process.returncode, err.strip()) == (130, b"impinge: interrupted")


def test_names_beyond_the_encoding(put):
    names = ("größe", "目")
    boxes = meshes.box(), meshes.moved(meshes.box(), (0.5, 0.25, 0.25))
    path = put("both.stl", mesh_files.text_stl(*boxes, names=names))
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = subprocess.run(
        [*COMMAND, "check", str(path)], capture_output=True, env=environment, check=False
    )
    assert done.returncode == 1
    assert rb"gr\xf6\xdfe" in done.stdout


def test_help_imports_nothing_heavy():
    code = (
        "import sys; from impinge.cli import main; main(['--help']); "
        "print([m for m in ('trimesh', 'rich', 'lxml', 'networkx') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("[]\n")
