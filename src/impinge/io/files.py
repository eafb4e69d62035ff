"""The bytes of a file; pipes, devices and folders are refused before a read could wait for ever."""

from __future__ import annotations

import os
import stat
from pathlib import Path

_KINDS = (
    (stat.S_ISDIR, "a directory"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


class NotRegularError(OSError):
    """What the path leads to is no regular file; its text says what it is."""


def read_regular(path: Path) -> bytes:
    """All bytes of a regular file; OSError or ValueError when there is none."""
    # looked at before it is opened: opening some devices does something
    check_regular(path.stat())
    # and once more, without waiting for a writer, in case it was replaced meanwhile
    opened = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(opened, "rb") as file:
        check_regular(os.fstat(opened))
        return file.read()


def check_regular(found: os.stat_result) -> None:
    """Raises `NotRegularError` for anything but a regular file."""
    if not stat.S_ISREG(found.st_mode):
        kind = next((name for is_kind, name in _KINDS if is_kind(found.st_mode)), "special")
        raise NotRegularError(f"is {kind}, not a regular file")


def reason(error: Exception) -> str:
    """Why a file could not be opened or read, in words."""
    return (getattr(error, "strerror", None) or str(error)).lower()
