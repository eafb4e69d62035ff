"""Sends each triangle of a piece to every tile that its box meets: one file, tile after tile."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from impinge import _core
from impinge._outputs import replacing
from impinge.cluster import sealed
from impinge.cluster.plan import load as load_plan
from impinge.cluster.triangles import Batch, Triangles, boxes, byte_count, load, write
from impinge.errors import InputError

if TYPE_CHECKING:
    from impinge._types import AnyArray, Floats, Ints, Longs
    from impinge.cluster.plan import TilePlan
    from impinge.cluster.source import Piece


class Target(NamedTuple):
    """Where to scatter: by which plan, from which node on, and to which file.

    single: float32 holds all coordinates. rows: triangles that are handled together.
    """

    plan: str
    mark: int
    path: str
    single: bool
    rows: int
    root: int | None = None


def scatter(piece: Piece, first_body: int, expected: int, target: Target) -> Longs:
    """Scatter a piece; the index (k, 6) of the batches of the file."""
    index, seen = _write(_portions(piece, first_body, target.rows), target)
    if seen != expected:
        raise InputError(
            f"{piece.label}: had {expected} triangles when it was surveyed and {seen} now; "
            "a source must not change during a run"
        )
    return index


def rescatter(batches: list[Batch], target: Target) -> Longs:
    """Scatter what a tile was given once more, to the tiles that it was cut into."""
    return _write((load(group) for group in grouped(batches, target.rows)), target)[0]


def resample(batches: list[Batch], number: int, size: int) -> tuple[Floats, float]:
    """Boxes (k, 6) of triangles of a tile at random, and how many triangles each stands for."""
    random = np.random.default_rng(number)
    total = sum(batch.rows for batch in batches)
    share = min(1.0, size / total)
    chosen = []
    for batch in batches:
        corners = load([batch]).corners
        chosen.append(np.concatenate(boxes(corners[random.random(batch.rows) < share]), axis=1))
    sample = np.concatenate(chosen)
    return sample, total / max(len(sample), 1)


@lru_cache(maxsize=2)
def cached_plan(path: str, mark: int) -> TilePlan:
    """A plan read once by each worker: with many tiles it is too large to send with every task.

    mark: tells it from the plan of another run that had the same folder.
    """
    kept = load_plan(Path(path))
    if kept is None or kept[0].mark != mark:
        raise sealed.damaged(path, "remove it, and the next run makes it again")
    return kept[0]


def grouped(batches: list[Batch], rows: int) -> Iterator[list[Batch]]:
    """Batches together up to so many rows, in order."""
    group: list[Batch] = []
    size = 0
    for batch in batches:
        if group and size + batch.rows > rows:
            yield group
            group, size = [], 0
        group.append(batch)
        size += batch.rows
    if group:
        yield group


def _portions(piece: Piece, first_body: int, rows: int) -> Iterator[Triangles]:
    """The triangles of a piece, small bodies together and large ones cut."""
    waiting: list[Triangles] = []
    size = 0
    for block in piece.blocks(_ignore):
        count = len(block.corners)
        face = np.arange(block.first_face, block.first_face + count, dtype=np.int64)
        body = np.full(count, first_body + block.body, dtype=np.int32)
        waiting.append(Triangles(block.corners, body, face))
        size += count
        if size >= rows:
            yield _joined(waiting)
            waiting, size = [], 0
    if size:
        yield _joined(waiting)


def _joined(parts: list[Triangles]) -> Triangles:
    if len(parts) == 1:
        return parts[0]
    columns = zip(*parts, strict=True)
    return Triangles(*(np.concatenate(column) for column in columns))


def _ignore(_: str) -> None:
    """Warnings were told by the survey."""


def _write(portions: Iterator[Triangles], target: Target) -> tuple[Longs, int]:
    plan, path = cached_plan(target.plan, target.mark), Path(target.path)
    if target.root is not None:
        plan = replace(plan, root=target.root)
    number = np.float32 if target.single else np.float64
    index: list[tuple[int, ...]] = []
    seen = 0
    # not waited for: the checksums tell what a power cut has left
    with replacing(path, links=False, sync=False) as partial:
        with partial.open("wb") as file:
            for portion in portions:
                seen += portion.number
                exact = portion._replace(corners=portion.corners.astype(number, copy=False))
                for tile, rows in deal(plan, exact.corners):
                    index.append((tile, file.tell(), len(rows), *write(file, exact.at(rows))))
            length = file.tell()
        found = np.array(index, dtype=np.int64).reshape(-1, 6)
        save_index(found, path, target, length)
    return found, seen


def deal(plan: TilePlan, corners: AnyArray) -> Iterator[tuple[int, Ints]]:
    """Each tile with the rows of the triangles (n, 3, 3) whose boxes meet it, tile after tile.

    A tile is half-open and a box is closed: they meet when low < end and high >= begin.
    """
    starts, rows = _core.deal(
        corners, plan.axis, plan.value, plan.children, plan.root, plan.regions
    )
    for tile in np.flatnonzero(np.diff(starts)).tolist():
        yield tile, rows[starts[tile] : starts[tile + 1]]


def save_index(index: Longs, path: Path, target: Target, length: int) -> None:
    """Keep the index of a file of so many bytes, before that gets its name."""
    file = BytesIO()
    np.savez(file, index=index, of=_origin(target), length=length)
    sealed.write(path.with_suffix(".npz"), file.getvalue())


def load_index(path: Path, target: Target, tiles: int) -> Longs | None:
    """The index of a file that was scattered like this; None when it cannot be believed."""

    def parsed(content: bytes) -> Longs | None:
        with np.load(BytesIO(content)) as kept:
            index, length = np.asarray(kept["index"], dtype=np.int64), int(kept["length"])
            same = np.array_equal(kept["of"], _origin(target))
        tile, offset, rows, runs, wide, _ = index.T
        # first each by itself, so that nothing overflows
        inside = (index >= 0).all() and (tile < tiles).all() and (index[:, 1:4] <= length).all()
        end = offset + byte_count(rows, runs, wide != 0, single=target.single)
        inside = inside and (end <= length).all()
        return index if same and inside and path.stat().st_size == length else None

    return sealed.read(path.with_suffix(".npz"), parsed)


def _origin(target: Target) -> Longs:
    """What the content of a file depends on, beside the source."""
    root = -1 if target.root is None else target.root
    return np.array([target.mark, target.single, root], dtype=np.int64)
