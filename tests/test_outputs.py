"""Files are replaced whole, or not at all."""

from __future__ import annotations

import os
import resource
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from impinge._outputs import PARTIAL, regular_target, replacing, write_bytes, write_text


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "old.txt"
    path.write_text("old")
    return path


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def full_disk() -> Iterator[None]:
    """No file of this process grows beyond 1000 bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)
    signal.signal(signal.SIGXFSZ, handler)


def test_a_full_disk_leaves_the_old_file(old: Path, full_disk: None) -> None:
    for content in (b"x" * 999, b"x" * 1001):
        if len(content) < 1000:
            write_bytes(old, content)
        else:
            with pytest.raises(OSError, match="File too large"):
                write_bytes(old, content)
    assert old.read_bytes() == b"x" * 999
    assert names(old.parent) == ["old.txt"]


def test_an_error_while_writing_leaves_the_old_file(old: Path) -> None:
    def half(path: Path) -> None:
        with replacing(path) as partial:
            partial.write_text("half")
            assert PARTIAL.fullmatch(partial.name)
            assert partial.parent == path.parent
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        half(old)
    with pytest.raises(UnicodeEncodeError):
        write_text(old, "\ud800")
    assert old.read_text() == "old"
    assert names(old.parent) == ["old.txt"]


def test_a_kill_leaves_the_old_file(old: Path) -> None:
    """And one more, with a name that tells what it is."""
    code = (
        "import os, signal, sys\n"
        "from impinge._outputs import replacing\n"
        "with replacing(sys.argv[1]) as partial:\n"
        "    partial.write_text('half')\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    subprocess.run([sys.executable, "-c", code, old], check=False, timeout=60)
    assert old.read_text() == "old"
    left = [name for name in names(old.parent) if name != "old.txt"]
    assert len(left) == 1
    assert PARTIAL.fullmatch(left[0])


def test_permissions_are_those_of_a_plain_open(tmp_path: Path, old: Path) -> None:
    before = os.umask(0o027)
    try:
        write_text(tmp_path / "new.txt", "new")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new.txt").stat().st_mode) == 0o640
    old.chmod(0o604)
    write_text(old, "new")
    assert stat.S_IMODE(old.stat().st_mode) == 0o604
    assert old.read_text() == "new"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")
def test_a_file_that_may_not_be_written(old: Path) -> None:
    old.chmod(0o444)
    with pytest.raises(PermissionError, match=r"old\.txt"):
        write_text(old, "new")
    assert old.read_text() == "old"


def test_links_stay(tmp_path: Path, old: Path) -> None:
    (tmp_path / "b").symlink_to("old.txt")
    (tmp_path / "a").symlink_to(tmp_path / "b")
    write_text(tmp_path / "a", "new")
    assert (tmp_path / "a").is_symlink()
    assert (tmp_path / "b").is_symlink()
    assert old.read_text() == "new"
    (tmp_path / "dangling").symlink_to("made.txt")
    write_text(tmp_path / "dangling", "made")
    assert (tmp_path / "made.txt").read_text() == "made"
    assert (tmp_path / "dangling").is_symlink()
    with replacing(tmp_path / "a", links=False) as partial:
        partial.write_text("here")
    assert not (tmp_path / "a").is_symlink()
    assert old.read_text() == "new"


def test_pipes_are_written_as_they_are(tmp_path: Path) -> None:
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    write_text(pipe, "through")
    reader.join(10)
    assert read == ["through"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    write_text("/dev/null", "gone")
    assert regular_target("/dev/null") is None
    assert names(tmp_path) == ["pipe"]


def test_stdout_that_is_a_file(tmp_path: Path) -> None:
    """Whoever else writes to it goes on in the same file."""
    code = (
        "import os, sys\n"
        "from impinge._outputs import write_text\n"
        "write_text('/dev/stdout', 'first\\n')\n"
        "os.lseek(1, 0, os.SEEK_END)\n"
        "print('second')\n"
    )
    out = tmp_path / "out.txt"
    with out.open("wb") as file:
        subprocess.run([sys.executable, "-c", code], stdout=file, check=True, timeout=60)
    assert out.read_text() == "first\nsecond\n"
    assert names(tmp_path) == ["out.txt"]


def test_errors_name_the_file_that_was_meant(tmp_path: Path) -> None:
    for path in (tmp_path / "none" / "x.txt", tmp_path):
        with pytest.raises(OSError, match=r"No such|Is a directory") as error:
            write_text(path, "x")
        assert error.value.filename == str(path)
    assert names(tmp_path) == []
