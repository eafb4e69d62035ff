"""Zachmann and Knittel 2003: Table 1, their chip as a model beside our software."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

import impinge
from impinge.errors import InputError, word_list
from impinge.lab.bench.compare import compare
from impinge.lab.chip import Chip
from impinge.lab.papers.dop.objects import OBJECTS, load
from impinge.lab.papers.dop.placing import close_turn

if TYPE_CHECKING:
    from pathlib import Path

    from impinge._types import Floats
    from impinge.detectors.protocol import Detector

TRAVERSALS = ("classic", "list")


@dataclass(frozen=True)
class DopPlan:
    """How much is measured."""

    steps: int
    """Of the full turn."""
    repeat: int
    """Of the software, of which the quickest is taken."""
    share: float = 1.0
    """Of the triangles."""


FULL = DopPlan(steps=72, repeat=5)
QUICK = DopPlan(steps=12, repeat=2)


@dataclass(frozen=True)
class Record:
    """One pose of one object; times in microseconds."""

    object: str
    step: int
    aligned: int
    tumbled: int
    checks: int
    lists: int
    list_pairs: int
    levels: int
    sram_words: int
    formula: float
    cycles: float
    """By the count of cycles."""
    with_triangles: float
    """The same with what the paper leaves out."""
    classic: float
    """Software, one thread."""
    list: float
    pairs: int
    """Of faces that cross, by the exact test."""
    missed: int
    """Of these, not found by the chip."""
    extra: int
    """Found by the chip, and do not even touch."""


@dataclass(frozen=True)
class Turn:
    """All poses of one object."""

    name: str
    stand_in: str
    triangles: int
    records: tuple[Record, ...]

    def column(self, key: str) -> Floats:
        return np.array([getattr(one, key) for one in self.records], dtype=np.float64)

    def average(self, key: str) -> float:
        return float(self.column(key).mean())

    def worst(self, key: str) -> float:
        return float(self.column(key).max())

    @property
    def difference(self) -> float:
        """Of the count of cycles from the formula, over the whole turn."""
        return self.average("cycles") / self.average("formula") - 1

    @property
    def largest_difference(self) -> float:
        """The same, of the pose where it is largest."""
        return float(np.abs(self.column("cycles") / self.column("formula") - 1).max())


@dataclass(frozen=True)
class DopResult:
    turns: tuple[Turn, ...]
    plan: DopPlan


def measure(
    names: Sequence[str] = (),
    *,
    quick: bool = False,
    data: str | Path | None = None,
    say: Callable[[str], object] = lambda _: None,
) -> DopResult:
    """Turns the objects of these names (none: all of them)."""
    unknown = [name for name in names if name not in OBJECTS]
    if unknown:
        raise InputError(f"object {unknown[0]!r} is unknown; choose one of {word_list(OBJECTS)}")
    plan = QUICK if quick else FULL
    return DopResult(tuple(_turn(name, plan, data, say) for name in names or OBJECTS), plan)


def _turn(name: str, plan: DopPlan, data: str | Path | None, say: Callable[[str], object]) -> Turn:
    say(f"{name}: making it")
    arrays, stand_in = load(name, share=plan.share, data=data)
    mesh = impinge.Mesh(*arrays)
    poses = close_turn(mesh, plan.steps, OBJECTS[name].average.tumbled)
    seconds = _software(name, mesh, poses, plan, say)
    chip = Chip(mesh, mesh)
    records = []
    for step, pose in enumerate(poses):
        say(f"{name}: pose {step} on the chip")
        run = chip.run(pose)
        exact = impinge.collide(mesh, mesh, poses=pose[None])
        crossing = exact.pairs[exact.kinds == impinge.Kind.CROSSING]
        records.append(
            Record(
                name, step, run.aligned, run.tumbled, run.checks, run.lists, run.list_pairs,
                run.levels, run.sram_words, run.formula, run.microseconds,
                run.microseconds_with_triangles, 1e6 * float(seconds["classic"][step]),
                1e6 * float(seconds["list"][step]), len(crossing),
                compare(run.pairs, crossing).missing, compare(run.pairs, exact.pairs).extra,
            )
        )  # fmt: skip
    return Turn(name, stand_in, len(mesh), tuple(records))


def _software(
    name: str, mesh: impinge.Mesh, poses: Floats, plan: DopPlan, say: Callable[[str], object]
) -> dict[str, Floats]:
    """Seconds of each pose with one thread; the traversals take turns."""
    methods: dict[str, Detector] = {
        traversal: impinge.detector("dop", traversal=traversal) for traversal in TRAVERSALS
    }
    best = {traversal: np.full(len(poses), np.inf) for traversal in TRAVERSALS}
    # the first round builds the trees and warms the caches
    for turn in range(plan.repeat + 1):
        for step, pose in enumerate(poses):
            say(f"{name}: pose {step} in software")
            for traversal, method in methods.items():
                hits = impinge.collide(mesh, mesh, poses=pose[None], method=method, workers=1)
                if turn:
                    taken = hits.stats["traverse_seconds"]
                    best[traversal][step] = min(best[traversal][step], taken)
    return best
