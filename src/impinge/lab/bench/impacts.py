"""Continuous collision detection beside IPC Toolkit: single queries with a truth, whole frames."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

import impinge
from impinge._terminal import drawn
from impinge.errors import InputError
from impinge.lab.bench import shapes

if TYPE_CHECKING:
    from impinge._types import Bools, Floats, Ints

T = TypeVar("T")

_ASK = {"vertex-face": impinge.vertex_face_impact, "edge-edge": impinge.edge_edge_impact}
_PEER_CALLS = {"vertex-face": "point_triangle_ccd", "edge-edge": "edge_edge_ccd"}


class Published(NamedTuple):
    """Queries (n, 4, 3) and whether they meet, by an exact solver."""

    name: str
    kind: str
    start: Floats
    end: Floats
    truth: Bools


@dataclass(frozen=True)
class Queries:
    """Single features, and how often each side is wrong; seconds are of the processor."""

    name: str
    count: int
    missed: int
    false: int
    seconds: float
    peer_missed: int | None = None
    peer_false: int | None = None
    peer_seconds: float | None = None


@dataclass(frozen=True)
class Frame:
    """One motion of a mesh; seconds are of the processor, all threads together."""

    name: str
    impacts: int
    candidates: int
    first: float
    seconds: float
    step_seconds: float
    peer_candidates: int | None = None
    peer_first: float | None = None
    peer_broad: float | None = None
    peer_narrow: float | None = None

    @property
    def factor(self) -> float | None:
        """How many times faster all impacts are than the candidates and the step of the peer."""
        if self.peer_broad is None or self.peer_narrow is None:
            return None
        return (self.peer_broad + self.peer_narrow) / self.seconds


def compare(
    data: Path | None, *, quick: bool = False, say: Callable[[str], object] = lambda _: None
) -> tuple[list[Queries], list[Frame]]:
    """Queries with a published truth, if `data` has some, and frames: its own, or one made here."""
    peer = _peer()
    queries = []
    for one in _published(data):
        say(f"{one.name}, {one.kind}")
        queries.append(_asked(one, peer))
    frames = []
    for name, first, last, faces in _frames(data, 40 if quick else 215):
        say(name)
        frames.append(_moved(name, first, last, faces, peer))
    return queries, frames


def tables(queries: list[Queries], frames: list[Frame]) -> str:
    """What was found, one row each."""
    single = [
        (
            row.name, f"{row.count:,}", f"{row.missed}", f"{row.false}", _each(row.seconds, row),
            _text(row.peer_missed), _text(row.peer_false), _each(row.peer_seconds, row),
        )
        for row in queries
    ]  # fmt: skip
    columns = [
        ("queries", False), ("asked", True), ("missed", True), ("false", True), ("each", True),
        ("ipctk missed", True), ("false", True), ("each", True),
    ]  # fmt: skip
    whole = [
        (
            row.name, f"{row.impacts:,}", f"{row.candidates:,}", _seconds(row.seconds),
            _seconds(row.step_seconds), _text(row.peer_candidates), _seconds(row.peer_broad),
            _seconds(row.peer_narrow), "" if row.factor is None else f"{row.factor:.1f}",
        )
        for row in frames
    ]  # fmt: skip
    heads = [
        ("frame", False), ("impacts", True), ("candidates", True), ("all impacts", True),
        ("step", True), ("ipctk candidates", True), ("broad", True), ("narrow", True),
        ("factor", True),
    ]  # fmt: skip
    first = drawn("single features", columns, single) if single else ""
    return first + drawn("whole frames", heads, whole)


def _peer() -> Any:
    if find_spec("ipctk") is None:
        return None
    return import_module("ipctk")


def _timed(work: Callable[[], T]) -> tuple[T, float]:
    start = process_time()
    return work(), process_time() - start


def _asked(given: Published, peer: Any) -> Queries:
    name, kind, start, end, truth = given
    times, seconds = _timed(lambda: _ASK[kind](start, end, workers=1))
    found = np.isfinite(times)
    row = Queries(f"{name}, {kind}", len(truth), *_wrong(found, truth), seconds)
    if peer is None:
        return row
    ask = getattr(peer.TightInclusionCCD(), _PEER_CALLS[kind])
    answers, spent = _timed(lambda: [ask(*a, *b)[0] for a, b in zip(start, end, strict=True)])
    # what a call from Python costs is no part of an answer
    far = np.array([(1e3, 1e3, 1e3), (0, 0, 0), (1, 0, 0), (0, 1, 0)])
    _, calls = _timed(lambda: [ask(*far, *far) for _ in truth])
    return Queries(
        *(row.name, row.count, row.missed, row.false, row.seconds),
        *_wrong(np.array(answers), truth),
        max(spent - calls, 0.0),
    )


def _wrong(found: Bools, truth: Bools) -> tuple[int, int]:
    return int(np.count_nonzero(truth & ~found)), int(np.count_nonzero(found & ~truth))


def _moved(name: str, start: Floats, end: Floats, faces: Ints, peer: Any) -> Frame:
    # each from arrays, as the first time
    found, seconds = _timed(lambda: impinge.impacts((start, faces), to=end))
    step, step_seconds = _timed(lambda: impinge.collision_free_step((start, faces), to=end))
    truth = _first_exactly(start, end, found)
    if not step <= found.time <= truth:
        raise InputError(f"{name}: the step {step} or the time {found.time} is later than {truth}")
    row = Frame(name, len(found), int(found.stats["candidates"]), found.time, seconds, step_seconds)
    if peer is None:
        return row
    vertices = np.asfortranarray(start), np.asfortranarray(end)
    mesh = peer.CollisionMesh(vertices[0], peer.edges(faces), faces)

    def broad() -> Any:
        candidates = peer.Candidates()
        candidates.build(mesh, *vertices)
        return candidates

    candidates, peer_broad = _timed(broad)
    first, peer_narrow = _timed(lambda: candidates.compute_collision_free_stepsize(mesh, *vertices))
    if first > truth:
        raise InputError(f"{name}: ipctk goes on until {first}, later than {truth}")
    return Frame(
        *(row.name, row.impacts, row.candidates, row.first, row.seconds, row.step_seconds),
        *(len(candidates), float(first), peer_broad, peer_narrow),
    )


def _first_exactly(start: Floats, end: Floats, found: impinge.results.Impacts) -> float:
    """The earliest impact, as near as float64 can tell."""
    times = [1.0]
    for kind, ask in enumerate(_ASK.values()):
        ids = found.features[found.kinds == kind]
        times.append(float(ask(start[ids], end[ids], tolerance=0.0).min(initial=1.0)))
    return min(times)


def _published(data: Path | None) -> Iterator[Published]:
    """Sample-Queries of Wang et al.: eight rows of three fractions each, and the truth."""
    folders = {file.parent for file in (data.rglob("*.csv") if data else ())}
    for folder in sorted(one for one in folders if one.name in _ASK):
        texts = [file.read_text(encoding="utf-8") for file in sorted(folder.glob("*.csv"))]
        lines = [line.split(",") for text in texts for line in text.splitlines() if line]
        table = np.array(lines, dtype=float)
        points = (table[:, 0:6:2] / table[:, 1:6:2]).reshape(-1, 8, 3)
        truth = table[::8, 6] > 0
        yield Published(folder.parent.name, folder.name, points[:, :4], points[:, 4:], truth)


def _frames(data: Path | None, cells: int) -> Iterator[tuple[str, Floats, Floats, Ints]]:
    names = ("cloth_ball92.ply", "cloth_ball93.ply")
    both = [next(iter(data.rglob(name)), None) if data else None for name in names]
    if both[0] is not None and both[1] is not None:
        from impinge.io import load_mesh

        start, end = (load_mesh(path) for path in both if path)
        yield "cloth on ball", start.vertices, end.vertices, start.faces
        return
    moving, faces = shapes.cloth(cells, 2, height=0.33, folds=3.6)
    yield f"folded cloth, {len(faces):,} faces", moving[0], moving[1], faces


def _text(count: int | None) -> str:
    return "" if count is None else f"{count:,}"


def _seconds(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds:.3f} s"


def _each(seconds: float | None, row: Queries) -> str:
    return "" if seconds is None else f"{1e6 * seconds / row.count:.1f} µs"
