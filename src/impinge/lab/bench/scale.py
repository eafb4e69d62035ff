"""`impinge bench scale`: what tiles cost, whether two workers are twice one, and what follows."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any

import numpy as np

from impinge._text import counted
from impinge.errors import Cancelled, ImpingeError
from impinge.lab.bench.scale_model import Cluster, Costs, StageCost, Work, predicted, simulated
from impinge.lab.bench.scale_scene import write_scene

if TYPE_CHECKING:
    from impinge._types import Longs
    from impinge.cluster import ClusterCollisions
    from impinge.results.stats import Stats

QUICK, USUAL, FULL = 150_000, 3_000_000, 52_000_000
_STAGES = ("survey", "scatter", "solve")
# in turns, of which the median counts
_ROUNDS = 5
TILES = (6_250, 12_500, 25_000, 50_000, 100_000, 200_000, 400_000)
WORKERS = (1, 2, 10, 100, 1000)
SIZES = (50e6, 1e9, 10e9)

Say = Callable[[str], object]


@dataclass
class Run:
    """One run of the scene."""

    name: str
    tile: int | None
    seconds: float
    stats: Stats
    pairs: int
    pair_bytes: int

    @property
    def peak_bytes(self) -> float:
        return max(stage.counters.get("peak_bytes", 0) for stage in self.stats.stages)

    def counter(self, stage: str, name: str) -> float:
        return next(s for s in self.stats.stages if s.name == stage).counters[name]

    def cpu(self, stage: str) -> float:
        return next(s for s in self.stats.stages if s.name == stage).seconds or 0.0


@dataclass
class ScaleResult:
    """Everything measured, and the model that was made of it."""

    triangles: int
    source_bytes: int
    runs: list[Run] = field(default_factory=list)
    single_seconds: float = 0.0
    schedule_seconds: float = 0.0
    ghosts: list[Run] = field(default_factory=list)
    costs: Costs | None = None

    def run(self, name: str) -> Run:
        return next(run for run in self.runs if run.name == name)

    @property
    def efficiency(self) -> float:
        """Of two workers: 1 when they take half the time of one."""
        return self.run("1 worker").seconds / (2 * self.run("2 workers").seconds)

    def checks(self) -> list[tuple[int, float, float, float]]:
        """Workers, seconds measured, by arithmetic, and simulated."""
        assert self.costs is not None
        rows = []
        for name, count in (("1 worker", 1), ("2 workers", 2)):
            run = self.run(name)
            here = Cluster(count, worker_bytes_per_second=np.inf, storage_bytes_per_second=np.inf)
            work = Work(
                self.triangles, pieces=int(run.counter("survey", "pieces")),
                tiles=int(run.counter("solve", "tiles")),
            )  # fmt: skip
            rows.append((
                count, run.seconds, predicted(self.costs, work, here),
                simulated(self.costs, work, here),
            ))  # fmt: skip
        return rows


def measure(
    folder: Path, triangles: int, *, memory: str = "2GB", full: bool = False, say: Say = print
) -> ScaleResult:
    """Make a scene, run it with one worker and two, compare the pairs with a plain run.

    All of it in a new folder in `folder`, gone at the end: what else is there is not ours.
    """
    fresh = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with TemporaryDirectory(prefix="impinge-scale-", dir=folder) as own:
            return _measure(Path(own), triangles, memory, full=full, say=say)
    finally:
        if fresh:
            with suppress(OSError):
                folder.rmdir()


def _measure(folder: Path, triangles: int, memory: str, *, full: bool, say: Say) -> ScaleResult:
    scene = folder / "scene"
    say(f"making a scene of {triangles:,} triangles")
    made = write_scene(scene, triangles)
    result = ScaleResult(made, sum(path.stat().st_size for path in scene.iterdir()))
    say("checking it in one process")
    # in a process of its own, which takes the memory with it that the system keeps files in
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        truth, result.single_seconds = pool.submit(_single, scene).result()
    runs: dict[int, list[Run]] = {1: [], 2: []}
    rounds = _ROUNDS if triangles > QUICK else 1
    for _ in range(rounds):
        for count, done in runs.items():
            with _client(count, memory) as client:
                done.append(_run(counted(count, "worker"), scene, truth, client, say=say))
                if count == 1:
                    result.schedule_seconds = _schedule_seconds(client)
    for done in runs.values():
        result.runs.append(sorted(done, key=lambda run: run.seconds)[rounds // 2])
    if full:
        with _client(2, memory) as client:
            for name, trouble in (
                ("2 workers, one killed", _Kill(client)), ("2 workers, aborted once", _Abort())
            ):  # fmt: skip
                result.runs.append(_run(name, scene, truth, client, trouble=trouble, say=say))
    few = scene if made <= USUAL else folder / "few"
    if few != scene:
        write_scene(few, USUAL)
    result.ghosts = _ghosts(few, folder / "run", made if few == scene else USUAL, memory, say)
    result.costs = _costs(result)
    return result


def _single(scene: Path) -> tuple[Longs, float]:
    """The pairs, as `rows` gives them, and the seconds it took."""
    from impinge.io import load_scene

    start = perf_counter()
    hits = load_scene(*sorted(scene.glob("*.stl"))).collide()
    seconds = perf_counter() - start
    columns = (hits.bodies[:, 0], hits.pairs[:, 0], hits.bodies[:, 1], hits.pairs[:, 1], hits.kinds)
    return np.stack(columns, axis=1).astype(np.int64), seconds


def rows(found: ClusterCollisions) -> Longs:
    """(n, 5) body, face, body, face, kind of all pairs, sorted."""
    parts = [
        np.column_stack((b.bodies[:, 0], b.faces[:, 0], b.bodies[:, 1], b.faces[:, 1], b.kinds))
        for b in found.pairs()
    ]
    whole = np.concatenate([np.zeros((0, 5), dtype=np.int64), *parts])
    return whole[np.lexsort(whole[:, 3::-1].T)]


@contextmanager
def _client(count: int, memory: str) -> Iterator[Any]:
    """Dask workers on this machine; one that takes more memory is ended by its nanny."""
    from importlib import import_module

    from impinge.cluster.limits import as_bytes
    from impinge.cluster.workers import local_cluster

    distributed: Any = import_module("distributed")
    with local_cluster(count, as_bytes(memory)) as cluster, distributed.Client(cluster) as client:
        yield client


class _Kill:
    """A progress callable that kills a worker in the middle of the tiles."""

    def __init__(self, client: Any) -> None:
        self._client, self._done = client, False

    def __call__(self, fraction: float) -> None:
        if fraction > 0.7 and not self._done:
            import os
            import signal

            self._done = True
            os.kill(next(iter(self._client.run(os.getpid).values())), signal.SIGKILL)


class _Abort:
    """A progress callable that gives up in the middle of the tiles, once."""

    def __init__(self) -> None:
        self._done = False

    def __call__(self, fraction: float) -> bool:
        give_up = fraction > 0.7 and not self._done
        self._done = self._done or give_up
        return not give_up


def _run(
    name: str, scene: Path, truth: Longs, client: Any, *, trouble: Any = None, say: Say
) -> Run:
    from impinge.cluster import collide

    say(name)
    out = scene.with_name("run")
    shutil.rmtree(out, ignore_errors=True)
    # what a worker imports is not part of the work
    client.run(_warm)
    start = perf_counter()
    options: dict[str, Any] = {"out": out, "client": client, "progress": trouble}
    try:
        found = collide(scene, **options)
    except Cancelled:
        found = collide(scene, **options)
    seconds = perf_counter() - start
    if not np.array_equal(rows(found), truth):
        raise ImpingeError(f"{name}: the pairs differ from those of one process")
    return _measured(name, None, seconds, found)


def _measured(name: str, tile: int | None, seconds: float, found: ClusterCollisions) -> Run:
    size = sum(path.stat().st_size for path in (found.folder / "pairs").iterdir())
    return Run(name, tile, seconds, found.stats, len(found), size)


def _warm() -> None:
    import impinge.cluster  # noqa: F401


def _ghosts(scene: Path, out: Path, triangles: int, memory: str, say: Say) -> list[Run]:
    """The same scene in tiles of different sizes, with one worker."""
    from impinge.cluster import collide

    result = []
    with _client(1, memory) as client:
        client.run(_warm)
        for tile in TILES:
            if tile > triangles / 2:
                break
            say(f"tiles of {tile:,}")
            shutil.rmtree(out, ignore_errors=True)
            start = perf_counter()
            found = collide(scene, out=out, client=client, tile=tile)
            name = f"tiles of {tile:,}"
            result.append(_measured(name, tile, perf_counter() - start, found))
    return result


def _costs(result: ScaleResult) -> Costs:
    """A fit to the CPU times of the runs with one worker, which other load disturbs least."""
    main = result.run("1 worker")
    triangles = result.triangles
    placed = triangles + main.counter("scatter", "ghosts")
    tiles = [(run.counter("solve", "tiles"), run) for run in result.ghosts]
    per_tile, _ = _line(
        [count for count, _ in tiles],
        [_placed(run) for _, run in tiles],
        [run.cpu("solve") for _, run in tiles],
    )
    # the size of the tiles tells the cost of one; the large run then tells that of its triangles
    solved = main.cpu("solve") - per_tile * main.counter("solve", "tiles")
    staged = sum(main.counter(stage, "elapsed_seconds") for stage in _STAGES)
    return Costs(
        StageCost(
            main.cpu("survey") / triangles, 0.0,
            result.source_bytes / triangles,
        ),
        StageCost(
            main.cpu("scatter") / placed, 0.0,
            (result.source_bytes + main.counter("scatter", "bytes")) / placed,
        ),
        StageCost(
            max(solved, 0.0) / placed,
            per_tile,
            (main.counter("scatter", "bytes") + main.pair_bytes) / placed,
        ),
        _power([run.tile or 0 for run in result.ghosts],
               [run.counter("scatter", "ghosts") / _triangles(run) for run in result.ghosts]),
        result.schedule_seconds,
        _plan_seconds(),
        main.seconds - staged,
    )  # fmt: skip


def _schedule_seconds(client: Any) -> float:
    """CPU time of scheduler and driver, both in this process, for a task that does nothing."""
    from impinge.cluster.workers import Dask, Task

    crew, count = Dask(client), 1000
    # as many tasks in flight as with many workers, where messages come in batches
    crew.count = 50
    tasks = [Task(i, _nothing, ()) for i in range(count)]
    list(crew.results("warm", tasks[:100]))
    start = process_time()
    for _ in crew.results("nothing", tasks):
        pass
    return (process_time() - start) / count


def _nothing() -> None:
    pass


def _triangles(run: Run) -> float:
    return run.counter("survey", "triangles")


def _placed(run: Run) -> float:
    return _triangles(run) + run.counter("scatter", "ghosts")


def _line(tiles: list[float], triangles: list[float], seconds: list[float]) -> tuple[float, float]:
    """Seconds per tile and per triangle, neither negative."""
    # each run counts the same, however long it was
    terms = np.array([tiles, triangles]).T / np.array(seconds)[:, None]
    per_tile, per_triangle = np.linalg.lstsq(terms, np.ones(len(seconds)), rcond=None)[0]
    if min(per_tile, per_triangle) < 0:
        return 0.0, float(sum(seconds) / sum(triangles))
    return float(per_tile), float(per_triangle)


def _power(sizes: list[int], shares: list[float]) -> tuple[float, float]:
    """a and b of share = a n^-b."""
    slope, offset = np.polyfit(np.log(sizes), np.log(shares), 1)
    return float(np.exp(offset)), float(-slope)


def _plan_seconds() -> float:
    """What it takes to cut space, per tile, with as many samples as there ever are."""
    from impinge.cluster.plan import Sample, refine, whole_space

    low = np.random.default_rng(0).random((200_000, 3))
    sample = Sample(np.concatenate([low, low + 1e-3], axis=1), np.ones(len(low)))
    start = perf_counter()
    plan, _ = refine(whole_space(), {0: sample}, 400.0)
    # ten times the sample takes ten times as long, in as many more tiles
    return (perf_counter() - start) / plan.tiles
