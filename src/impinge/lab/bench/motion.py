"""Times of impact: never late and never early, beside python-fcl; and motions that are called free.

The truth is a bisection on exact collisions in poses that are made here, not by `Motion`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

import impinge
from impinge._outputs import write_text
from impinge._surfaces import box, sphere, wrapped
from impinge._terminal import drawn
from impinge.lab.scenes.motion import spinning
from impinge.results import BodyMotions, MotionVerdict

if TYPE_CHECKING:
    from impinge._types import Bools, Floats

KINDS = ("translation", "rotation", "both", "screw", "grazing")
# differences in time that are told from none: FCL's and our poses round differently
_SAME = 1e-9


class Case(NamedTuple):
    """Two meshes, and poses at the ends of a motion of the second."""

    a: impinge.Mesh
    b: impinge.Mesh
    start: Floats
    goal: Floats
    kind: str

    def motion(self) -> impinge.Motion:
        if self.kind == "screw":
            return impinge.Motion.screw(self.start, self.goal)
        return impinge.Motion((self.start, self.goal))

    def poses(self, times: Floats) -> Floats:
        """Poses (k, 4, 4), by formulas of our own."""
        turn = self.goal[:3, :3] @ self.start[:3, :3].T
        skew = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
        sine = float(np.linalg.norm(skew)) / 2
        angle = math.atan2(sine, (float(np.trace(turn)) - 1) / 2)
        axis = skew / (2 * sine) if sine else np.array([0.0, 0.0, 1.0])
        turned = rotations(axis, times * angle)
        here, there = self.start[:3, 3], self.goal[:3, 3]
        result = np.tile(np.eye(4), (len(times), 1, 1))
        result[:, :3, :3] = turned @ self.start[:3, :3]
        result[:, :3, 3] = here + times[:, None] * (there - here)
        if self.kind == "screw" and sine:
            slide = axis * (axis @ (there - here))
            still = np.eye(3) - rotations(axis, np.array([angle]))[0]
            centre = here + np.linalg.lstsq(still, there - slide - here, rcond=None)[0]
            result[:, :3, 3] = turned @ (here - centre) + centre + times[:, None] * slide
        return result


@dataclass(frozen=True)
class Row:
    """How one library did on all motions."""

    library: str
    kind: str
    motions: int
    missed: int
    """Impacts that it did not find."""
    late: int
    """Times later than the truth."""
    early: int
    """Times at which the gap is wider than the tolerance."""
    phantom: int
    """Impacts where the truth has none, and the gap is wider than the tolerance."""
    microseconds: float
    """CPU time of a motion."""


def rotations(axis: Floats, angles: Floats) -> Floats:
    """(k, 3, 3) about a unit axis."""
    return spinning(np.broadcast_to(axis, (len(angles), 3)), angles)


def cases(count: int, seed: int = 0) -> Iterator[Case]:
    """Motions past a body at the origin, or through it; those that graze are moved to touch."""
    rng = np.random.default_rng(seed)
    meshes = [impinge.Mesh(*one) for one in (sphere(4), _torus(24, 12), box((1.0, 1.3, 0.7)))]
    for index in range(count):
        kind = KINDS[index % len(KINDS)]
        a, b = (meshes[i] for i in rng.integers(len(meshes), size=2))
        yield _case(rng, a, b, kind)


def _torus(n: int, m: int) -> tuple[Floats, Any]:
    around, across = (np.arange(k) * (2 * np.pi / k) for k in (n, m))
    u, v = np.meshgrid(around, across, indexing="ij")
    wide = 1 + 0.3 * np.cos(v)
    points = np.stack([wide * np.cos(u), wide * np.sin(u), 0.3 * np.sin(v)], axis=-1)
    return points.reshape(-1, 3), wrapped(n, m)


def _case(rng: np.random.Generator, a: impinge.Mesh, b: impinge.Mesh, kind: str) -> Case:
    def unit() -> Floats:
        v = rng.normal(size=3)
        direction: Floats = v / np.linalg.norm(v)
        return direction

    start, goal = np.eye(4), np.eye(4)
    shift = 3.5 * unit()
    start[:3, :3] = rotations(unit(), rng.uniform(0, 3, 1))[0]
    start[:3, 3] = 0.5 * shift if kind == "rotation" else shift
    goal[:3, 3] = start[:3, 3] if kind == "rotation" else 1.2 * rng.normal(size=3) - shift
    turn = np.zeros(1) if kind == "translation" else rng.uniform(0, 3, 1)
    goal[:3, :3] = rotations(unit(), turn)[0] @ start[:3, :3]
    case = Case(a, b, start, goal, kind)
    if kind != "grazing":
        return case
    poses = case.poses(np.linspace(0, 1, 400))
    gaps = impinge.distance(a, b, poses=poses)
    nearest = gaps[int(np.argmin(gaps.values))]
    if nearest.points is not None and nearest.value > 0:
        for pose in (start, goal):
            pose[:3, 3] -= nearest.points[1] - nearest.points[0]
    return case


def truth(case: Case, samples: int) -> float:
    """The first of many samples that collides, halved down to the last bit; inf for none."""
    times = np.linspace(0, 1, samples)
    hits = impinge.collides(case.a, case.b, poses=case.poses(times))
    if not hits.any():
        return math.inf
    first = int(np.argmax(hits))
    low, high = times[max(first - 1, 0)], times[first]
    while first and low < (middle := (low + high) / 2) < high:
        met = impinge.collides(case.a, case.b, poses=case.poses(np.array([middle])))[0]
        low, high = (low, middle) if met else (middle, high)
    return float(high)


Ask = Callable[[Case], float]


def contenders() -> dict[str, Ask]:
    """What is asked: impinge, and python-fcl in four ways when it is installed."""
    found: dict[str, Ask] = {"impinge": _impinge}
    try:
        fcl: Any = import_module("fcl")
    except ImportError:
        return found
    models: dict[int, Any] = {}

    def model(mesh: impinge.Mesh) -> Any:
        if id(mesh) not in models:
            made = fcl.BVHModel()
            made.beginModel(len(mesh.vertices), len(mesh.faces))
            made.addSubModel(np.array(mesh.vertices), np.array(mesh.faces))
            made.endModel()
            models[id(mesh)] = made, mesh
        return models[id(mesh)][0]

    def asks(solver: int, samples: int) -> Ask:
        def ask(case: Case) -> float:
            kinds = fcl.CCDMotionType
            kind = kinds.CCDM_SCREW if case.kind == "screw" else kinds.CCDM_LINEAR
            request = fcl.ContinuousCollisionRequest(
                num_max_iterations=samples, ccd_motion_type=kind, ccd_solver_type=solver
            )
            request.toc_err = 1 / samples
            still = fcl.CollisionObject(model(case.a), fcl.Transform())
            start = fcl.Transform(case.start[:3, :3], case.start[:3, 3])
            goal = fcl.Transform(case.goal[:3, :3], case.goal[:3, 3])
            moving = fcl.CollisionObject(model(case.b), start)
            result = fcl.ContinuousCollisionResult()
            fcl.continuousCollide(still, fcl.Transform(), moving, goal, request, result)
            return float(result.time_of_contact) if result.is_collide else math.inf

        return ask

    solvers = fcl.CCDSolverType
    for samples in (10, 100, 10_000):
        found[f"python-fcl, {samples} samples"] = asks(solvers.CCDC_NAIVE, samples)
    advancing = asks(solvers.CCDC_CONSERVATIVE_ADVANCEMENT, 100)
    found["python-fcl, conservative advancement"] = advancing
    return found


def _impinge(case: Case) -> float:
    found = impinge.time_of_impact(case.a, case.b, motion_b=case.motion(), workers=1)
    return float(found)  # type: ignore[arg-type]


def compare(
    count: int, samples: int, *, seed: int = 0, say: Callable[[str], object] = lambda _: None
) -> list[Row]:
    """All libraries on the same motions; answers are held to the truth."""
    made = list(cases(count, seed))
    asked = contenders()
    truths = np.empty(count)
    answers = {name: np.empty(count) for name in asked}
    spent = {name: np.zeros(count) for name in asked}
    for case in made[:50]:
        # trees are built before anything is timed
        for ask in asked.values():
            ask(case)
    for index, case in enumerate(made):
        say(f"motion {index + 1} of {count}")
        truths[index] = truth(case, samples)
        for name, ask in asked.items():
            begun = process_time()
            answers[name][index] = ask(case)
            spent[name][index] = process_time() - begun
    kinds = np.array([case.kind for case in made])
    rows = []
    for name in asked:
        gaps = np.array([_gap(*pair) for pair in zip(made, answers[name], strict=True)])
        for kind in ("all", *KINDS):
            chosen = np.ones(count, bool) if kind == "all" else kinds == kind
            columns = {
                "answers": answers[name],
                "truths": truths,
                "gaps": gaps,
                "spent": spent[name],
            }
            rows.append(_row(name, kind, **{key: c[chosen] for key, c in columns.items()}))
    return rows


def _gap(case: Case, time: float) -> float:
    """How far apart the bodies are at a time, in tolerances of 2^-20; 0 for no impact."""
    if math.isinf(time):
        return 0.0
    size = sum(float(np.linalg.norm(np.ptp(m.vertices, axis=0))) for m in (case.a, case.b))
    gap = impinge.distance(case.a, case.b, poses=case.poses(np.array([time])))[0].value
    return gap / (2**-20 * size)


def _row(
    library: str, kind: str, *, answers: Floats, truths: Floats, gaps: Floats, spent: Floats
) -> Row:
    hit, told = truths < math.inf, answers < math.inf
    wide: Bools = gaps > 1.0 + 1e-6
    return Row(
        library,
        kind,
        len(truths),
        int((hit & ~told).sum()),
        int((hit & told & (answers > truths + _SAME)).sum()),
        int((hit & wide).sum()),
        int((~hit & wide).sum()),
        float(spent.mean() * 1e6),
    )


@dataclass(frozen=True)
class FreeRow:
    """What became of motions that `Scene.free` was asked about."""

    motions: int
    samples: int
    free: int
    blocked: int
    uncertain: int
    wrong: int
    """Called free, and one of the samples collides."""


def free(
    count: int, samples: int, *, seed: int = 0, say: Callable[[str], object] = lambda _: None
) -> FreeRow:
    """Random motions of small meshes, each in many random poses."""
    rng = np.random.default_rng(seed)
    meshes = [impinge.Mesh(*sphere(2)), impinge.Mesh(*_torus(8, 5))]
    meshes.append(impinge.Mesh(*box((1.0, 1.3, 0.7))))
    tally, wrong, batch = np.zeros(3, int), 0, 200
    for done in range(0, count, batch):
        say(f"{done:,} of {count:,} motions, {wrong} wrong")
        a, b = (meshes[i] for i in rng.integers(len(meshes), size=2))
        scene = impinge.Scene()
        scene.add(a, name="a")
        scene.add(b, name="b")
        kinds = rng.choice(("translation", "rotation", "both"), min(batch, count - done))
        made = [_case(rng, a, b, kind) for kind in kinds]
        found = scene.free({"b": np.array([(one.start, one.goal) for one in made])})
        assert isinstance(found, BodyMotions)
        verdicts = found.verdicts
        times = rng.uniform(0, 1, samples)
        poses = np.concatenate([one.poses(times) for one in made])
        met = impinge.collides(a, b, poses=poses).reshape(len(made), samples).any(axis=1)
        wrong += int((met & (verdicts == MotionVerdict.FREE)).sum())
        tally += np.bincount(verdicts, minlength=3)
    clear, blocked, uncertain = tally.tolist()
    return FreeRow(count, samples, clear, blocked, uncertain, wrong)


def table(rows: list[Row], free_row: FreeRow) -> str:
    columns = [
        ("library", False), ("motions", False), ("number", True), ("missed", True), ("late", True),
        ("early", True), ("phantom", True), ("µs each", True),
    ]  # fmt: skip
    text = [
        (
            row.library, row.kind, f"{row.motions:,}", f"{row.missed:,}", f"{row.late:,}",
            f"{row.early:,}", f"{row.phantom:,}", f"{row.microseconds:,.0f}",
        )
        for row in rows
    ]  # fmt: skip
    return drawn("Times of impact", columns, text) + (
        f"{free_row.motions:,} motions, each at {free_row.samples:,} times: {free_row.free:,} "
        f"free, {free_row.blocked:,} blocked, {free_row.uncertain:,} uncertain; "
        f"{free_row.wrong:,} wrongly called free\n"
    )


def write(rows: list[Row], free_row: FreeRow, folder: Path) -> Path:
    from impinge.lab.bench.report import machine

    path = folder / "motion.json"
    folder.mkdir(parents=True, exist_ok=True)
    rows_out = [asdict(row) for row in rows]
    content = {"machine": machine(), "impacts": rows_out, "free": asdict(free_row)}
    write_text(path, json.dumps(content, indent=1) + "\n")
    return path
