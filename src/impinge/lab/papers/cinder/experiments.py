"""Malmsten and Klasén 2005: what `cinder` finds, loses and invents, and how its time grows."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from impinge import _surfaces as surfaces
from impinge.detectors.registry import detector
from impinge.lab import scenes
from impinge.lab.scenes.particle_hits import compared
from impinge.lab.scenes.stairs import Stairs, views
from impinge.mesh import Mesh
from impinge.scene import Scene

if TYPE_CHECKING:
    from impinge._types import Ints

BVH = "bvh"
LOSSLESS = "lossless"
_PACKED: Mapping[str, Any] = {"reduce": "pack"}


@dataclass(frozen=True)
class CinderPlan:
    """How much is measured."""

    frames: int
    """Of the stairs."""
    every: int
    """So many frames apart all ways to ask are compared."""
    spheres: tuple[int, ...]
    resolutions: tuple[int, ...]
    resolution: int
    stages: tuple[int, ...]
    size: str
    """Of the pile of bodies."""
    times: tuple[float, ...]
    sizes: tuple[int, ...]
    objects: tuple[int, ...]
    frequencies: tuple[int, ...]
    repeat: int


FULL = CinderPlan(
    500, 20, (10, 50, 100, 250), (256, 512, 1024, 2048), 1024, (1, 2, 3, 4, 5, 6, 7, 8),
    "full", (0.5, 0.75, 1.0), (512, 1024, 2048), (25, 50, 100, 200, 400, 800),
    (2, 4, 8, 12, 16, 20), 3,
)  # fmt: skip
QUICK = CinderPlan(
    100, 20, (10, 50), (256, 512, 1024), 1024, (1, 2, 4, 6),
    "small", (1.0,), (256, 512, 1024), (25, 50, 100, 200), (2, 4, 8, 12), 2,
)  # fmt: skip
FEW, MANY = 50, 250
"""Spheres on the paper's stairs."""


@dataclass(frozen=True)
class Row:
    """One way to ask, summed over its frames; times are medians of a frame."""

    experiment: str
    bodies: int
    triangles: int
    method: str
    resolution: int | None
    reduce: str
    frames: int
    true: int
    found: int
    lost: int
    invented: int
    pixels: float
    """That hold a pair, in a frame."""
    seconds: float
    cpu: float

    @property
    def recall(self) -> float:
        return self.found / self.true if self.true else 1.0

    @property
    def precision(self) -> float:
        reported = self.found + self.invented
        return self.found / reported if reported else 1.0


@dataclass(frozen=True)
class Fit:
    """Seconds as a straight line over a number of things."""

    start: float
    slope: float
    share: float
    """R²: how much of the change the line explains."""

    @classmethod
    def of(cls, counts: Sequence[int], seconds: Sequence[float]) -> Fit:
        slope, start = np.polyfit(counts, seconds, 1)
        rest = np.var(np.array(seconds) - start - slope * np.array(counts))
        return cls(float(start), float(slope), float(1.0 - rest / np.var(seconds)))


@dataclass(frozen=True)
class CinderResult:
    rows: tuple[Row, ...]
    fits: Mapping[str, Fit]
    """Of the experiments "objects" and "polygons", by method."""
    plan: CinderPlan
    device: str

    def of(self, experiment: str, **columns: Any) -> list[Row]:
        """Rows of an experiment with these values."""
        return [
            row
            for row in self.rows
            if row.experiment == experiment
            and all(getattr(row, name) == value for name, value in columns.items())
        ]


def measure(
    *,
    quick: bool = False,
    device: str = "cpu",
    threads: int | None = None,
    say: Callable[[str], object] = lambda _: None,
) -> CinderResult:
    """All experiments."""
    plan = QUICK if quick else FULL
    asking = _Asking(plan, device, threads, say)
    rows = [*asking.run(), *asking.stairs(), *asking.stages(), *asking.pile()]
    growth = [*asking.objects(), *asking.polygons()]
    fits = {}
    for experiment, column in (("objects", "bodies"), ("polygons", "triangles")):
        for method in ("cinder", BVH):
            chosen = [r for r in growth if (r.experiment, r.method) == (experiment, method)]
            counts = [getattr(row, column) for row in chosen]
            fits[f"{experiment}, {method}"] = Fit.of(counts, [row.cpu for row in chosen])
    return CinderResult((*rows, *growth), fits, plan, device)


class _Way(NamedTuple):
    """How to ask."""

    resolution: int | None
    reduce: str = "none"
    """`none`, `lossless`, or a number of stages."""

    @property
    def method(self) -> str:
        return BVH if self.resolution is None else "cinder"

    def options(self) -> dict[str, Any]:
        if self.reduce == "none":
            return dict(_PACKED)
        if self.reduce == LOSSLESS:
            return {"reduce": LOSSLESS}
        return {"reduce": "stages", "stages": int(self.reduce)}


class _Answer(NamedTuple):
    counts: tuple[int, int, int, int]
    pixels: int
    seconds: float
    cpu: float


