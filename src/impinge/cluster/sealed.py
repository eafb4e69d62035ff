"""A file of a run is believed when it is as long as it was, with the checksum that it had."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from io import FileIO
from pathlib import Path
from struct import Struct
from typing import Any, NamedTuple, TypeVar
from zlib import crc32

from impinge._outputs import replacing
from impinge.errors import ImpingeError

Content = TypeVar("Content")

# at the end of a file: a mark of its own, the bytes before it, their checksum
_END = Struct("<8sQI")
_MARK = b"impinge4"
_CHUNK = 1 << 16


class Seal(NamedTuple):
    """Length and checksum of a whole file."""

    length: int
    crc: int


def damaged(path: str | os.PathLike[str], cure: str) -> ImpingeError:
    """The error about a file that is not as it was written."""
    return ImpingeError(f"{os.fspath(path)}: is damaged; {cure}")


def seal_of(path: str | os.PathLike[str]) -> Seal | None:
    """Of a file as it is now; None when it cannot be read."""
    length = crc = 0
    try:
        with _opened(path) as file:
            while part := file.read(_CHUNK):
                length += len(part)
                crc = crc32(part, crc)
    except OSError:
        return None
    return Seal(length, crc)


def write(path: Path, content: bytes, *, sync: bool = False) -> None:
    """Keep some content with its seal behind it."""
    with replacing(path, links=False, sync=sync) as partial, partial.open("wb") as file:
        file.write(content)
        file.write(_END.pack(_MARK, len(content), crc32(content)))


def read(path: Path, parse: Callable[[bytes], Content]) -> Content | None:
    """What a file holds; None when it is not there or not as it was written."""
    whole = _read(path)
    if whole is None:
        return None
    content = whole[: -_END.size]
    if whole[-_END.size :] != _END.pack(_MARK, len(content), crc32(content)):
        return None
    return _parsed(parse, content)


def write_json(path: Path, content: dict[str, Any]) -> None:
    """Keep a description that people can read, with its checksum as one more key."""
    with replacing(path, links=False) as partial:
        text = json.dumps({**content, "checksum": _json_crc(content)}, indent=1)
        partial.write_text(text + "\n", encoding="utf-8")


def read_json(path: Path, parse: Callable[[dict[str, Any]], Content]) -> Content | None:
    """What such a file holds; None when it is not there or not as it was written."""
    whole = _read(path)
    if whole is None:
        return None

    def parse_checked(text: bytes) -> Content | None:
        content = json.loads(text)
        crc = content.pop("checksum")
        return parse(content) if crc == _json_crc(content) else None

    return _parsed(parse_checked, whole)


def _opened(path: str | os.PathLike[str]) -> FileIO:
    if not stat.S_ISREG(os.stat(path).st_mode):
        # a pipe would be waited for
        raise OSError(f"{os.fspath(path)} is no file")
    return open(path, "rb", buffering=0)


def _read(path: Path) -> bytes | None:
    try:
        with _opened(path) as file:
            return file.read()
    except OSError:
        return None


def _json_crc(content: dict[str, Any]) -> int:
    return crc32(json.dumps(content, sort_keys=True).encode())


def _parsed(parse: Callable[[bytes], Content], content: bytes) -> Content | None:
    # there is no telling what a parser makes of what it did not write
    try:
        return parse(content)
    except Exception:
        return None
