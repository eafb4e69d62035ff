"""Where the files are that a URDF names; nothing is fetched from elsewhere."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TypeAlias

from impinge.errors import InputError
from impinge.robots.document import Element

Packages: TypeAlias = (
    "Mapping[str, str | os.PathLike[str]] | Iterable[str | os.PathLike[str]] "
    "| str | os.PathLike[str] | None"
)


class Finder:
    """Finds the files of one URDF.

    packages: a mapping from a package's name to its folder, or folders in which packages stand.
    """

    def __init__(self, urdf: Path, packages: Packages) -> None:
        self._folder = urdf.absolute().parent
        self._named: dict[str, Path] = {}
        self._folders: list[Path] = []
        if isinstance(packages, Mapping):
            self._named = {_name(key): _path(value) for key, value in packages.items()}
        elif isinstance(packages, str | os.PathLike):
            self._folders = [_path(packages)]
        elif isinstance(packages, Iterable):
            self._folders = [_path(folder) for folder in packages]
        elif packages is not None:
            raise InputError(
                "packages must be a mapping from names to folders, or folders that hold packages, "
                f"got {type(packages).__name__}"
            )

    def find(self, uri: str, element: Element) -> Path:
        """The file that stands for `package://name/file`, `file:///file` or a path."""
        if "\0" in uri:
            element.fail("a file name holds a zero byte")
        scheme, separator, rest = uri.partition("://")
        if not separator:
            return self._folder / uri
        if scheme == "file":
            return Path(rest)
        if scheme not in ("package", "model"):
            element.fail(
                f"{uri[:120]!r} cannot be read: only package://, file:// and paths are, nothing is "
                "fetched"
            )
        name, _, inside = rest.partition("/")
        if not name or not inside:
            element.fail(f"{uri[:120]!r} names no file of a package")
        return self._package(name, uri, element) / inside

    def _package(self, name: str, uri: str, element: Element) -> Path:
        if name in self._named:
            return self._named[name]
        for folder in self._folders:
            for found in (folder / name, folder):
                if found.name == name and found.is_dir():
                    return found
        # most robots stand in the package that they name
        for folder in (self._folder, *self._folder.parents):
            if folder.name == name:
                return folder
        looked = f"looked in {', '.join(map(str, self._folders))} and " if self._folders else ""
        element.fail(
            f"{uri[:120]!r}: the package {name[:60]!r} is not found ({looked}above the URDF); pass "
            f"packages={{{name[:60]!r}: folder}}"
        )


def _name(key: object) -> str:
    if not isinstance(key, str):
        raise InputError(f"packages must have names as keys, got {key!r}")
    return key


def _path(folder: object) -> Path:
    if not isinstance(folder, str | os.PathLike):
        raise InputError(f"packages must lead to folders, got {folder!r}")
    path = Path(os.fsdecode(folder)).expanduser().absolute()
    if not path.is_dir():
        raise InputError(f"packages: {str(folder)!r} is not a folder")
    return path