class _Asking:
    def __init__(
        self, plan: CinderPlan, device: str, threads: int | None, say: Callable[[str], object]
    ) -> None:
        self._plan = plan
        self._device = device
        self._threads = threads
        self._say = say

    def run(self) -> Iterator[Row]:
        """Some spheres on stairs, in every frame."""
        yield from self._flight("run", FEW, [_Way(self._plan.resolution), _Way(None)], every=1)

    def stairs(self) -> Iterator[Row]:
        """Spheres on stairs by their number and the resolution."""
        ways = [*(_Way(resolution) for resolution in self._plan.resolutions), _Way(None)]
        for count in self._plan.spheres:
            yield from self._flight("stairs", count, ways, every=self._plan.every)

    def stages(self) -> Iterator[Row]:
        """Many spheres, and an image that is halved again and again."""
        plan = self._plan
        reductions = ("none", *map(str, plan.stages), LOSSLESS)
        ways = [_Way(plan.resolution, reduce) for reduce in reductions]
        yield from self._flight("stages", MANY, ways, every=plan.every)

    def _flight(
        self, experiment: str, count: int, ways: Sequence[_Way], *, every: int
    ) -> Iterator[Row]:
        run = Stairs(count=count, method=BVH)
        methods = {way: self._method(way, views=views()) for way in ways}
        answers: dict[_Way, list[_Answer]] = {way: [] for way in ways}

        def numbered(pairs: Ints) -> Ints:
            return run.meeting.numbered(run.scene, pairs)

        for frame in range(self._plan.frames):
            run.step()
            if (frame + 1) % every:
                continue
            self._say(f"{experiment}: {count} spheres, frame {frame}")
            for way, method in methods.items():
                answers[way].append(self._ask(run.scene, method, run.meeting.true, numbered))
        for way, some in answers.items():
            yield _row(experiment, run.scene, way, some, bodies=count)

    def pile(self) -> Iterator[Row]:
        """Bodies of many triangles in a pile: recall and precision beside the time of `bvh`."""
        run = scenes.make("rigid-bunnies", size=self._plan.size)
        ways = [*(_Way(resolution) for resolution in self._plan.sizes), _Way(None)]
        answers: dict[_Way, list[_Answer]] = {way: [] for way in ways}
        for t in self._plan.times:
            run.advance(t)
            truth = _body_pairs(run.scene)
            for turn in range(self._plan.repeat):
                for way in ways:
                    self._say(f"pile at {t}: {way.method}, {way.resolution}")
                    answer = self._ask(run.scene, self._method(way), truth)
                    # the counts are the same every time
                    counts = answer.counts if turn == 0 else (0, 0, 0, 0)
                    answers[way].append(answer._replace(counts=counts))
        for way, some in answers.items():
            yield _row("pile", run.scene, way, some)

    def objects(self) -> Iterator[Row]:
        """More and more spheres of 320 triangles."""
        for count in self._plan.objects:
            yield from self._growth("objects", count, frequency=4)

    def polygons(self) -> Iterator[Row]:
        """40 spheres of more and more triangles."""
        for frequency in self._plan.frequencies:
            yield from self._growth("polygons", 40, frequency=frequency)

    def _growth(self, experiment: str, count: int, *, frequency: int) -> Iterator[Row]:
        self._say(f"{experiment}: {count} spheres of {20 * frequency**2} triangles")
        scene = _crowd(count, frequency)
        truth = _body_pairs(scene)
        ways = (_Way(self._plan.resolution), _Way(None))
        answers: dict[_Way, list[_Answer]] = {way: [] for way in ways}
        for turn in range(1 + 2 * self._plan.repeat):
            for way in ways:
                answer = self._ask(scene, self._method(way), truth)
                # the first one is the warm-up
                if turn:
                    answers[way].append(answer)
        for way, some in answers.items():
            yield _row(experiment, scene, way, some)

    def _method(self, way: _Way, **options: Any) -> Any:
        if way.method == BVH:
            return BVH
        assert way.resolution is not None
        return detector(
            "cinder",
            device=self._device,
            resolution=way.resolution,
            **{"rounds": 1, **way.options(), **options},
        )

    def _ask(
        self, scene: Scene, method: Any, truth: Ints, numbered: Callable[[Ints], Ints] = lambda x: x
    ) -> _Answer:
        _nudge(scene)
        start, busy = time.perf_counter(), time.process_time()
        pixels = 0
        if method == BVH:
            pairs = scene.collide(method=BVH, mode="first", workers=self._threads).bodies
        else:
            found = scene.overlaps(method=method, workers=self._threads)
            pairs, pixels = found.pairs, int(found.pixels.sum())
        seconds, cpu = time.perf_counter() - start, time.process_time() - busy
        return _Answer(compared(numbered(pairs), truth), pixels, seconds, cpu)


def _row(
    experiment: str, scene: Scene, way: _Way, answers: Sequence[_Answer], bodies: int | None = None
) -> Row:
    true, found, lost, invented = np.sum([answer.counts for answer in answers], axis=0).tolist()
    return Row(
        experiment, bodies or len(scene), sum(len(body.faces) for body in scene), way.method,
        way.resolution, way.reduce, len(answers), true, found, lost, invented,
        float(np.mean([answer.pixels for answer in answers])),
        float(np.median([answer.seconds for answer in answers])),
        float(np.median([answer.cpu for answer in answers])),
    )  # fmt: skip


def _body_pairs(scene: Scene) -> Ints:
    return scene.collide(method=BVH, mode="first").bodies


def _crowd(count: int, frequency: int) -> Scene:
    """Spheres in a slab; its side grows with the root of their number, so that they crowd alike."""
    random = np.random.default_rng(7)
    points, faces = surfaces.sphere(frequency)
    mesh = Mesh(points, faces)
    scene = Scene()
    side = 2.0 * np.sqrt(count)
    for place in random.uniform(0.0, (side, side, 4.0), size=(count, 3)):
        pose = np.eye(4)
        pose[:3, 3] = place
        scene.add(mesh, pose=pose)
    return scene


def _nudge(scene: Scene) -> None:
    """All bodies are new to everyone, though they are where they were."""
    for body in scene:
        body.pose = body.pose
