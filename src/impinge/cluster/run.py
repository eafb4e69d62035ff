"""The whole run: stage after stage, each task once, aborted and continued as often as need be."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from impinge._options import TOUCHING, choice, ticking, worker_count
from impinge.cluster import plan as plans
from impinge.cluster import survey as surveys
from impinge.cluster.folder import RunFolder
from impinge.cluster.index import TileIndex
from impinge.cluster.limits import Limits, as_bytes
from impinge.cluster.result import ClusterCollisions, load_result
from impinge.cluster.scatter import Target, grouped, load_index, resample, rescatter, scatter
from impinge.cluster.solve import Kept, Question, solve
from impinge.cluster.source import Cutting, as_source
from impinge.cluster.summary import done_tiles, summarise
from impinge.cluster.workers import Report, Task, Workers, as_workers
from impinge.errors import Cancelled, InputError, nearest
from impinge.results.stats import Stage

if TYPE_CHECKING:
    from impinge._options import Tick
    from impinge._types import Longs, Progress
    from impinge.cluster.plan import TilePlan
    from impinge.cluster.source import Piece
    from impinge.cluster.survey import Survey

# of all the work, for the progress bar
_SHARES = {"survey": (0.0, 0.15), "scatter": (0.15, 0.4), "solve": (0.4, 1.0)}
_SAMPLES_OF_A_FULL_TILE = 20_000


def collide(
    source: object,
    *,
    out: str | os.PathLike[str],
    client: Any = None,
    workers: int | None = None,
    memory: int | str = "2GB",
    self_collision: bool = False,
    touching: str = "include",
    ignore: Iterable[tuple[str, str]] = (),
    lenient: bool = False,
    tile: int | None = None,
    progress: Progress | None = None,
    on_stage: Callable[[str], None] | None = None,
) -> ClusterCollisions:
    """All colliding pairs of faces of a source of any size, as Parquet files in a folder.

    An aborted run goes on where it was when it is called again with the same `out`.

    Parameters
    ----------
    source : str, path or list of parts
        A folder of mesh files, a mesh written by `write_mesh`, or parts: paths, meshes, or
        callables that make a mesh on the worker, each alone or in a pair (name, part).
    out : str or path
        The folder of the run and of its result: new, empty, or that of the same run.
    client : distributed.Client or str, optional
        A Dask client, the address of its scheduler, or "local" for Dask on this machine; None is
        a plain pool of processes. Workers elsewhere must see the same paths.
    workers : int, optional
        Processes of a pool or of "local"; None is one for each core.
    memory : int or str, default "2GB"
        What each worker may use, in bytes or as text.
    self_collision, touching, progress
        As for `Scene.collide`.
    ignore : iterable of pairs of str
        Names of pairs of bodies to leave out.
    lenient : bool, default False
        Leave out what is broken in a file, with a warning, instead of raising.
    tile : int, optional
        About how many triangles a tile has; None chooses.
    on_stage : callable, optional
        Called with a line of text when a stage begins.

    Returns
    -------
    ClusterCollisions

    See Also
    --------
    impinge.cluster.load_result, impinge.Scene.collide

    Examples
    --------
    >>> import impinge.cluster
    >>> sheet = [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]
    >>> impinge.cluster.collide([("a", sheet), ("b", sheet)], out="run", workers=1)
    ClusterCollisions(1 pair of faces, 1 pair of 2 bodies)
             crossing  touching
      a × b         0         1
    """
    asked = as_bytes(memory)
    question = {
        "self_collision": bool(self_collision),
        "touching": choice("touching", touching, TOUCHING),
        "ignore": sorted(sorted(pair) for pair in _checked_pairs(ignore)),
    }
    if tile is not None and (not isinstance(tile, int) or tile < 1):
        raise InputError(f"tile must be None or a number of triangles, got {tile!r}")
    tick = ticking(progress)
    if not isinstance(source, str | os.PathLike | Mapping) and isinstance(source, Iterable):
        source = list(source)
    with closing(as_workers(client, worker_count(workers) or None, asked)) as crew:
        cutting = Cutting(crew.count, min(asked, crew.memory or asked), lenient)
        limits = Limits.of(cutting.memory)
        found = as_source(source, cutting)
        fingerprint = {"source": found.fingerprint, "options": {**question, "lenient": lenient}}
        with closing(RunFolder(out, fingerprint, list(cutting))) as folder:
            kept = Cutting(*folder.cutting)
            if kept.memory > cutting.memory:
                raise InputError(
                    f"{folder.path} holds a run for workers with {kept.memory / 1e9:g} GB, these "
                    f"have {cutting.memory / 1e9:g}; give another folder, or remove this one"
                )
            # a run goes on in the pieces it began with
            pieces = found.pieces if kept == cutting else as_source(source, kept).pieces
            if kept.memory < cutting.memory:
                limits = Limits.of(kept.memory)
            run = _Run(pieces, folder, crew, limits, tick=tick, on_stage=on_stage or _say_nothing)
            try:
                result = run.go(question, tile)
            except (KeyboardInterrupt, Cancelled) as error:
                error.add_note(f"what is done is kept in {folder.path}; call again to go on")
                raise
    if tick is not None:
        tick.finish()
    return result


class _Run:
    def __init__(
        self,
        pieces: list[Piece],
        folder: RunFolder,
        crew: Workers,
        limits: Limits,
        *,
        tick: Tick | None,
        on_stage: Callable[[str], None],
    ) -> None:
        self._pieces, self._folder, self._crew = pieces, folder, crew
        self._limits, self._tick, self._on_stage = limits, tick, on_stage
        self._stages: dict[str, Stage] = {}

    def go(self, question: dict[str, Any], tile: int | None) -> ClusterCollisions:
        if (self._folder.path / "stats.json").exists():
            return load_result(self._folder.path)
        found = self._survey()
        first_bodies, names, faces = numbered(found, [piece.continues for piece in self._pieces])
        asked = Question(
            question["self_collision"], question["touching"], _ids(question["ignore"], names)
        )
        total = int(faces.sum())
        most = tile or self._limits.tile(total, self._crew.count)
        plan = self._plan(found, most)
        index = self._scatter(found, first_bodies, plan)
        plan = self._refine(plan, index, most, all(one.single for one in found))
        self._solve(plan, index, asked)
        warnings = [text for one in found for text in one.warnings]
        return self._summarise(plan, names, faces, warnings)

    def _survey(self) -> list[Survey]:
        paths = [self._folder.survey(i) for i in range(len(self._pieces))]
        size = surveys.sample_size(len(paths))
        kept = ((i, surveys.load(path)) for i, path in enumerate(paths))
        found: dict[int, Survey] = {i: one for i, one in kept if one is not None}
        tasks = (
            Task(i, surveys.survey, (piece, i, size, str(paths[i])))
            for i, piece in enumerate(self._pieces)
            if i not in found
        )
        found |= self._do("survey", tasks, len(paths), len(found))
        self._count("survey", pieces=len(paths), triangles=sum(s.triangles for s in found.values()))
        return [found[i] for i in range(len(paths))]

    def _plan(self, found: list[Survey], most: int) -> TilePlan:
        path, parent = self._folder.plan(0), plans.whole_space()
        kept = plans.load(path, parent=parent.mark)
        if kept is None:
            boxes = np.concatenate([one.sample for one in found])
            weights = np.repeat([one.weight for one in found], [len(one.sample) for one in found])
            kept = plans.refine(parent, {0: plans.Sample(boxes, weights)}, most)
            plans.save(*kept, path, parent=parent.mark)
        return kept[0]

    def _scatter(self, found: list[Survey], first_bodies: Longs, plan: TilePlan) -> TileIndex:
        plan_path, rows = str(self._folder.plan(0)), self._limits.rows
        calls = [
            (
                scatter,
                (piece, first, one.triangles),
                Target(plan_path, plan.mark, "", one.single, rows),
            )
            for piece, first, one in zip(self._pieces, first_bodies.tolist(), found, strict=True)
        ]  # fmt: skip
        index = TileIndex()
        self._scattered(0, calls, index, plan.tiles)
        triangles = sum(one.triangles for one in found)
        placed = int(index.triangles(plan.tiles).sum())
        self._count("scatter", ghosts=placed - triangles)
        return index

    def _scattered(
        self,
        generation: int,
        calls: list[tuple[Callable[..., Longs], tuple[Any, ...], Target]],
        index: TileIndex,
        tiles: int,
    ) -> None:
        """Do these calls, each with a target that gets its path here, and index the files."""
        paths = [self._folder.scattered(generation, i) for i in range(len(calls))]
        kept = (
            (i, load_index(path, target, tiles))
            for i, (path, (_, _, target)) in enumerate(zip(paths, calls, strict=True))
        )
        found = {i: one for i, one in kept if one is not None}
        tasks = (
            Task(i, function, (*arguments, target._replace(path=str(paths[i]))))
            for i, (function, arguments, target) in enumerate(calls)
            if i not in found
        )
        found |= self._do("scatter", tasks, len(paths), len(found))
        for i, (path, (_, _, target)) in enumerate(zip(paths, calls, strict=True)):
            index.add(path, found[i], target.single)
        written = sum(path.stat().st_size for path in paths)
        self._count("scatter", bytes=self._counted("scatter", "bytes") + written)

    def _refine(self, plan: TilePlan, index: TileIndex, most: int, single: bool) -> TilePlan:
        """Cut tiles that came out too full for a worker, as long as that helps."""
        generation = 0
        final: set[int] = set()
        while True:
            counts = index.triangles(plan.tiles)
            full = set(np.flatnonzero(counts > self._limits.triangles).tolist()) - final
            if not full:
                return plan
            generation += 1
            path = self._folder.plan(generation)
            kept = plans.load(path, parent=plan.mark)
            if kept is None:
                tasks = [
                    Task(tile, resample, (index.of(tile), tile, _SAMPLES_OF_A_FULL_TILE))
                    for tile in sorted(full)
                ]
                drawn = self._do("resample", tasks, len(tasks), 0)
                samples = {
                    tile: plans.Sample(boxes, np.full(len(boxes), weight))
                    for tile, (boxes, weight) in sorted(drawn.items())
                }
                kept = plans.refine(plan, samples, min(most, self._limits.triangles / 2))
                plans.save(*kept, path, parent=plan.mark)
            plan, cut_at = kept
            final |= full - cut_at.keys()
            rows = self._limits.rows
            calls = [
                (rescatter, (group,), Target(str(path), plan.mark, "", single, rows, node))
                for tile, node in cut_at.items()
                for group in grouped(index.of(tile), 16 * rows)
            ]
            index.drop(cut_at)
            self._scattered(generation, calls, index, plan.tiles)

    def _solve(self, plan: TilePlan, index: TileIndex, question: Question) -> None:
        done = done_tiles(self._folder, plan)
        counts = index.triangles(plan.tiles)
        # the fullest first: a long task at the end would keep all others waiting
        order = np.argsort(-counts, kind="stable").tolist()
        missing = [tile for tile in order if tile not in done]

        def kept(tile: int) -> Kept:
            pairs, sums = self._folder.pairs(tile), self._folder.summary(tile)
            return Kept(str(pairs), str(sums), plan.mark)

        limits, regions = self._limits, plan.regions
        tasks = (
            Task(tile, solve, (index.of(tile), regions[tile], question, limits, kept(tile)))
            for tile in missing
        )
        self._do("solve", tasks, plan.tiles, plan.tiles - len(missing))
        self._count("solve", tiles=plan.tiles, fullest=int(counts.max(initial=0)))

    def _summarise(
        self, plan: TilePlan, names: list[str], faces: Longs, warnings: list[str]
    ) -> ClusterCollisions:
        self._on_stage("summarising")
        stages = [[stage.name, stage.seconds, dict(stage.counters)]
                  for stage in self._stages.values()]  # fmt: skip
        about = {"stages": stages, "warnings": warnings}
        bodies = pa.table({"name": names, "triangles": faces})
        summarise(self._folder, plan, bodies, about)
        return load_result(self._folder.path)

    def _do(self, stage: str, tasks: Iterable[Task], total: int, done: int) -> dict[int, Any]:
        """What each task returned, by its number."""
        self._on_stage(f"{stage}: {total:,} tasks" if total != 1 else stage)
        begin, end = _SHARES.get(stage, _SHARES["scatter"])
        found: dict[int, Any] = {}
        spent: list[Report] = []
        start = perf_counter()
        self._go_on(begin)
        for number, report in self._crew.results(stage, tasks):
            found[number] = report.value
            spent.append(report._replace(value=None))
            self._go_on(begin + (end - begin) * (done + len(found)) / total)
        self._spend(stage, spent, perf_counter() - start)
        return found

    def _go_on(self, fraction: float) -> None:
        if self._tick is not None and not self._tick(fraction):
            raise Cancelled("the progress callable returned False")

    def _spend(self, stage: str, reports: list[Report], elapsed: float) -> None:
        """CPU time is the stage's; what the tasks took by the clock is counted."""
        kept = self._stages.get(stage, Stage(stage, 0.0))
        seconds = (kept.seconds or 0.0) + sum(report.cpu_seconds for report in reports)
        self._stages[stage] = Stage(stage, seconds, kept.counters)
        clock = [report.seconds for report in reports]
        new = {"tasks": len(reports), "task_seconds": sum(clock), "elapsed_seconds": elapsed}
        most = {
            "slowest_task_seconds": max(clock, default=0.0),
            "peak_bytes": max((report.peak_bytes for report in reports), default=0),
        }
        self._count(stage, **{name: self._counted(stage, name) + new[name] for name in new})
        self._count(stage, **{name: max(self._counted(stage, name), most[name]) for name in most})

    def _counted(self, stage: str, name: str) -> float:
        return self._stages[stage].counters.get(name, 0) if stage in self._stages else 0

    def _count(self, stage: str, **counters: float) -> None:
        kept = self._stages.get(stage, Stage(stage, 0.0))
        self._stages[stage] = Stage(stage, kept.seconds, {**kept.counters, **counters})


