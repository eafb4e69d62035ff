"""A cluster on paper: what a run costs, and the schedule of its tasks, event by event."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from impinge.cluster.limits import Limits, piece_count

if TYPE_CHECKING:
    from impinge._types import Floats


@dataclass(frozen=True)
class StageCost:
    """What a stage costs on one core: per triangle (ghosts included for tiles) and per task."""

    seconds_per_triangle: float
    seconds_per_task: float
    bytes_per_triangle: float
    deviation: float = 0.15
    """Of the time of a task, as a share of it: tasks of one size are not equally long."""


@dataclass(frozen=True)
class Costs:
    """Measured on one machine. ghosts: their share with tiles of n triangles is a n^-b."""

    survey: StageCost
    scatter: StageCost
    solve: StageCost
    ghosts: tuple[float, float]
    schedule_seconds: float
    """What the scheduler and the driver do for each task, one after the other."""
    plan_seconds_per_tile: float
    fixed_seconds: float = 0.0
    """Of a run, whatever its size."""

    def ghost_share(self, tile: float) -> float:
        a, b = self.ghosts
        return float(a * tile**-b)


@dataclass(frozen=True)
class Cluster:
    """What surrounds the cores. Storage is shared by all workers."""

    workers: int
    worker_bytes_per_second: float = 250e6
    storage_bytes_per_second: float = 20e9
    slow_workers: float = 0.0
    """Share of workers that take `slowness` times as long for everything."""
    slow_tasks: float = 0.0
    slowness: float = 3.0
    hours_between_failures: float = np.inf
    """Of one worker, on average."""
    restart_seconds: float = 60.0
    notice_seconds: float = 300.0
    """Until the scheduler gives a silent worker up and its task to another one."""

    def troubled(self) -> Cluster:
        """The same with stragglers and failures: far more than a healthy cluster has."""
        return replace(self, slow_workers=0.02, slow_tasks=0.01, hours_between_failures=50.0)


class Stage(NamedTuple):
    name: str
    tasks: int
    seconds: float
    """Of one task on an idle core, with its share of reading and writing."""
    deviation: float


@dataclass(frozen=True)
class Work:
    """What there is to do. pieces, tiles: None as a run would choose them."""

    triangles: float
    memory: int = 2 * 10**9
    pieces: int | None = None
    tiles: int | None = None

    def counts(self, costs: Costs, workers: int) -> tuple[int, int, float]:
        """Pieces, tiles, and the share of ghosts."""
        whole = int(self.triangles)
        tile = Limits.of(self.memory).tile(whole, workers)
        ghosts = costs.ghost_share(tile)
        pieces = self.pieces or piece_count(whole, workers)
        # a k-d tree halves: its tiles are between half full and full
        tiles = self.tiles or int(np.ceil(self.triangles * (1 + ghosts) / (0.7 * tile)))
        return pieces, tiles, ghosts


def stages(costs: Costs, work: Work, cluster: Cluster) -> list[Stage]:
    """The tasks of a run."""
    pieces, tiles, ghosts = work.counts(costs, cluster.workers)
    placed = work.triangles * (1 + ghosts)
    result = []
    for name, count, rows in (
        ("survey", pieces, work.triangles),
        ("scatter", pieces, placed),
        ("solve", tiles, placed),
    ):
        cost: StageCost = getattr(costs, name)
        at_work = min(cluster.workers, count)
        each = min(cluster.worker_bytes_per_second, cluster.storage_bytes_per_second / at_work)
        seconds = cost.seconds_per_triangle + cost.bytes_per_triangle / each
        of_one = cost.seconds_per_task + seconds * rows / count
        result.append(Stage(name, count, of_one, cost.deviation))
    return result


def predicted(costs: Costs, work: Work, cluster: Cluster) -> float:
    """Seconds of a run by arithmetic: the work shared out, and one task of each stage to end."""
    total = costs.fixed_seconds
    for stage in stages(costs, work, cluster):
        shared = stage.tasks * stage.seconds / cluster.workers
        scheduled = stage.tasks * costs.schedule_seconds
        wait = stage.seconds / 2 if cluster.workers > 1 and stage.tasks > 1 else 0.0
        total += max(shared, scheduled) + wait
        if stage.name == "solve":
            total += stage.tasks * costs.plan_seconds_per_tile
    return total


def simulated(costs: Costs, work: Work, cluster: Cluster, *, seed: int = 0) -> float:
    """Seconds of a run by going through its schedule, with stragglers and failures."""
    random = np.random.default_rng(seed)
    slow = random.random(cluster.workers) < cluster.slow_workers
    speed = np.where(slow, cluster.slowness, 1.0)
    total = costs.fixed_seconds
    for stage in stages(costs, work, cluster):
        spread = random.lognormal(0.0, stage.deviation, stage.tasks)
        straggling = random.random(stage.tasks) < cluster.slow_tasks
        durations = stage.seconds * spread * np.where(straggling, cluster.slowness, 1.0)
        # the fullest tiles first, as in a real run
        if stage.name == "solve":
            durations = -np.sort(-durations)
            total += stage.tasks * costs.plan_seconds_per_tile
        total += _stage_seconds(durations, speed, cluster, costs.schedule_seconds, random)
    return total


def _stage_seconds(
    durations: Floats,
    speed: Floats,
    cluster: Cluster,
    schedule_seconds: float,
    random: np.random.Generator,
) -> float:
    """Hand out tasks in order; a failed worker's task comes again when its loss is noticed."""
    free = [(0.0, worker) for worker in range(cluster.workers)]
    heapq.heapify(free)
    # (when it can start, task): the scheduler hands one out every so often
    ready = [(i * schedule_seconds, i) for i in range(len(durations))]
    heapq.heapify(ready)
    between = cluster.hours_between_failures * 3600
    end = 0.0
    while ready:
        release, task = heapq.heappop(ready)
        now, worker = heapq.heappop(free)
        start = max(now, release)
        seconds = float(durations[task] * speed[worker])
        lives = random.exponential(between) if np.isfinite(between) else np.inf
        if lives < seconds:
            died = start + lives
            heapq.heappush(free, (died + cluster.restart_seconds, worker))
            heapq.heappush(ready, (died + cluster.notice_seconds, task))
            continue
        heapq.heappush(free, (start + seconds, worker))
        end = max(end, start + seconds)
    return end
