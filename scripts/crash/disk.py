"""A small disk: a file system in memory, whose size can be changed; needs the right to mount."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_LARGE = 64 << 20


@contextmanager
def mounted(folder: Path) -> Iterator[None]:
    """A disk in place of this folder."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={_LARGE}", "none", folder], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", folder], check=True)


def leave_free(folder: Path, size: int = _LARGE) -> None:
    """Make the disk so large that this many bytes are free."""
    now = os.statvfs(folder)
    used = (now.f_blocks - now.f_bfree) * now.f_frsize
    options = f"remount,size={used + size}"
    subprocess.run(["mount", "-o", options, folder], check=True)
