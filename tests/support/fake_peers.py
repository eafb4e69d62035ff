"""Peers that are made up: one that errs on purpose, one that fails, one that nobody has."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from impinge.lab.bench.peers import Adapter, Impinge, Task

DROPPED, INVENTED = 3, 2


class Sloppy(Impinge):
    """Drops three pairs and invents two."""

    name = "sloppy"
    distribution = "numpy"
    module = "numpy"

    def library(self) -> Any:
        import impinge

        return impinge

    def pair(self, case: Any) -> Task:
        right = super().pair(case)

        def rows(answer: Any) -> Any:
            pairs = np.asarray(right.rows(answer), dtype=np.int64)
            invented = np.full((INVENTED, 2), 10**6) + np.arange(INVENTED)[:, None]
            # one of the right ones twice: that is no mistake
            return np.concatenate([pairs[DROPPED:], pairs[-1:], invented])

        return Task(right.run, rows)


class Raising(Adapter):
    name = "raising"
    distribution = "numpy"
    module = "numpy"

    def pair(self, case: Any) -> Task:
        raise RuntimeError("this mesh is not to my taste")


class Telling(Adapter):
    """Tells how many threads and cores it may use."""

    name = "telling"
    distribution = "numpy"
    module = "numpy"

    def pair(self, case: Any) -> Task:
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
        raise RuntimeError(f"{os.environ['OMP_NUM_THREADS']} threads, {cores} cores")


class Crashing(Adapter):
    name = "crashing"
    distribution = "numpy"
    module = "numpy"

    def pair(self, case: Any) -> Task:
        return Task(lambda _: os._exit(3), lambda answer: answer)


class Absent(Adapter):
    name = "absent"
    distribution = "no-such-distribution"
    module = "no_such_module_anywhere"

    def pair(self, case: Any) -> Task:
        return Task(lambda _: None, lambda answer: answer)
