"""Typed access to a glTF document and the bytes of its buffers."""

from __future__ import annotations

import base64
import binascii
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn
from urllib.parse import unquote

import numpy as np

from impinge.io.checks import Findings, checked_name
from impinge.io.files import NotRegularError, read_regular, reason

if TYPE_CHECKING:
    from impinge._types import Floats

Object = dict[str, Any]


class Document:
    """The JSON of a glTF file; whatever is not as it should be fails with its place."""

    def __init__(self, root: Object, findings: Findings) -> None:
        self.root = root
        self.findings = findings

    def fail(self, cause: str, place: str) -> NoReturn:
        self.findings.fail(cause, place=place)

    def entry(self, table: str, index: int, user: str) -> Object:
        """Object `index` of a top-level array; `user` is the place that refers to it."""
        rows = self.items(self.root, table, table)
        if index >= len(rows):
            self.fail(f"refers to {table}[{index}], but there are {len(rows)}", user)
        if not isinstance(rows[index], dict):
            self.fail("is not an object", f"{table}[{index}]")
        entry: Object = rows[index]
        return entry

    def items(self, owner: Object, key: str, place: str) -> list[Any]:
        """An array, empty when absent."""
        found = owner.get(key, [])
        if not isinstance(found, list):
            self.fail(f"{key} is not an array", place)
        return found

    def mapping(self, owner: Object, key: str, place: str) -> Object:
        """An object, empty when absent."""
        found = owner.get(key, {})
        if not isinstance(found, dict):
            self.fail(f"{key} is not an object", place)
        return found

    def integer(self, owner: Object, key: str, place: str, default: int | None = None) -> int:
        """A whole number >= 0; required when there is no default."""
        found = owner.get(key, default)
        if isinstance(found, bool) or not isinstance(found, int) or not 0 <= found < 2**62:
            shown = "is missing" if found is None else f"is {str(found)[:40]}"
            self.fail(f"{key} {shown}, expected a whole number from 0 on", place)
        return found

    def index(self, owner: Object, key: str, place: str) -> int | None:
        """A reference to another object, None when absent."""
        return self.integer(owner, key, place) if key in owner else None

    def indices(self, owner: Object, key: str, place: str) -> list[int]:
        """An array of references."""
        found = self.items(owner, key, place)
        return [self.integer({key: value}, key, place) for value in found]

    def floats(self, owner: Object, key: str, place: str, default: list[float]) -> Floats:
        """A finite vector as long as the default."""
        found = owner.get(key, default)
        if isinstance(found, list) and len(found) == len(default):
            try:
                vector = np.array([float(x) for x in found])
            except (TypeError, ValueError, OverflowError):
                vector = np.array([np.nan])
            if np.isfinite(vector).all():
                return vector
        return self.fail(f"{key} is not a list of {len(default)} finite numbers", place)

    def name(self, owner: Object) -> str:
        found = owner.get("name")
        return checked_name(found) if isinstance(found, str) else ""


class Buffers:
    """Loads buffers when they are first used; nothing outside of the file's folder."""

    def __init__(self, document: Document, binary: memoryview | None) -> None:
        self._document = document
        self._binary = binary
        self._loaded: dict[int, memoryview] = {}
        self._files: dict[Path, bytes] = {}

    def get(self, index: int, user: str) -> memoryview:
        """At least the declared bytes of a buffer."""
        if index not in self._loaded:
            self._loaded[index] = self._load(index, user)
        return self._loaded[index]

    def _load(self, index: int, user: str) -> memoryview:
        document, place = self._document, f"buffers[{index}]"
        buffer = document.entry("buffers", index, user)
        declared = document.integer(buffer, "byteLength", place)
        uri = buffer.get("uri")
        if uri is None:
            if index != 0 or self._binary is None:
                document.fail("has no uri, and the file has no binary chunk for it", place)
            data = self._binary
        elif not isinstance(uri, str):
            document.fail("uri is not a string", place)
        elif uri.startswith("data:"):
            data = memoryview(self._embedded(uri, place))
        else:
            data = memoryview(self._beside(uri, place))
        if len(data) < declared:
            document.fail(f"declares {declared:,} bytes but has {len(data):,} (truncated?)", place)
        return data[:declared]

    def _embedded(self, uri: str, place: str) -> bytes:
        head, comma, body = uri.partition(",")
        if not comma or not head.endswith(";base64"):
            self._document.fail("its data URI is not base64", place)
        try:
            return base64.b64decode(body, validate=True)
        except (binascii.Error, ValueError):
            self._document.fail("its base64 data is damaged", place)

    def _beside(self, uri: str, place: str) -> bytes:
        shown = repr(uri[:80])
        if "://" in uri or uri.startswith("//") or ":" in uri.split("/", maxsplit=1)[0]:
            self._document.fail(f"{shown} is not a file beside this one; it is not fetched", place)
        folder = self._document.findings.path.resolve().parent
        try:
            path = (folder / unquote(uri)).resolve()
            inside = path.is_relative_to(folder)
        except (OSError, ValueError, RuntimeError):
            self._document.fail(f"{shown} is not a file name", place)
        if not inside:
            self._document.fail(f"{shown} lies outside of the file's folder; not read", place)
        if path not in self._files:
            self._files[path] = self._file(path, shown, place)
            self._document.findings.budget.grow(len(self._files[path]))
        return self._files[path]

    def _file(self, path: Path, shown: str, place: str) -> bytes:
        try:
            return read_regular(path)
        except NotRegularError as error:
            self._document.fail(f"the buffer file {shown} {error}", place)
        except FileNotFoundError:
            self._document.fail(f"the buffer file {shown} is missing", place)
        except OSError as error:
            self._document.fail(f"the buffer file {shown} cannot be read ({reason(error)})", place)
