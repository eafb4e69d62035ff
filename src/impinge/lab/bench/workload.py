"""A row of the benchmark: what is asked, of what, and how its time is counted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from impinge.lab.bench.cases import Case


@dataclass(frozen=True)
class Workload:
    """One row of the benchmark.

    `task` names the method of an adapter that can do it. The case has `steps`; one run does
    `chunk` of them in a row, `rounds` times, and its time is given per step, or per `per` parts
    of a step.
    """

    name: str
    title: str
    task: str
    make: Callable[[], Case]
    steps: int
    chunk: int = 1
    rounds: int = 1
    per: int = 1
    unit: str = "call"
    classes: tuple[str, ...] = ()
    """Kinds of steps that are timed apart, as many steps of each, one kind after the other."""
    groups: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Names of several classes together."""

    @property
    def group(self) -> str:
        """W1 of W1-80k."""
        return self.name.split("-", 1)[0]

    @property
    def confirmed(self) -> tuple[int, ...]:
        """Steps that the oracle is asked about too: the first one of each class."""
        kinds = max(1, len(self.classes))
        return tuple(k * (self.steps // kinds) for k in range(kinds))

    def chunks(self) -> list[tuple[str, range]]:
        """What is run in a row, with its class; one chunk of each class before the next."""
        names = self.classes or ("",)
        size = self.steps // len(names)
        return [
            (name, range(start, min(start + self.chunk, (k + 1) * size)))
            for offset in range(0, size, self.chunk)
            for k, name in enumerate(names)
            for start in (k * size + offset,)
        ]
