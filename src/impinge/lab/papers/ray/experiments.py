"""Hermann, Faure and Raffin 2008: their six experiments, with `ray` and `proximity`."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from impinge._surfaces import capped
from impinge.detectors.registry import detector
from impinge.errors import SimulationError
from impinge.queries.contact_points import contact_points
from impinge.respond import penalty_forces
from impinge.simulate import World, box, overlap_volume
from impinge.simulate.polar import rotations
from impinge.simulate.setups import approaching_tori, chain, entangled_tori, falling_tori

if TYPE_CHECKING:
    from impinge._types import Floats, Ints
    from impinge.detectors.protocol import Detector

METHODS = ("ray", "ray, published", "proximity")
"""The same contacts with forces that slide, and with the springs of the paper."""
_TORUS_TUBE, _RING_TUBE = 0.3, 0.2
# how deep the cylinder is in the slab: its axis is this many radii above the top
_HEIGHT = 0.7
_ROTATIONS = 100
# of the volume of a ring: neighbours that have more in common are stuck in each other
_STUCK = 0.005


@dataclass(frozen=True)
class RayPlan:
    """How much is measured."""

    fine: int
    """Tori of 400 fine^2 faces."""
    sides: tuple[int, ...]
    steps: int
    """Of the separation and of the speed."""
    time_steps: tuple[float, ...]
    duration: float
    chain_links: int
    chain_step: float
    chain_time: float
    counts: tuple[int, ...]
    """Numbers of tori."""
    iterations: int
    """Of the scaling; the paper has 200."""


FULL = RayPlan(
    fine=2,
    sides=(10, 15, 20, 30, 40, 60, 80, 100, 125, 150),
    steps=60,
    time_steps=(0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6),
    duration=4.0,
    chain_links=5,
    chain_step=0.15,
    chain_time=6.0,
    counts=(2, 5, 10, 20, 50, 100, 200),
    iterations=10,
)
QUICK = RayPlan(
    fine=1,
    sides=(10, 40, 150),
    steps=30,
    time_steps=(0.1, 0.2, 0.3, 0.4, 0.5),
    duration=4.0,
    chain_links=3,
    chain_step=0.1,
    chain_time=2.0,
    counts=(2, 4, 8),
    iterations=5,
)


@dataclass(frozen=True)
class ForceQuality:
    """Sideways by upward force on an N-sided cylinder in a slab, over 100 rotations.

    Of the published springs: those that slide push straight up.
    """

    sides: int
    worst: float
    mean: float
    worst_unweighted: float
    """Without the cosine of the contact."""


@dataclass(frozen=True)
class Separation:
    """Two tori that overlap at the start."""

    method: str
    times: tuple[float, ...]
    volumes: tuple[float, ...]
    """Common to both, at each time."""


@dataclass(frozen=True)
class TimeStep:
    """Two tori that meet; whether they are apart in the end."""

    method: str
    dt: float
    overlap: float
    """At the end."""
    apart: bool


@dataclass(frozen=True)
class Speed:
    """A torus that falls on another; medians of all steps with contacts."""

    method: str
    contacts: float
    seconds: float
    cpu: float
    detection: float
    """Seconds, on the same frames for all methods."""

    @property
    def fps(self) -> float:
        return 1.0 / self.seconds


@dataclass(frozen=True)
class Swing:
    """A chain let go in a straight line, with a large time step."""

    method: str
    lowest: float
    """Where the last ring came to, by the length of the chain."""
    turned: float
    """How far neighbours turned against each other, to and fro; mean of all joints [degrees]."""
    stuck: float
    """The longest time that neighbours were in each other [s]."""
    overlap: float
    """Of all neighbours, in the end, by the volume of a ring."""


@dataclass(frozen=True)
class Scaling:
    """Many tori, each in the next; seconds are medians of one iteration."""

    count: int
    workers: int | None
    contacts: int
    seconds: float
    cpu: float
    detection: float


@dataclass(frozen=True)
class RayResult:
    quality: tuple[ForceQuality, ...]
    separation: tuple[Separation, ...]
    time_steps: tuple[TimeStep, ...]
    speed: tuple[Speed, ...]
    chain: tuple[Swing, ...]
    scaling: tuple[Scaling, ...]
    plan: RayPlan

    def largest_step(self, method: str) -> float:
        """The largest time step up to which the tori always parted."""
        reached = 0.0
        for one in self.time_steps:
            if one.method == method:
                if not one.apart:
                    break
                reached = one.dt
        return reached


def measure(
    *,
    quick: bool = False,
    threads: int | None = None,
    say: Callable[[str], object] = lambda _: None,
) -> RayResult:
    """All six experiments."""
    plan = QUICK if quick else FULL
    quality = []
    for sides in plan.sides:
        say(f"cylinder of {sides} sides")
        quality.append(force_quality(sides))
    separation, steps, swings = [], [], []
    for method in METHODS:
        say(f"{method}: tori that overlap")
        separation.append(separate(method, plan))
        for dt in plan.time_steps:
            say(f"{method}: tori that meet, time step {dt}")
            steps.append(time_step(method, dt, plan))
        say(f"{method}: chain")
        swings.append(swing(method, plan))
    say("tori that fall")
    speed = fall(plan)
    scaling = []
    for count in plan.counts:
        for workers in (1, threads):
            say(f"{count} tori, {workers or 'all'} threads")
            scaling.append(scale(count, workers, plan))
    return RayResult(
        tuple(quality), tuple(separation), tuple(steps), speed, tuple(swings),
        tuple(scaling), plan,
    )  # fmt: skip


def force_quality(sides: int) -> ForceQuality:
    """A cylinder with its axis parallel to the top of a slab."""
    slab = box((8.0, 8.0, 2.0), cells=1).moved((0.0, 0.0, -1.0 - _HEIGHT)).mesh
    weighted: list[float] = []
    unweighted: list[float] = []
    for turn in np.arange(_ROTATIONS) / _ROTATIONS:
        contacts = contact_points(_cylinder(sides, turn * 2.0 * np.pi / sides), slab, method="ray")
        plain = replace(contacts, weights=np.ones(len(contacts)))
        for ratios, used in ((weighted, contacts), (unweighted, plain)):
            x, _, z = penalty_forces(used, 1.0, contact="published").bodies[0].sum(axis=0)
            ratios.append(float(abs(x) / z))
    return ForceQuality(sides, max(weighted), float(np.mean(weighted)), max(unweighted))


def _cylinder(sides: int, angle: float) -> tuple[Floats, Ints]:
    """Radius 1 about the y axis; many rings, so that its two ends do not matter."""
    around = angle + np.arange(sides) * (2.0 * np.pi / sides)
    along = np.linspace(2.0, -2.0, 21)
    a, y = np.meshgrid(around, along, indexing="xy")
    rings = np.stack([np.sin(a), y, np.cos(a)], axis=-1)
    return capped(rings, np.array([0.0, 2.0, 0.0]), np.array([0.0, -2.0, 0.0]))


def separate(method: str, plan: RayPlan, dt: float = 0.02) -> Separation:
    """How the overlap of two tori falls."""
    world = entangled_tori(**_options(method, _TORUS_TUBE), fine=plan.fine, drag=0.5)
    times, volumes = [0.0], [_overlap(world)]
    for _ in range(plan.steps):
        world.step(dt)
        times.append(world.time)
        volumes.append(_overlap(world))
    return Separation(method, tuple(times), tuple(volumes))


def time_step(method: str, dt: float, plan: RayPlan) -> TimeStep:
    """Whether tori that meet are apart again after some time."""
    world = approaching_tori(**_options(method, _TORUS_TUBE), fine=plan.fine)
    try:
        for _ in range(round(plan.duration / dt)):
            world.step(dt)
    except SimulationError:
        return TimeStep(method, dt, np.inf, False)
    return TimeStep(method, dt, _overlap(world), not world.scene.collide())


def fall(plan: RayPlan, dt: float = 0.02) -> tuple[Speed, ...]:
    """Time of the steps in which tori touch, of all methods in turn."""
    options = {name: _options(name, _TORUS_TUBE) for name in METHODS}
    worlds = {name: falling_tori(**options[name], fine=plan.fine) for name in METHODS}
    rows: dict[str, list[tuple[float, ...]]] = {name: [] for name in METHODS}
    for _ in range(2 * plan.steps):
        for name, world in worlds.items():
            wall, cpu = time.perf_counter(), time.process_time()
            step = world.step(dt)
            taken = time.perf_counter() - wall, time.process_time() - cpu
            detection = _detection(worlds["ray"], options[name]["method"])
            if step.contact_points:
                rows[name].append((step.contact_points, *taken, detection))
    return tuple(Speed(name, *np.median(rows[name], axis=0).tolist()) for name in METHODS)


def _detection(world: World, method: Detector) -> float:
    """Seconds, with what must be done anew whenever bodies have moved."""
    world._moved()
    start = time.perf_counter()
    world.scene.contact_points(method=method, workers=world.workers)
    return time.perf_counter() - start


def swing(method: str, plan: RayPlan) -> Swing:
    """How far a chain swings, and how long its rings are stuck in each other."""
    world = chain(**_options(method, _RING_TUBE), links=plan.chain_links, fine=plan.fine)
    bodies, last = world.scene.bodies, world.bodies[-1]
    rest = [body.vertices for body in bodies]
    volume = overlap_volume(bodies[0], bodies[0], rays=24)
    joints = np.tile(np.eye(3), (plan.chain_links - 1, 1, 1))
    lowest, turned = 0.0, np.zeros(len(joints))
    since, longest = np.zeros(len(joints)), 0.0
    for _ in range(round(plan.chain_time / plan.chain_step)):
        world.step(plan.chain_step)
        lowest = max(lowest, -float(last.body.vertices[:, 2].mean()))
        turns = [_turn(a, body.vertices) for a, body in zip(rest, bodies, strict=True)]
        now = np.array([a.T @ b for a, b in pairwise(turns)])
        turned += [_degrees(a.T @ b) for a, b in zip(joints, now, strict=True)]
        joints = now
        overlaps = np.array([overlap_volume(a, b, rays=24) for a, b in pairwise(bodies)])
        since = np.where(overlaps > _STUCK * volume, since + plan.chain_step, 0.0)
        longest = max(longest, float(since.max()))
    return Swing(
        method, lowest / (2.0 * (plan.chain_links - 1)), float(turned.mean()), longest,
        float(overlaps.sum() / volume),
    )  # fmt: skip


def _turn(rest: Floats, now: Floats) -> Floats:
    """(3, 3) the rotation that takes one shape nearest to the other."""
    return rotations(((now - now.mean(axis=0)).T @ (rest - rest.mean(axis=0)))[..., None])[..., 0]


def _degrees(turn: Floats) -> float:
    return float(np.degrees(np.arccos(np.clip((np.trace(turn) - 1.0) / 2.0, -1.0, 1.0))))


def scale(count: int, workers: int | None, plan: RayPlan) -> Scaling:
    """Time of an iteration with many tori."""
    world = entangled_tori(count=count, fine=plan.fine, workers=workers)
    # the first one builds what is kept
    world.step(0.005)
    rows = []
    for _ in range(plan.iterations):
        wall, cpu = time.perf_counter(), time.process_time()
        step = world.step(0.005)
        taken = time.perf_counter() - wall, time.process_time() - cpu
        rows.append((step.contact_points, *taken, step.seconds["contact_points"]))
    contacts, *seconds = np.median(rows, axis=0).tolist()
    return Scaling(count, workers, int(contacts), *seconds)


def _options(name: str, tube: float) -> dict[str, Any]:
    """Of a world; with a third of the radius of the tube, proximity takes the largest time step."""
    if name == "proximity":
        return {"method": detector(name, threshold=tube / 3.0)}
    return {"method": detector("ray"), "contact": "sliding" if name == "ray" else "published"}


def _overlap(world: World) -> float:
    return overlap_volume(*world.scene.bodies, rays=48)
