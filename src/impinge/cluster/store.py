"""One huge mesh on disk: a folder with two Arrow files that workers map."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from impinge._arrays import as_vertices, first_index
from impinge._outputs import replacing
from impinge.errors import InputError, MeshFileError

if TYPE_CHECKING:
    from impinge._types import Floats, Longs

VERTICES, FACES = "vertices.arrow", "faces.arrow"
# rows of a batch: what is mapped at a time
BATCH = 1 << 17


def write_mesh(
    path: str | os.PathLike[str], vertices: Iterable[object], faces: Iterable[object]
) -> Path:
    """Write a mesh that does not fit into memory, chunk by chunk.

    Parameters
    ----------
    path : str or path
        The folder to write; it is then a source for `impinge.cluster.collide`.
    vertices : iterable of (n, 3) array_like
        Chunks of vertices.
    faces : iterable of (m, 3) array_like of int
        Chunks of faces, which index the vertices of all chunks in their order.

    Returns
    -------
    pathlib.Path
        The folder.

    See Also
    --------
    impinge.cluster.collide

    Examples
    --------
    >>> from impinge.cluster import write_mesh
    >>> folder = write_mesh("sheet", [[(0, 0, 0), (1, 0, 0)], [(0, 1, 0)]], [[(0, 1, 2)]])
    >>> sorted(file.name for file in folder.iterdir())
    ['faces.arrow', 'vertices.arrow']
    """
    folder = Path(path)
    folder.mkdir(parents=True, exist_ok=True)
    points, corners = folder / VERTICES, folder / FACES
    with replacing(points, links=False) as new_points, replacing(corners, links=False) as new_faces:
        count = _write(new_points, pa.float64(), (as_vertices(chunk) for chunk in vertices))
        _write(new_faces, pa.int64(), _checked_faces(faces, count))
        # while one of them is new and one is old, there is no mesh
        points.unlink(missing_ok=True)
    return folder


def is_store(folder: Path) -> bool:
    return (folder / VERTICES).is_file() and (folder / FACES).is_file()


def _checked_faces(chunks: Iterable[object], vertices: int) -> Iterator[Longs]:
    first = 0
    for chunk in chunks:
        array = np.asarray(chunk)
        if array.ndim != 2 or array.shape[1] != 3 or array.dtype.kind not in "iu":
            raise InputError(
                f"faces must be chunks of (m, 3) whole numbers, got {array.shape} {array.dtype}"
            )
        outside = (array < 0) | (array >= vertices)
        if outside.any():
            row, corner = first_index(outside)
            raise InputError(
                f"face {first + row} has index {int(array[row, corner])}, "
                f"but valid indices are 0..{vertices - 1} for {vertices} vertices"
            )
        first += len(array)
        yield array.astype(np.int64)


def _write(path: Path, number: pa.DataType, chunks: Iterable[Floats | Longs]) -> int:
    columns = pa.schema([("rows", pa.list_(number, 3))])
    count = 0
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, columns) as writer:
        for chunk in chunks:
            for start in range(0, len(chunk), BATCH):
                rows = np.ascontiguousarray(chunk[start : start + BATCH]).reshape(-1)
                column = pa.FixedSizeListArray.from_arrays(pa.array(rows), 3)
                writer.write_batch(pa.record_batch([column], schema=columns))
            count += len(chunk)
    return count


def _mapped(path: Path) -> tuple[Any, Any]:
    try:
        source = pa.memory_map(str(path))
        return source, pa.ipc.open_file(source)
    except (pa.ArrowInvalid, OSError) as error:
        raise MeshFileError(path, "", f"is no Arrow file of a mesh ({error})") from None


def batch_starts(path: Path) -> Longs:
    """(k + 1,) first row of each batch, and the number of rows."""
    source, reader = _mapped(path)
    with source:
        rows = [reader.get_batch(i).num_rows for i in range(reader.num_record_batches)]
    return np.cumsum([0, *rows], dtype=np.int64)


def _rows(path: Path, batch: int) -> Any:
    source, reader = _mapped(path)
    values = reader.get_batch(batch).column(0)
    return source, values.flatten().to_numpy().reshape(-1, 3)


def read_corners(folder: Path, starts: Longs, first: int, count: int) -> Floats:
    """(count, 3, 3) corners of faces from `first` on; `starts` are those of the vertices."""
    faces = _slice(folder / FACES, first, count)
    ids, corner = np.unique(faces, return_inverse=True)
    if len(ids) and (ids[0] < 0 or ids[-1] >= starts[-1]):
        wrong = int(ids[0] if ids[0] < 0 else ids[-1])
        raise MeshFileError(
            folder / FACES, "", f"uses vertex {wrong}, but only 0 to {starts[-1] - 1} exist"
        )
    points = np.zeros((len(ids), 3))
    # batch by batch, each mapped and let go: memory does not grow with the scatter of the ids
    cuts = np.searchsorted(ids, starts)
    for batch in np.flatnonzero(np.diff(cuts)).tolist():
        rows = slice(cuts[batch], cuts[batch + 1])
        source, vertices = _rows(folder / VERTICES, batch)
        points[rows] = vertices[ids[rows] - starts[batch]]
        del vertices
        source.close()
    return points[corner.reshape(-1, 3)]


def _slice(path: Path, first: int, count: int) -> Longs:
    starts = batch_starts(path)
    parts = []
    for batch in range(len(starts) - 1):
        begin, end = max(first, starts[batch]), min(first + count, starts[batch + 1])
        if begin < end:
            source, rows = _rows(path, batch)
            parts.append(rows[begin - starts[batch] : end - starts[batch]].copy())
            del rows
            source.close()
    return np.concatenate(parts) if parts else np.zeros((0, 3), dtype=np.int64)
