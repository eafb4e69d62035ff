"""A library that takes part: in this process, or in one of its own that may crash or be ended."""

from __future__ import annotations

import gc
import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any, Protocol

from impinge._signals import undisturbed
from impinge.errors import ImpingeError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from impinge.lab.bench.cases import Case
    from impinge.lab.bench.peers.protocol import Adapter, Task

# the variables by which the runtimes of the peers learn how many threads they may use
_THREAD_VARIABLES = (
    "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS",
    "NUMEXPR_NUM_THREADS", "VTK_SMP_MAX_THREADS", "TBB_NUM_THREADS",
)  # fmt: skip


class ContenderError(ImpingeError):
    """A contender raised, crashed or took too long."""


class Contender(Protocol):
    """What is measured."""

    adapter: Adapter

    def prepare(self, task: str, case: Case) -> None: ...
    def answer(self, step: int) -> tuple[Any, float]:
        """Comparable rows of a step, and the seconds it took."""

    def run(self, steps: Sequence[int]) -> tuple[float, float]:
        """Wall and CPU seconds of these steps, one after the other."""

    def memory(self, case: Case) -> tuple[int, int]:
        """Bytes beyond the arrays: at the peak of building a tree, and kept by it."""

    def drop(self) -> None: ...
    def close(self) -> None: ...


class Local:
    """A contender in this process."""

    def __init__(self, adapter: Adapter, *, threads: int | None = None) -> None:
        self.adapter = adapter
        self.adapter.threads = threads
        self._task: Task | None = None

    def prepare(self, task: str, case: Case) -> None:
        self._task = self.adapter.prepare(task, case)
        gc.collect()

    @property
    def task(self) -> Task:
        if self._task is None:
            raise ContenderError(f"{self.adapter.name} was asked before it was prepared")
        return self._task

    def answer(self, step: int) -> tuple[Any, float]:
        start = time.perf_counter()
        answer = self.task.run(step)
        spent = time.perf_counter() - start
        return self.task.rows(answer), spent

    def run(self, steps: Sequence[int]) -> tuple[float, float]:
        run = self.task.run
        gc.disable()
        try:
            cpu, wall = time.process_time(), time.perf_counter()
            for step in steps:
                run(step)
            return time.perf_counter() - wall, time.process_time() - cpu
        finally:
            gc.enable()

    def memory(self, case: Case) -> tuple[int, int]:
        from impinge._memory import peak_since, reset_peak, resident

        task = self.adapter.prepare("build", case)
        gc.collect()
        before = resident()
        reset_peak()
        kept = task.run(0)
        after, peak = resident(), peak_since(before)
        del kept
        return max(peak - before, 0), max(after - before, 0)

    def drop(self) -> None:
        self._task = None
        gc.collect()

    def close(self) -> None:
        self.drop()


class Remote:
    """A contender in a process of its own, with its own threads; started again after a crash."""

    def __init__(self, adapter: Adapter, *, threads: int | None = None) -> None:
        self.adapter = adapter
        self.limit = 120.0
        """Seconds after which an answer is no longer waited for."""
        self._threads = threads
        self._used = False
        self._process: Any = None
        self._pipe: Connection | None = None

    def start(self) -> None:
        """Begins to import the library, without waiting for it."""
        if self._process is not None:
            return
        context = get_context("spawn")
        # only this process is to answer Ctrl-C, and only once it can end the other
        with undisturbed():
            self._pipe, other = context.Pipe()
            self._process = context.Process(
                target=serve, args=(other, self.adapter, self._threads), daemon=True
            )
            self._process.start()
            other.close()
        self._used = False

    def prepare(self, task: str, case: Case) -> None:
        self._ask("prepare", task, case)

    def answer(self, step: int) -> tuple[Any, float]:
        rows, spent = self._ask("answer", step)
        return rows, spent

    def run(self, steps: Sequence[int]) -> tuple[float, float]:
        wall, cpu = self._ask("run", list(steps))
        # threads that go on spinning would take a core from whoever is next
        self._signal("SIGSTOP")
        return wall, cpu

    def memory(self, case: Case) -> tuple[int, int]:
        # what was freed before would be used again and not be counted
        if self._used:
            self.close()
        peak, kept = self._ask("memory", case)
        return peak, kept

    def drop(self) -> None:
        if self._process is not None:
            self._ask("drop")

    def close(self) -> None:
        if self._process is None:
            return
        self.hang_up()
        process, self._process = self._process, None
        process.join(1)
        if process.is_alive():
            process.kill()
            process.join()

    def hang_up(self) -> None:
        """Lets the process end by itself, without waiting for it."""
        self._signal("SIGCONT")
        if self._pipe is not None:
            self._pipe.close()

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()

    def _signal(self, name: str) -> None:
        if self._process is not None and self._process.is_alive() and hasattr(signal, name):
            os.kill(self._process.pid, getattr(signal, name))

    def _ask(self, method: str, *arguments: Any) -> Any:
        self.start()
        self._signal("SIGCONT")
        self._used = True
        assert self._pipe is not None
        name = self.adapter.name
        try:
            self._pipe.send((method, arguments))
            if not self._pipe.poll(self.limit):
                self._end()
                raise ContenderError(f"no answer in {self.limit:.0f} s")
            good, value = self._pipe.recv()
        except (EOFError, OSError):
            self._end()
            raise ContenderError(f"the process of {name} ended unexpectedly") from None
        if not good:
            raise ContenderError(str(value))
        return value

    def _end(self) -> None:
        self.kill()
        self.close()


def serve(pipe: Connection, adapter: Adapter, threads: int | None) -> None:
    """The life of a contender's process."""
    _keep_to(threads)
    # what a library prints must not mix with the table
    sink = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(sink, stream)
    sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    contender = Local(adapter, threads=threads)
    # a library that cannot be imported answers the first question with the reason
    with suppress(Exception):
        adapter.library()
    while True:
        try:
            method, arguments = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            reply = (True, getattr(contender, method)(*arguments))
        except Exception as error:
            reply = (False, f"{type(error).__name__}: {error}"[:300])
        try:
            pipe.send(reply)
        except OSError:
            return


@contextmanager
def ended(contenders: Sequence[Remote]) -> Iterator[None]:
    """No process is left behind; what goes wrong, or Ctrl-C, ends them at once."""
    try:
        yield
    except BaseException:
        for one in contenders:
            one.kill()
        raise
    finally:
        # all of them end at the same time
        for one in contenders:
            one.hang_up()
        for one in contenders:
            one.close()


def _keep_to(threads: int | None) -> None:
    """Only so many threads for this process, and cores for runtimes that know no variable."""
    if threads is None:
        return
    os.environ.update(dict.fromkeys(_THREAD_VARIABLES, str(threads)))
    if hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))[:threads]
        # NumPy has been imported, and has threads already
        for thread in os.listdir("/proc/self/task"):
            os.sched_setaffinity(int(thread), cores)
