"""Files are replaced whole: what was there stays until all that is new is on the disk."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex

PARTIAL = re.compile(r"\.impinge-[0-9a-f]{16}\.partial")
"""Names of files that are being written; one that is left over was that of a killed process."""

_MOST_LINKS = 40


@contextmanager
def replacing(
    path: str | os.PathLike[str], *, links: bool = True, sync: bool = True
) -> Iterator[Path]:
    """A name to write to; it becomes `path` when all is written, and is gone after an error.

    A link stays and what it leads to is replaced; with links=False the link itself is. Pipes and
    devices are written as they are. sync: the new file outlasts a power cut; without, whoever reads
    it checks what is in it.
    """
    target = regular_target(path) if links else Path(path)
    if target is None:
        yield Path(path)
        return
    partial = target.with_name(f".impinge-{token_hex(8)}.partial")
    try:
        _create(partial, like=target)
        yield partial
        if sync:
            sync_file(partial)
        os.replace(partial, target)
        if sync:
            sync_folder(target.parent)
    except BaseException as error:
        with suppress(OSError):
            partial.unlink()
        if isinstance(error, OSError) and error.filename == str(partial):
            # nobody knows the other name
            error.filename, error.filename2 = os.fspath(path), None
        raise


def write_bytes(path: str | os.PathLike[str], content: bytes) -> None:
    """Replace a file."""
    with replacing(path) as partial:
        partial.write_bytes(content)


def write_text(path: str | os.PathLike[str], content: str) -> None:
    """Replace a file, in UTF-8."""
    with replacing(path) as partial:
        partial.write_text(content, encoding="utf-8")


def regular_target(path: str | os.PathLike[str]) -> Path | None:
    """The file that is there or will be, links followed; None for pipes, devices, descriptors."""
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        mode = stat.S_IFREG
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
    if not stat.S_ISREG(mode) or _is_descriptor(os.fspath(path)):
        return None
    return Path(os.path.realpath(path))


def _is_descriptor(link: str) -> bool:
    """Whether it leads to an open file, as /dev/stdout does: others write to that one too."""
    for _ in range(_MOST_LINKS):
        folder = os.path.realpath(os.path.dirname(link))
        if folder.startswith(("/proc/", "/dev/fd")):
            return True
        link = os.path.join(folder, os.path.basename(link))
        if not os.path.islink(link):
            return False
        link = os.path.join(folder, os.readlink(link))
    return False


def _create(partial: Path, *, like: Path) -> None:
    """An empty file with the owner and permissions that opening the other one would leave."""
    try:
        old = os.lstat(like)
    except FileNotFoundError:
        old = None
    if old is not None and stat.S_ISLNK(old.st_mode):
        old = None
    if old is not None and not os.access(like, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(partial))
    os.close(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
    if old is None:
        return
    new = os.stat(partial)
    if hasattr(os, "chown") and (old.st_uid, old.st_gid) != (new.st_uid, new.st_gid):
        with suppress(OSError):
            os.chown(partial, old.st_uid, old.st_gid)
    os.chmod(partial, stat.S_IMODE(old.st_mode))


def sync_file(path: str | os.PathLike[str]) -> None:
    """Wait until the content of a file is on the disk."""
    file = os.open(path, os.O_WRONLY)
    try:
        os.fsync(file)
    except OSError as error:
        # some file systems of networks cannot do that
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(file)


def sync_folder(path: str | os.PathLike[str]) -> None:
    """Wait until the names in a folder are on the disk, where the system can do that."""
    with suppress(OSError):
        folder = os.open(path, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