def numbered(found: list[Survey], continues: list[bool]) -> tuple[Longs, list[str], Longs]:
    """The first body of each piece (p,), and name and faces of each body (b,).

    A piece that continues begins with the last body of the piece before. A name that is taken gets
    a number: "bolt", "bolt-2".
    """
    first: list[int] = []
    names: list[str] = []
    faces: list[int] = []
    taken: dict[str, int] = {}
    for one, goes_on in zip(found, continues, strict=True):
        first.append(len(names) - goes_on)
        for i, (name, count) in enumerate(zip(one.names, one.faces, strict=True)):
            if goes_on and i == 0:
                faces[-1] += count
                continue
            names.append(_free_name(name, taken))
            faces.append(count)
    return np.array(first, dtype=np.int64), names, np.array(faces, dtype=np.int64)


def _free_name(name: str, taken: dict[str, int]) -> str:
    free = name
    while free in taken:
        taken[name] += 1
        free = f"{name}-{taken[name]}"
    taken[free] = 1
    return free


def _checked_pairs(pairs: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    checked = [tuple(pair) for pair in pairs]
    for row, pair in enumerate(checked):
        if len(pair) != 2 or not all(isinstance(name, str) for name in pair):
            raise InputError(f"ignore[{row}] must be a pair of names of bodies, got {pair!r}")
    return checked  # type: ignore[return-value]


def _ids(pairs: list[list[str]], names: list[str]) -> Longs:
    if not pairs:
        return np.zeros((0, 2), dtype=np.int64)
    number = {name: i for i, name in enumerate(names)}
    for name in {name for pair in pairs for name in pair}:
        if name not in number:
            raise InputError(f"ignore: no body is called {name!r}{nearest(name, names)}")
    return np.array([sorted(number[name] for name in pair) for pair in pairs], dtype=np.int64)


def _say_nothing(_: str) -> None:
    pass
