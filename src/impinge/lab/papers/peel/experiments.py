"""Georgii, Krüger and Westermann 2007: their scenes, resolutions and layers, with `peel`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from impinge.detectors.registry import detector
from impinge.lab import scenes
from impinge.lab.bench.compare import Verdict, compare
from impinge.lab.bench.oracle import WrongReferenceError

if TYPE_CHECKING:
    from pathlib import Path

    from impinge._types import AnyArray
    from impinge.lab.scenes import SceneRun
    from impinge.results.collisions import Collisions
    from impinge.results.stats import Stats

BVH = "bvh"
CONSERVATIVE = "conservative"
ALL_LAYERS = "all layers"
_PLAIN = {"conservative": False}
MODES: Mapping[str, Mapping[str, Any]] = {
    CONSERVATIVE: {},
    "dilate 1": {**_PLAIN, "dilate": 1},
    "dilate 0": {**_PLAIN, "dilate": 0},
}
RECALL_MODES: Mapping[str, Mapping[str, Any]] = {
    "dilate 0": MODES["dilate 0"],
    "dilate 1": MODES["dilate 1"],
    "dilate 2": {**_PLAIN, "dilate": 2},
    CONSERVATIVE: {},
}
LAYER_MODES: Mapping[str, Mapping[str, Any]] = {
    ALL_LAYERS: MODES["dilate 0"],
    "6 layers": {**MODES["dilate 0"], "layers": 6},
    "6 layers, deeper marked": {**MODES["dilate 0"], "layers": 6, "deeper": "mark"},
}
# the columns of the paper, and our stages in each; the paper does not snap
STAGES = {
    "snap": ("snap",),
    "sample": ("sample", "merge", "separate"),
    "pack": ("pack",),
    "exact": ("exact",),
}
_LAYERED = "rigid-bunnies"
_COUNTERS = (
    "rays", "fragments", "layers", "downloaded", "potentially_colliding", "tests", "hits",
    "bytes_down",
)  # fmt: skip


@dataclass(frozen=True)
class PeelPlan:
    """How much is measured."""

    size: str
    resolution: int
    resolutions: tuple[int, ...]
    frames: int
    """Of each scene, spread over its time."""
    repeat: int


FULL = PeelPlan("full", 1024, (64, 128, 256, 512, 1024), frames=8, repeat=3)
QUICK = PeelPlan("small", 256, (64, 128, 256), frames=4, repeat=1)


@dataclass(frozen=True)
class Record:
    """One way to ask about one frame of one scene; seconds are medians."""

    experiment: str
    scene: str
    triangles: int
    mode: str
    resolution: int | None
    t: float
    verdict: Verdict
    """Against `bvh`, or in the experiment with layers against what all layers give."""
    counters: Mapping[str, float]
    stages: Mapping[str, float]
    """Seconds of the paper's columns, see `STAGES`."""
    total: float
    """Wall time of the call, moving to the frame not included."""
    cpu: float
    """CPU time of the call, over all threads."""

    @property
    def recall(self) -> float:
        """Share of the pairs that was found."""
        expected = self.verdict.expected
        return 1.0 if not expected else 1.0 - self.verdict.missing / expected


@dataclass(frozen=True)
class PeelResult:
    records: tuple[Record, ...]
    runs: tuple[SceneRun, ...]
    plan: PeelPlan
    device: str

    def of(self, experiment: str, scene: str, mode: str) -> list[Record]:
        wanted = (experiment, scene, mode)
        return [one for one in self.records if (one.experiment, one.scene, one.mode) == wanted]


def measure(
    names: Sequence[str] = (),
    *,
    quick: bool = False,
    device: str = "cpu",
    threads: int | None = None,
    data: str | Path | None = None,
    say: Callable[[str], object] = lambda _: None,
) -> PeelResult:
    """All experiments on the scenes of these names (none: all of them)."""
    plan = QUICK if quick else FULL
    runs = [scenes.make(name, size=plan.size, data=data) for name in names or scenes.names()]
    asking = _Asking(plan, device, threads, say)
    records: list[Record] = []
    for run in runs:
        table = list(asking.table(run))
        busiest = max(table, key=lambda record: record.verdict.expected)
        records += [*table, *asking.recall(run, busiest.t)]
        if run.name == _LAYERED:
            records += asking.layers(run)
    return PeelResult(tuple(records), tuple(runs), plan, device)


