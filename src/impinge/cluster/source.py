"""What is to be checked, cut into pieces that one worker reads at a time."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias
from zlib import crc32

import numpy as np

from impinge import _core
from impinge._arrays import check_coordinates
from impinge.cluster import store
from impinge.cluster.limits import BASE_BYTES, piece_rows
from impinge.errors import InputError, MeshFileError
from impinge.io.checks import Findings
from impinge.io.model import Part, identity
from impinge.io.read import EXTENSIONS, read
from impinge.io.stl import HEADER_BYTES, RECORD, record_corners, refuse_unusable, whole_records
from impinge.mesh import Mesh

if TYPE_CHECKING:
    from impinge._types import AnyArray

Note: TypeAlias = Callable[[str], None]

# rows handled at a time while a mesh is read
ROWS = 1 << 16
# memory that reading a whole file takes, in bytes of the file
_GROWTH = {".obj": 16, ".off": 16, ".3mf": 64, ".ply": 12, ".stl": 8, ".glb": 16, ".gltf": 16}


class Block(NamedTuple):
    """Some triangles of one body: which body of the piece, its name, the first face.

    corners: (n, 3, 3) in float64, or in float32 as the file has them.
    """

    body: int
    name: str
    first_face: int
    corners: AnyArray


@dataclass(frozen=True)
class Piece(ABC):
    """What one task reads. `triangles` is a guess; `continues`: begins in the body before."""

    label: str
    triangles: int
    continues: bool = False

    @abstractmethod
    def blocks(self, note: Note) -> Iterator[Block]:
        """All of it, body after body; `note` takes warnings."""


class Source(NamedTuple):
    """All pieces in order, and what tells this source from another one."""

    pieces: list[Piece]
    fingerprint: dict[str, Any]


@dataclass(frozen=True)
class Files(Piece):
    """Whole files."""

    paths: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    """What their bodies are called; empty: as in the file."""
    lenient: bool = False

    def blocks(self, note: Note) -> Iterator[Block]:
        body = 0
        for path, name in zip(self.paths, self.names, strict=True):
            rows = None if self.lenient else stl_rows(Path(path))
            if rows:
                yield from _stl_blocks(Path(path), body, name, 0, rows)
                body += 1
                continue
            model = read(path, lenient=self.lenient)
            for text in model.warnings:
                note(f"{path}: {text}")
            for part in model.parts:
                yield from _part_blocks(part, body, _called(name, part, len(model.parts)))
                body += 1


@dataclass(frozen=True)
class StlRows(Piece):
    """Some records of a binary STL file."""

    path: str = ""
    name: str = ""
    first: int = 0

    def blocks(self, note: Note) -> Iterator[Block]:
        yield from _stl_blocks(Path(self.path), 0, self.name, self.first, self.triangles)


@dataclass(frozen=True)
class StoredRows(Piece):
    """Some faces of a mesh written by `write_mesh`."""

    folder: str = ""
    first: int = 0

    def blocks(self, note: Note) -> Iterator[Block]:
        folder = Path(self.folder)
        starts = store.batch_starts(folder / store.VERTICES)
        for first in range(self.first, self.first + self.triangles, ROWS):
            count = min(ROWS, self.first + self.triangles - first)
            corners = store.read_corners(folder, starts, first, count)
            check_coordinates(corners.reshape(-1, 3), f"{folder}: corners from face {first} on: ")
            yield Block(0, folder.name, first, corners)


@dataclass(frozen=True)
class Given(Piece):
    """A mesh, or a callable that makes it on the worker."""

    item: Any = None

    def blocks(self, note: Note) -> Iterator[Block]:
        made = self.item() if callable(self.item) else self.item
        mesh = Mesh.of(made, argument=self.label)
        yield from _part_blocks(Part(self.label, mesh, identity()), 0, self.label)


class Cutting(NamedTuple):
    """How a source is cut: for so many workers, and for what each may hold."""

    workers: int
    memory: int
    lenient: bool = False

    def rows(self, triangles: int, done: int) -> int:
        """Triangles of a piece, where the format can be cut, after those that are in pieces."""
        return piece_rows(triangles, done, self.workers)

    def cuts(self, count: int, triangles: int, done: int) -> Iterator[tuple[int, int]]:
        """First and number of the triangles of each piece of the `count` that come next."""
        first = 0
        while first < count:
            rows = min(self.rows(triangles, done + first), count - first)
            yield first, rows
            first += rows


def as_source(source: object, cutting: Cutting) -> Source:
    """The pieces of a folder, a file, a stored mesh, or a list of parts."""
    if isinstance(source, str | os.PathLike):
        path = Path(source)
        if path.is_dir() and store.is_store(path):
            return _stored(path, cutting)
        if path.is_dir():
            found = sorted(p for p in path.rglob("*") if p.suffix.lower() in EXTENSIONS)
            if not found:
                raise InputError(f"{path}: no mesh file in this folder ({', '.join(EXTENSIONS)})")
            names = [p.relative_to(path).with_suffix("").as_posix() for p in found]
            return _files(found, names, cutting)
        return _files([path], [""], cutting)
    return _parts(source, cutting)


def _parts(source: object, cutting: Cutting) -> Source:
    if isinstance(source, Mapping):
        items: list[Any] = list(source.items())
    elif isinstance(source, Iterable):
        items = list(source)
    else:
        raise InputError(
            "source must be a folder, a file, or a list of parts (paths, meshes, callables that "
            f"make them, or pairs of a name and one of these), got {type(source).__name__}"
        )
    if not items:
        raise InputError("source has no parts")
    pieces: list[Piece] = []
    prints: list[Any] = []
    for index, item in enumerate(items):
        named = isinstance(item, tuple) and len(item) == 2 and isinstance(item[0], str)
        name, part = item if named else ("", item)
        if isinstance(part, str | os.PathLike):
            path = Path(part)
            one = _files([path], [name or path.stem], cutting)
            pieces += one.pieces
            prints += one.fingerprint["files"]
        else:
            label = name or str(getattr(part, "name", "")) or f"part-{index}"
            if callable(part):
                faces, mark = 0, 0
            else:
                mesh = Mesh.of(part, argument=label)
                faces, mark = len(mesh.faces), _mark(mesh)
            pieces.append(Given(label, faces, item=part))
            prints.append([label, faces, mark])
    return Source(pieces, {"kind": "parts", "files": prints})


def _mark(mesh: Mesh) -> int:
    return crc32(mesh.faces.data, crc32(mesh.vertices.data))


def _stored(folder: Path, cutting: Cutting) -> Source:
    faces = int(store.batch_starts(folder / store.FACES)[-1])
    pieces: list[Piece] = [
        StoredRows(f"{folder.name}:{first}", rows, first > 0, str(folder), first)
        for first, rows in cutting.cuts(faces, faces, 0)
    ]
    if not pieces:
        raise MeshFileError(folder, "", "contains no triangles")
    prints = [_print(folder / name) for name in (store.VERTICES, store.FACES)]
    return Source(pieces, {"kind": "mesh", "files": prints})


def _files(paths: list[Path], names: list[str], cutting: Cutting) -> Source:
    lengths = [_length(path) for path in paths]
    total = sum(lengths) // RECORD.itemsize
    lenient = cutting.lenient
    pieces: list[Piece] = []
    group: list[tuple[str, str]] = []
    size = done = 0

    def close_group() -> None:
        nonlocal size, done
        if group:
            files, called = zip(*group, strict=True)
            label = files[0] if len(files) == 1 else f"{files[0]} and {len(files) - 1} more"
            pieces.append(Files(label, size // RECORD.itemsize, False, files, called, lenient))
        group.clear()
        done += size // RECORD.itemsize
        size = 0

    for path, name, length in zip(paths, names, lengths, strict=True):
        records = None if lenient else stl_rows(path)
        if records and records > cutting.rows(total, done):
            close_group()
            called = name or path.stem
            pieces += [
                StlRows(f"{path}:{first}", rows, first > 0, str(path), called, first)
                for first, rows in cutting.cuts(records, total, done)
            ]
            done += records
            continue
        if (
            not records
            and length * _GROWTH.get(path.suffix.lower(), 1) > cutting.memory - BASE_BYTES
        ):
            raise InputError(
                f"{path}: {length / 1e9:.1f} GB cannot be read within the "
                f"{cutting.memory / 1e9:.1f} GB of a worker; give the workers more memory, or "
                "write the mesh in chunks with impinge.cluster.write_mesh"
            )
        if size + length > RECORD.itemsize * cutting.rows(total, done):
            close_group()
        group.append((str(path), name))
        size += length
    close_group()
    return Source(pieces, {"kind": "files", "files": [_print(path) for path in paths]})


def _length(path: Path) -> int:
    # what cannot be opened is told by the task that reads it, as `impinge check` does
    return path.stat().st_size if path.is_file() else 0


def _print(path: Path) -> list[Any]:
    try:
        found = path.stat()
    except OSError:
        return [str(path), 0, 0]
    return [str(path.resolve()), found.st_size, found.st_mtime_ns]


def stl_rows(path: Path) -> int | None:
    """Triangles of a binary STL file that is as long as it says; None for all else."""
    # a pipe would be waited for
    if path.suffix.lower() != ".stl" or not path.is_file():
        return None
    try:
        with path.open("rb") as file:
            return whole_records(file.read(HEADER_BYTES), os.fstat(file.fileno()).st_size)
    except OSError:
        return None


def _stl_blocks(path: Path, body: int, name: str, first: int, count: int) -> Iterator[Block]:
    findings = Findings(path, lenient=False)
    name = name or path.stem
    # read, not mapped: a page that is copied by the system costs less than one that is mapped
    with path.open("rb", buffering=0) as file:
        file.seek(HEADER_BYTES + first * RECORD.itemsize)
        for row in range(first, first + count, ROWS):
            here = min(ROWS, first + count - row)
            records = np.fromfile(file, np.uint8, here * RECORD.itemsize)
            corners = record_corners(records)
            refuse_unusable(corners.reshape(-1, 3), findings, row)
            yield Block(body, name, row, corners)


def _part_blocks(part: Part, body: int, name: str) -> Iterator[Block]:
    vertices = _core.transform(part.mesh.vertices, part.pose)
    faces = part.mesh.faces
    # a body without triangles has its number too
    for first in range(0, max(len(faces), 1), ROWS):
        yield Block(body, name, first, vertices[faces[first : first + ROWS]])


def _called(name: str, part: Part, parts: int) -> str:
    if not name:
        return part.name
    return name if parts == 1 else f"{name}/{part.name}"
