"""Fixtures of the file tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from impinge.errors import MeshFileError
from impinge.io import Model, read


@pytest.fixture
def load(put: Callable[[str, bytes], Path]) -> Callable[..., Model]:
    """Writes a file and reads it."""

    def write_and_read(name: str, data: bytes | str, **options: bool) -> Model:
        return read(put(name, data), **options)

    return write_and_read


@pytest.fixture
def refused(put: Callable[[str, bytes], Path]) -> Callable[[str, bytes], str]:
    """Writes a file that must be refused; the message without the folder."""

    def write_and_read(name: str, data: bytes | str, **options: bool) -> str:
        path = put(name, data)
        with pytest.raises(MeshFileError) as caught:
            read(path, **options)
        message = str(caught.value)
        assert message.startswith(f"{path}: ")
        assert "\n" not in message
        return message.removeprefix(f"{path}: ")

    return write_and_read
