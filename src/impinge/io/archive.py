"""Zip archives: members are unpacked piece by piece, never beyond the size they declare."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator

from impinge.io.checks import Findings

_PIECE = 1 << 16
# What packages in this format may be packed with; others can make megabytes of one byte.
_METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
_MOST_MEMBERS = 65_535
_ENTRY = b"PK\x01\x02"


class Archive:
    """Reads members of a zip file within the budget of the file."""

    def __init__(self, data: bytes, findings: Findings) -> None:
        self._findings = findings
        entries = data.count(_ENTRY)
        if entries > _MOST_MEMBERS:
            findings.fail(f"has {entries:,} members; the limit is {_MOST_MEMBERS:,}")
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, IndexError):
            findings.fail("is not a whole zip archive (truncated?)")
        self._members = {_key(info.filename): info for info in self._zip.infolist()}
        if len(self._members) < len(self._zip.infolist()):
            findings.fail("has two members of one name, of which readers take one or the other")

    def __contains__(self, name: str) -> bool:
        return _key(name) in self._members

    def names(self, ending: str) -> list[str]:
        """Members whose name ends so, in the archive's order."""
        return [name for name in self._members if name.endswith(ending)]

    def pieces(self, name: str, user: str = "") -> Iterator[bytes]:
        """The bytes of a member, one piece after the other."""
        info = self._members.get(_key(name))
        if info is None:
            self._findings.fail(f"the archive has no {name[:80]!r}", place=user)
        place = info.filename[:80]
        if info.flag_bits & 1:
            self._findings.fail("is encrypted", place=place)
        if info.compress_type not in _METHODS:
            self._findings.fail(
                f"is packed by method {info.compress_type}; known are stored and deflated",
                place=place,
            )
        self._findings.spend(
            info.file_size, f"unpacked to {info.file_size:,} bytes, it", place=place
        )
        left = info.file_size
        try:
            with self._zip.open(info) as member:
                # The end is where the checksum is compared, so it is read to there.
                while piece := member.read(_PIECE):
                    left -= len(piece)
                    yield piece
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError) as error:
            self._findings.fail(f"cannot be unpacked ({error})", place=place)
        except (NotImplementedError, RuntimeError) as error:
            self._findings.fail(f"is packed in an unsupported way ({error})", place=place)
        if left:
            self._findings.fail(
                f"declares {info.file_size:,} bytes but has {info.file_size - left:,}", place=place
            )


def _key(name: str) -> str:
    return name.lstrip("/").lower()
