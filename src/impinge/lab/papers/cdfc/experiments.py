"""Mainzer and Zachmann 2013: Cloth on Ball and Funnel, with `cdfc`, `bvh` and the peers."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from impinge.detectors.common.devices import takes_gpu
from impinge.lab.bench import peers
from impinge.lab.bench.cases import Deforming
from impinge.lab.bench.contender import Remote, ended
from impinge.lab.bench.measure import Limits, Row
from impinge.lab.bench.measure import measure as compared
from impinge.lab.bench.oracle import WrongReferenceError
from impinge.lab.bench.peers.protocol import Task
from impinge.lab.bench.recorded import recorded
from impinge.lab.bench.workload import Workload
from impinge.lab.scenes.cloths import cloth_in_funnel, cloth_on_ball
from impinge.scene import Scene

if TYPE_CHECKING:
    from pathlib import Path

STAGES = ("cluster", "pca", "boxes", "sort", "collect", "intersect")
PAPER = {
    "ball": {"CDFC": 20.24, "CStreams": 18.6, "Pabst": 36.6, "HPCCD": 23.2, "MCCD": 32.5},
    "funnel": {"CDFC": 6.53, "CStreams": 4.4, "Pabst": 6.7},
}
"""Milliseconds of table 1: means of a frame on a GeForce GTX 480."""
TITLES = {"ball": "Cloth on Ball", "funnel": "Funnel"}


class Cdfc(peers.Impinge):
    """impinge asked with `cdfc`."""

    name = "impinge cdfc"
    device = "cpu"

    def itself(self, case: Deforming) -> Task:
        scene, workers = self.library().Scene(), self.threads
        body = scene.add(case.frames[0], case.faces)
        method = self.library().detector("cdfc", device=self.device)

        def run(step: int) -> Any:
            body.vertices = case.frames[step]
            return scene.collide(method=method, self_collision=True, workers=workers)

        return Task(run, lambda r: np.sort(r.pairs, axis=1))


class CdfcOnGpu(Cdfc):
    """The same on a GPU, which is not measured where it is only imitated."""

    name = "impinge cdfc, GPU"
    device = "gpu"

    @property
    def installed(self) -> bool:
        return takes_gpu("auto")


@dataclass(frozen=True)
class CdfcPlan:
    """How much is measured."""

    frames: int
    """Of the made scenes."""
    repeat: int
    """Passes through the frames for the time of the stages; the median counts."""
    cells: tuple[int, int]
    """Of the cloth on the ball and of that in the funnel."""
    limits: Limits


# as many faces as the paper has: 92k and 760; 14.4k, 2k and 1.7k
FULL = CdfcPlan(24, 5, (214, 85), Limits(repeat=5, turns=15))
QUICK = CdfcPlan(
    6, 2, (60, 40), Limits(repeat=2, checking=0.1, timing=0.3, slowest=1.0, total=30.0)
)


@dataclass(frozen=True)
class Frame:
    """One frame with `cdfc`; its pairs are those of `bvh`."""

    t: float
    pairs: int
    stages: dict[str, float]
    """Seconds of each stage."""
    total: float
    cpu: float
    bvh: float
    bvh_cpu: float
    counters: dict[str, float]


@dataclass(frozen=True)
class Experiment:
    scene: str
    """ball or funnel."""
    recorded: bool
    faces: int
    frames: tuple[Frame, ...]
    rows: tuple[Row, ...]
    """`bvh`, `cdfc` and the peers, a frame each."""

    @property
    def title(self) -> str:
        return f"{TITLES[self.scene]}, {'recorded' if self.recorded else 'made'}"

    @property
    def name(self) -> str:
        return f"{self.scene}-recorded" if self.recorded else self.scene


@dataclass(frozen=True)
class CdfcResult:
    experiments: tuple[Experiment, ...]
    missing: tuple[Any, ...]
    """Peers that are not installed."""
    threads: int | None


def measure(
    *,
    quick: bool = False,
    threads: int | None = None,
    peer_names: Iterable[str] = (),
    data: str | Path | None = None,
    say: Callable[[str], object] = lambda _: None,
) -> CdfcResult:
    """Both scenes, made, and recorded where the data is."""
    plan = QUICK if quick else FULL
    asked = [peer for peer in peers.selected(peer_names) if "itself" in peer.tasks]
    present = [peer for peer in asked if peer.installed]
    for peer in present:
        say(f"preparing {peer.name}")
        peer.make_ready()
    found = []
    begin = time.perf_counter()
    cases = _cases(plan, data)
    ours = (peers.Impinge(), Cdfc(), CdfcOnGpu())
    contenders = [Remote(one, threads=threads) for one in (*ours, *present) if one.installed]
    with ended(contenders):
        for one in contenders:
            one.limit = 20.0 if quick else 120.0
            one.start()
        for position, (scene, recorded, case) in enumerate(cases):
            say(f"{scene}: stages")
            frames = stages(case, plan, threads)
            workload = Workload(
                scene, TITLES[scene], "itself", partial(_same, case), len(case.frames), chunk=4,
                unit="frame",
            )  # fmt: skip
            until = float("inf")
            if plan.limits.total is not None:
                until = begin + plan.limits.total * (position + 1) / len(cases)
            rows = compared(workload, contenders, plan.limits, until=until, say=say)
            found.append(Experiment(scene, recorded, len(case.faces), tuple(frames), tuple(rows)))
    absent = tuple(peer for peer in asked if not peer.installed)
    return CdfcResult(tuple(found), absent, threads)


def stages(case: Deforming, plan: CdfcPlan, threads: int | None) -> list[Frame]:
    """Every frame with `cdfc` and `bvh` in turns."""
    scenes = {method: Scene() for method in ("bvh", "cdfc")}
    bodies = {method: scene.add(case.frames[0], case.faces) for method, scene in scenes.items()}
    seen: list[list[dict[str, Any]]] = [[] for _ in case.frames]
    for turn in range(plan.repeat + 1):
        for index, vertices in enumerate(case.frames):
            one: dict[str, Any] = {}
            for method, scene in scenes.items():
                bodies[method].vertices = vertices
                wall, cpu = time.perf_counter(), time.process_time()
                hits = scene.collide(method=method, self_collision=True, workers=threads)
                one[method] = (
                    hits, time.perf_counter() - wall, time.process_time() - cpu
                )  # fmt: skip
            mine, true = one["cdfc"][0], one["bvh"][0]
            if not np.array_equal(mine.pairs, true.pairs):
                raise WrongReferenceError(f"frame {index}: cdfc and bvh disagree")
            # the first pass builds what is kept
            if turn > 0:
                seen[index].append(one)
    return [_frame(index / max(1, len(seen) - 1), some) for index, some in enumerate(seen)]


def _frame(t: float, seen: list[dict[str, Any]]) -> Frame:
    stats = [one["cdfc"][0].stats for one in seen]
    times = {stage: float(np.median([s[f"{stage}_seconds"] for s in stats])) for stage in STAGES}
    clock = {
        (method, k): float(np.median([one[method][k] for one in seen]))
        for method in ("cdfc", "bvh")
        for k in (1, 2)
    }
    last = seen[-1]["cdfc"][0]
    names = ("clusters", "copies", "iterations", "sweep_pairs", "y_pairs", "z_pairs", "tests")
    return Frame(
        t, len(last.pairs), times, clock["cdfc", 1], clock["cdfc", 2], clock["bvh", 1],
        clock["bvh", 2], {name: last.stats[name] for name in names},
    )  # fmt: skip


def _cases(plan: CdfcPlan, data: str | Path | None) -> list[tuple[str, bool, Deforming]]:
    times = np.linspace(0, 1, plan.frames)
    fine, coarse = plan.cells
    on_ball, ball = cloth_on_ball(times, cells=fine, frequency=6)
    in_funnel, funnel = cloth_in_funnel(times, cells=coarse, around=50, along=20, bands=30)
    cases = [
        ("ball", False, Deforming(ball, on_ball)),
        ("funnel", False, Deforming(funnel, in_funnel)),
    ]
    for name, case in recorded(data).items():
        cases.append((name, True, case))
    return cases


def _same(case: Deforming) -> Deforming:
    return case
