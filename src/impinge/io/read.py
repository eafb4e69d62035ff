"""Opens a mesh file, picks the reader of its format, and refuses a model without triangles."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TypeAlias, TypeVar

from impinge.errors import MeshFileError
from impinge.io.checks import Findings
from impinge.io.files import NotRegularError, check_regular, read_regular, reason
from impinge.io.model import Model, Part, identity

T = TypeVar("T")
Reader: TypeAlias = Callable[[bytes, Findings, bool], list[Part]]

# The module of each format has one `read_parts(data, findings, split)`.
_MODULES = {
    ".3mf": "threemf",
    ".glb": "gltf",
    ".gltf": "gltf",
    ".obj": "obj",
    ".off": "off",
    ".ply": "ply",
    ".stl": "stl",
}

EXTENSIONS = tuple(_MODULES)
"""The file name extensions that can be read, in lower case."""

# What is no mesh file, and who reads it.
_ELSEWHERE = {
    ".dae": "COLLADA is read for the links of robots only; convert it to GLB or OBJ",
    ".srdf": "tells more of a robot: impinge.robots.Robot.load(urdf, srdf=...) reads it",
    ".urdf": "is a robot, not a mesh: impinge.robots.Robot.load reads it",
    ".xacro": "is a macro of a robot; run xacro first, impinge.robots.Robot.load reads the URDF",
}

# What a file really is when it starts like this, whatever its name says.
_IMPOSTORS = (
    (b"\x1f\x8b", "is gzip-compressed; unpack it first"),
    (b"PK\x03\x04", "is a zip archive, not a mesh; unpack it first"),
    (b"version https://git-lfs", "is a Git LFS pointer, not the mesh itself; run git lfs pull"),
    (b"<!doctype html", "is an HTML page, not a mesh (a download that failed?)"),
    (b"<html", "is an HTML page, not a mesh (a download that failed?)"),
)


def read(path: str | os.PathLike[str], *, lenient: bool = False, split: bool = True) -> Model:
    """Read a mesh file into named, placed parts.

    Parameters
    ----------
    path : str or path
        An STL, OBJ, PLY, OFF, GLB, glTF or 3MF file.
    lenient : bool, default False
        Leave out what is broken and say so in `Model.warnings` instead of raising.
    split : bool, default True
        False keeps a file of groups (OBJ) or solids (STL) as one part with the file's faces in the
        file's order.

    Returns
    -------
    Model

    Raises
    ------
    MeshFileError
        The file cannot be read or trusted; the message tells where in it and why.

    See Also
    --------
    impinge.load_mesh, impinge.load_scene

    Examples
    --------
    >>> from impinge import data, io
    >>> io.read(data.path("gearbox.glb")).warnings
    ()
    """
    path = Path(path)
    return read_with(_reader(path), path, lenient=lenient, split=split)


def read_with(reader: Reader, path: Path, *, lenient: bool, split: bool) -> Model:
    """The same with the reader of a format that is given."""
    data = file_bytes(path)
    findings = Findings(path, lenient=lenient, size=len(data))
    parts = guarded(findings, reader, data, findings, split)
    return Model(path, with_triangles(parts, findings), tuple(findings.warnings))


def guarded(findings: Findings, reader: Callable[..., T], *arguments: object) -> T:
    """What a reader makes of a file; whatever it stumbles over is an error of the file."""
    try:
        return reader(*arguments)
    except MeshFileError:
        raise
    except MemoryError:
        raise MeshFileError(findings.path, "", "does not fit into memory") from None
    except Exception as error:
        # A bug of a reader would look like this too: the cause stays with the error.
        what = f"{type(error).__name__}: {error}"[:200]
        raise MeshFileError(findings.path, "", f"is damaged ({what})") from error


def _reader(path: Path) -> Reader:
    extension = path.suffix.lower()
    if extension not in _MODULES:
        known = ", ".join(EXTENSIONS)
        what = f"unknown extension {extension!r}" if extension else "no extension"
        # A missing file or a directory is the more helpful thing to hear about.
        _refuse_irregular(path)
        raise MeshFileError(path, "", _ELSEWHERE.get(extension, f"{what}; known are {known}"))
    reader: Reader = import_module(f"impinge.io.{_MODULES[extension]}").read_parts
    return reader


def _refuse_irregular(path: Path) -> None:
    try:
        check_regular(path.stat())
    except NotRegularError as error:
        raise MeshFileError(path, "", str(error)) from None
    except FileNotFoundError:
        raise MeshFileError(path, "", "no such file") from None
    except (OSError, ValueError) as error:
        raise MeshFileError(path, "", f"cannot be opened ({reason(error)})") from None


def file_bytes(path: Path) -> bytes:
    """All of a file that could be what its name says; else an error."""
    _refuse_irregular(path)
    try:
        data = read_regular(path)
    except (OSError, ValueError) as error:
        raise MeshFileError(path, "", f"cannot be read ({reason(error)})") from None
    except MemoryError:
        raise MeshFileError(path, "", "does not fit into memory") from None
    if not data:
        raise MeshFileError(path, "", "is empty (0 bytes)")
    start = data[:64].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    for magic, cause in _IMPOSTORS:
        if start.startswith(magic.lower()) and not (magic[:2] == b"PK" and _is_archive(path)):
            raise MeshFileError(path, "", cause)
    return data


def _is_archive(path: Path) -> bool:
    return path.suffix.lower() == ".3mf"


def with_triangles(parts: list[Part], findings: Findings) -> tuple[Part, ...]:
    """The parts that have triangles; a file without any is an error."""
    full = tuple(part for part in parts if len(part.mesh.faces))
    if full:
        empty = [part.name for part in parts if not len(part.mesh.faces)]
        if empty:
            names = ", ".join(repr(name[:40]) for name in empty[:5])
            findings.note(f"{len(empty)} of {len(parts)} parts have no triangles ({names})")
        return full
    findings.problem("contains no triangles", "went on with an empty part")
    return tuple(parts[:1]) or (_empty_part(findings.stem),)


def _empty_part(name: str) -> Part:
    import numpy as np

    from impinge.mesh import Mesh

    mesh = Mesh(np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int32), name=name)
    return Part(name, mesh, identity())
