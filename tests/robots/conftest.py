"""Robots of the tests, and those that are installed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from impinge.errors import MeshFileError
from impinge.robots import Robot
from support.example_robots import folder as example_robots_folder


@pytest.fixture
def put(tmp_path: Path) -> Callable[[str, bytes], Path]:
    """Writes a file into a folder of the test, which may be deep."""

    def write(name: str, data: bytes) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return path

    return write


@pytest.fixture
def robot(put: Callable[[str, bytes], Path]) -> Callable[..., Robot]:
    """Writes a URDF and reads it."""

    def write_and_read(text: str, **options: object) -> Robot:
        return Robot.load(put("robot.urdf", text.encode()), **options)

    return write_and_read


@pytest.fixture
def refused(put: Callable[[str, bytes], Path]) -> Callable[..., str]:
    """Writes a URDF, or an SRDF beside one, that must be refused; the message without the path."""

    def write_and_read(
        text: str | bytes, srdf: str | bytes | None = None, **options: object
    ) -> str:
        urdf = put("robot.urdf", text if isinstance(text, bytes) else text.encode())
        bad = urdf
        if srdf is not None:
            bad = put("robot.srdf", srdf if isinstance(srdf, bytes) else srdf.encode())
            options["srdf"] = bad
        with pytest.raises(MeshFileError) as caught:
            Robot.load(urdf, **options)
        message = str(caught.value)
        assert message.startswith(f"{bad}: ")
        assert "\n" not in message
        assert len(message) < 1000
        return message.removeprefix(f"{bad}: ")

    return write_and_read


@pytest.fixture(scope="session")
def example_robots() -> Path:
    """The folder of the robots of the package example-robot-data, when it is installed."""
    return example_robots_folder()
