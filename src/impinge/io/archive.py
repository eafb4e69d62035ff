"""Zip archives: sizes are judged from the directory before anything is unpacked."""

from __future__ import annotations

import io
import zipfile
import zlib

from impinge.io.checks import Findings

MOST_BYTES = 2 << 30
# Meshes as XML shrink about tenfold; small files may do better without harm.
MOST_RATIO = 200
HARMLESS_BYTES = 16 << 20


class Archive:
    """Reads members of a zip file whose declared sizes are within the limits."""

    def __init__(self, data: bytes, findings: Findings) -> None:
        self._findings = findings
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, IndexError):
            findings.fail("is not a whole zip archive (truncated?)")
        self._members = {info.filename.lstrip("/").lower(): info for info in self._zip.infolist()}
        self._unpacked = 0

    def __contains__(self, name: str) -> bool:
        return name.lstrip("/").lower() in self._members

    def names(self, ending: str) -> list[str]:
        """Members whose name ends so, in the archive's order."""
        return [name for name in self._members if name.endswith(ending)]

    def read(self, name: str, user: str = "") -> bytes:
        """The bytes of a member."""
        info = self._members.get(name.lstrip("/").lower())
        if info is None:
            self._findings.fail(f"the archive has no {name!r}", place=user)
        self._judge(info)
        if info.flag_bits & 1:
            self._findings.fail("is encrypted", place=info.filename)
        try:
            # A member that lies about its size ends in a checksum error, never in more bytes.
            return self._zip.read(info)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError) as error:
            self._findings.fail(f"cannot be unpacked ({error})", place=info.filename)
        except (NotImplementedError, RuntimeError) as error:
            self._findings.fail(f"is packed in an unsupported way ({error})", place=info.filename)

    def _judge(self, info: zipfile.ZipInfo) -> None:
        size, packed = info.file_size, max(info.compress_size, 1)
        self._unpacked += size
        if self._unpacked > MOST_BYTES or (size > HARMLESS_BYTES and size > MOST_RATIO * packed):
            self._findings.fail(
                f"would unpack from {packed:,} to {size:,} bytes; the limits are "
                f"{MOST_RATIO}:1 and {MOST_BYTES >> 30} GiB",
                place=info.filename,
            )
