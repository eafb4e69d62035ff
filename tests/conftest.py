"""Fixtures of the whole suite."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
from hypothesis import settings

from impinge import Scene
from support.meshes import box, moved

if TYPE_CHECKING:
    from impinge.gpu import Device, Session

# The same examples on every machine and in every run; a failure is a bug, never bad luck.
settings.register_profile("impinge", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("impinge")

# A shell starts background jobs with Ctrl-C ignored, and children inherit that; tests press it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real meshes and reference results next to the repository."""
    folder = Path(__file__).resolve().parents[2] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"no shared data at {folder}")
    return folder


@pytest.fixture(scope="session")
def gpu_device() -> Device:
    """A GPU, in software if need be; without any the test fails, unless IMPINGE_GPU=skip."""
    if os.environ.get("IMPINGE_GPU") == "skip":
        pytest.skip("IMPINGE_GPU=skip")
    from impinge.gpu import open_device

    return open_device(software=True)


@pytest.fixture
def gpu(gpu_device: Device) -> Iterator[Session]:
    """A session on the GPU."""
    with gpu_device.session() as session:
        yield session


@pytest.fixture(params=["cpu", "gpu"])
def device(request: pytest.FixtureRequest) -> str:
    """Where a detector with an image draws it."""
    name: str = request.param
    if name == "gpu":
        request.getfixturevalue("gpu_device")
    return name


class Answer(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def impinge(capsys: pytest.CaptureFixture[str]) -> Callable[..., Answer]:
    """Runs the command in this process."""

    def run(*arguments: object) -> Answer:
        from impinge.cli import main

        code = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Answer(code, captured.out, captured.err)

    return run


@pytest.fixture
def put(tmp_path: Path) -> Callable[[str, bytes], Path]:
    """Writes a file and gives its path."""

    def write(name: str, data: bytes | str) -> Path:
        path = tmp_path / name
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return path

    return write


@pytest.fixture
def boxes() -> Scene:
    """Two boxes that cross, one of them with a name that is a script, and one apart."""
    scene = Scene()
    scene.add(*box(), name="<script>document.title='owned'</script>")
    scene.add(*moved(box(), (0.6, 0.3, 0.2)), name="bolt-1")
    scene.add(*moved(box(), (0.0, 0.0, 3.0)), name="bolt-2")
    return scene
