"""What an adapter of a library is: a name, how to install it, and a method for each task it can do.

Tasks and the answers that are compared, as rows of integers or as numbers:

    pair         Posed      (n, 2) faces of a and b, for one pose
    pair_batch   Posed      (n, 3) pose and faces, for all poses in one call
    itself       Deforming  (n, 2) faces of one mesh, the lower first, after moving to a frame
    bodies       Bodies     (n, 4) the two bodies, the lower first, and their faces
    machine      Machine    (n, 1) the configurations in which any two parts collide
    touch        Posed      (n, 1) one row when they collide
    touch_batch  Posed      (n, 1) the poses that collide
    contacts     NearItself  (n, 5) features of one mesh that are near each other: `clear_rows`
    near         Near       (n, 2) faces of a and b that are not farther apart than the margin
    near_touch   Near       (n, 1) one row when anything is
    distance     Posed      (1,) float
    rays         Rays       (n,) float: distance along each ray, inf without a hit
    overlap      Posed      (1,) float: the volume that both solids have in common, for one pose
    contains     Points     (n, 1) the points inside
    build refit  Deforming  nothing to compare
    one_shot     Posed      as pair, from arrays
    memory       Deforming  as build
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as version_of
from importlib.util import find_spec
from typing import Any, ClassVar, NamedTuple, TypeAlias

import numpy as np

from impinge.errors import InputError
from impinge.lab.bench.cases import Posed

Rows: TypeAlias = Any

# what can be done by doing something else
_DERIVED = {
    "pair_batch": "pair",
    "touch_batch": "touch",
    "one_shot": "pair",
    "memory": "build",
}

TASKS = (
    "pair", "pair_batch", "itself", "bodies", "machine", "touch", "touch_batch", "contacts",
    "near", "near_touch", "distance", "rays", "overlap", "contains", "build", "refit", "one_shot",
    "memory",
)  # fmt: skip


class Task(NamedTuple):
    """A prepared task: `run(step)` is timed, `rows(answer)` makes its answer comparable."""

    run: Callable[[int], Any]
    rows: Callable[[Any], Rows]


def nothing(_: object = None) -> Rows:
    """The rows of what has no answer."""
    return np.empty((0, 2), dtype=np.int64)


def one_if(hit: object) -> Rows:
    """The rows of a verdict."""
    return np.zeros((1 if hit else 0, 1), dtype=np.int64)


def inside(verdicts: Any) -> Rows:
    """The rows of a verdict for each point."""
    return np.flatnonzero(verdicts)[:, None]


def placed(case: Posed, step: int) -> Any:
    """The vertices of the second mesh in a pose."""
    pose = case.poses[step]
    return case.b.vertices @ pose[:3, :3].T + pose[:3, 3]


def pairs_of(values: Any) -> Rows:
    """The rows of a list or array of pairs."""
    return np.asarray(values, dtype=np.int64).reshape(-1, 2)


def sorted_pairs(values: Any) -> Rows:
    """The rows of pairs within one mesh."""
    return np.sort(pairs_of(values), axis=1)


def number(value: Any) -> Rows:
    """The rows of one number."""
    return np.array([value], dtype=np.float64)


class Adapter:
    """Base of all adapters; a subclass has methods named like the tasks it can do."""

    name: ClassVar[str]
    distribution: ClassVar[str]
    """What pip calls it."""
    module: ClassVar[str]
    """What Python imports."""
    remark: ClassVar[str] = ""

    threads: int | None = None
    """Threads it may use; None is its own default."""

    @property
    def installed(self) -> bool:
        try:
            return find_spec(self.module) is not None
        except (ImportError, ValueError):
            return False

    @property
    def version(self) -> str:
        try:
            return version_of(self.distribution)
        except PackageNotFoundError:
            return ""

    @property
    def cure(self) -> str:
        return f"pip install {self.distribution}"

    @property
    def tasks(self) -> tuple[str, ...]:
        return tuple(task for task in TASKS if hasattr(self, _DERIVED.get(task, task)))

    def make_ready(self) -> None:
        """What is done once, before any process is started."""

    def library(self) -> Any:
        """The imported library; imported only where it is measured."""
        return import_module(self.module)

    def prepare(self, task: str, case: Any) -> Task:
        """Everything that is done once and not timed."""
        method = getattr(self, task, None) or getattr(self, f"_{task}", None)
        if method is None or task not in self.tasks:
            raise InputError(f"{self.name} has no task {task!r}")
        prepared: Task = method(case)
        return prepared

    def _pair_batch(self, case: Posed) -> Task:
        """A library without a batch call is asked in a loop."""
        one: Task = self.prepare("pair", case)
        count = len(case.poses)

        def rows(answers: list[Any]) -> Rows:
            found = [one.rows(answer) for answer in answers]
            pose = np.repeat(np.arange(count), [len(part) for part in found])
            return np.column_stack([pose, np.concatenate(found)])

        return Task(lambda _: [one.run(step) for step in range(count)], rows)

    def _touch_batch(self, case: Posed) -> Task:
        one: Task = self.prepare("touch", case)
        steps = range(len(case.poses))
        return Task(
            lambda _: [one.run(step) for step in steps],
            lambda answers: np.flatnonzero([len(one.rows(a)) > 0 for a in answers])[:, None],
        )

    def _one_shot(self, case: Posed) -> Task:
        def run(step: int) -> Any:
            task = self.prepare("pair", Posed(case.a, case.b, case.poses[step : step + 1]))
            return task, task.run(0)

        return Task(run, lambda both: both[0].rows(both[1]))

    def _memory(self, case: Any) -> Task:
        return self.prepare("build", case)