class _Answer(NamedTuple):
    hits: Collisions
    total: float
    cpu: float


class _Asking:
    def __init__(
        self, plan: PeelPlan, device: str, threads: int | None, say: Callable[[str], object]
    ) -> None:
        self._plan = plan
        self._device = device
        self._threads = threads
        self._say = say

    def table(self, run: SceneRun) -> Iterator[Record]:
        """All modes, and `bvh`, in frames spread over the time of the scene."""
        for t in self._times(run):
            yield from self._frame("table", run, t, {**MODES, BVH: {}}, self._plan.resolution)

    def recall(self, run: SceneRun, t: float) -> Iterator[Record]:
        """What each mode finds at which resolution, in one frame."""
        for resolution in self._plan.resolutions:
            yield from self._frame("resolution", run, t, RECALL_MODES, resolution, repeat=1)

    def layers(self, run: SceneRun) -> Iterator[Record]:
        """What is lost when only the first six layers are looked at."""
        for t in self._times(run):
            yield from self._frame(
                "layers", run, t, LAYER_MODES, self._plan.resolution, against=ALL_LAYERS
            )

    def _times(self, run: SceneRun) -> Sequence[float]:
        count = min(self._plan.frames, run.frames)
        places = np.linspace(0, run.frames - 1, count).round().astype(int)
        return [run.times[place] for place in places]

    def _frame(
        self,
        experiment: str,
        run: SceneRun,
        t: float,
        modes: Mapping[str, Mapping[str, Any]],
        resolution: int,
        *,
        repeat: int | None = None,
        against: str | None = None,
    ) -> Iterator[Record]:
        run.advance(t)
        truth = _rows(self._ask(run, BVH).hits)
        methods = {name: self._method(name, modes[name], resolution) for name in modes}
        timed: dict[str, list[_Answer]] = {name: [] for name in methods}
        # in turns, so that a burst of load hits all; the first one is the warm-up
        for turn in range(1 + (repeat or self._plan.repeat)):
            for name, method in methods.items():
                self._say(f"{run.name} at {t:.2f}: {name}, {resolution} x {resolution}")
                # the vertices are new to everyone, so that a tree has to be refitted
                run.advance(t)
                asked = self._ask(run, method)
                if turn:
                    timed[name].append(asked)
                else:
                    _check(asked.hits, truth, exact=name in (BVH, CONSERVATIVE), where=run.name)
        if against is not None:
            truth = _rows(timed[against][0].hits)
        for name, answers in timed.items():
            answer = sorted(answers, key=lambda one: one.total)[len(answers) // 2]
            stats, peel = answer.hits.stats, name != BVH
            yield Record(
                experiment, run.name, run.faces, name, resolution if peel else None, t,
                compare(_rows(answer.hits), truth),
                {key: stats[key] for key in _COUNTERS if peel and key in stats},
                _stages(stats) if peel else {},
                answer.total, answer.cpu,
            )  # fmt: skip

    def _method(self, name: str, options: Mapping[str, Any], resolution: int) -> Any:
        if name == BVH:
            return BVH
        return detector("peel", device=self._device, resolution=resolution, **options)

    def _ask(self, run: SceneRun, method: Any) -> _Answer:
        start, busy = time.perf_counter(), time.process_time()
        hits = run.scene.collide(
            method=method, self_collision=run.self_collision, workers=self._threads
        )
        return _Answer(hits, time.perf_counter() - start, time.process_time() - busy)


def _rows(hits: Collisions) -> AnyArray:
    return np.concatenate([hits.bodies, hits.pairs], axis=1)


def _check(hits: Collisions, truth: AnyArray, *, exact: bool, where: str) -> None:
    """What is not sampled may be missing, but never in the exact modes, and nothing is made up."""
    verdict = compare(_rows(hits), truth)
    if verdict.extra or (exact and verdict.missing):
        raise WrongReferenceError(f"{where}: peel is not what bvh is: {verdict}")


def _stages(stats: Stats) -> dict[str, float]:
    found = {stage.name: stage.seconds or 0.0 for stage in stats.stages}
    return {name: sum(found.get(stage, 0.0) for stage in names) for name, names in STAGES.items()}
