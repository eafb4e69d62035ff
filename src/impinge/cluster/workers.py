"""Who does the tasks: processes of this machine, or the workers of a Dask cluster."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from itertools import islice
from logging import CRITICAL
from typing import Any, NamedTuple, Protocol, TypeAlias, runtime_checkable

from impinge._signals import undisturbed
from impinge.errors import ImpingeError, InputError, MissingDependencyError

# tasks that wait at each worker: enough that none is idle, few enough for any scheduler
IN_FLIGHT = 8
# a task that is there whenever a worker dies is what kills it
MOST_DEATHS = 3

_LOCAL = {
    # Dask has workers give memory back at every chance, which doubles the time of large arrays;
    # this is what the C library does by itself in a process that uses such arrays
    "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": 2**26,
    "distributed.nanny.pre-spawn-environ.MALLOC_MMAP_THRESHOLD_": 2**25,
    # what Dask watches itself with takes a tenth of a core, and the workers need them all
    "distributed.worker.profile.enabled": False,
    "distributed.admin.system-monitor.disk": False,
    "distributed.admin.tick.interval": "500 ms",
    "distributed.worker.memory.monitor-interval": "500 ms",
    # tasks wait with the scheduler until a worker is free: there is nothing to steal
    "distributed.scheduler.work-stealing": False,
    # Dask opens ports for pages about itself, which everybody on this machine may read
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
}


class Task(NamedTuple):
    number: int
    function: Callable[..., Any]
    arguments: tuple[Any, ...]


Results: TypeAlias = Iterator[tuple[int, "Report"]]


class Report(NamedTuple):
    """What a task returned, and what it cost its worker."""

    value: Any
    seconds: float
    cpu_seconds: float
    peak_bytes: int


@runtime_checkable
class Workers(Protocol):
    """Runs tasks, in any order, with few of them in flight. A lost worker's tasks run again."""

    count: int
    memory: int | None
    """Bytes of the smallest worker, per task; None when it has no limit of its own."""

    def results(self, stage: str, tasks: Iterable[Task]) -> Results: ...

    def close(self) -> None: ...


def measured(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Report:
    """Run a task on a worker."""
    from time import perf_counter, process_time

    from impinge import _memory

    _memory.reset_peak()
    before = _memory.resident()
    wall, cpu = perf_counter(), process_time()
    value = function(*arguments)
    spent = perf_counter() - wall, process_time() - cpu
    return Report(value, *spent, _memory.peak_since(before))


class Processes:
    """A pool of processes on this machine."""

    def __init__(self, count: int | None, memory: int) -> None:
        self.count = count or os.cpu_count() or 1
        self.memory: int | None = None
        self._limit = memory
        self._pool: Any = None

    def results(self, stage: str, tasks: Iterable[Task]) -> Results:
        from concurrent.futures import FIRST_COMPLETED, wait
        from concurrent.futures.process import BrokenProcessPool

        waiting = iter(tasks)
        deaths: dict[int, int] = {}
        flight: dict[Any, Task] = {}
        again: list[Task] = []
        while True:
            room = IN_FLIGHT * self.count - len(flight)
            for task in [*_taken(again, room), *islice(waiting, max(room - len(again), 0))]:
                flight[self._submit(task)] = task
            if not flight:
                return
            done, _ = wait(flight, return_when=FIRST_COMPLETED)
            for future in done:
                task = flight.pop(future)
                try:
                    report = future.result()
                except BrokenProcessPool:
                    # all tasks in flight fail with it; which one is to blame is not told
                    lost = [task, *flight.values()]
                    flight.clear()
                    self._drop()
                    for one in lost:
                        deaths[one.number] = deaths.get(one.number, 0) + 1
                    _check_deaths(stage, deaths)
                    again += lost
                    break
                yield task.number, report

    def _submit(self, task: Task) -> Any:
        from cloudpickle import dumps

        if self._pool is None:
            import multiprocessing
            from concurrent.futures import ProcessPoolExecutor

            self._pool = ProcessPoolExecutor(
                self.count,
                # a fork would copy threads' locks in whatever state they are
                multiprocessing.get_context("spawn"),
                _begin,
                (self._limit,),
            )
        return self._pool.submit(_unpacked, dumps((task.function, task.arguments)))

    def _drop(self) -> None:
        if self._pool is not None:
            processes = list((self._pool._processes or {}).values())
            self._pool.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.terminate()
            self._pool = None

    def close(self) -> None:
        self._drop()


def _taken(tasks: list[Task], count: int) -> list[Task]:
    taken = tasks[: max(count, 0)]
    del tasks[: len(taken)]
    return taken


def _check_deaths(stage: str, deaths: dict[int, int]) -> None:
    number, most = max(deaths.items(), key=lambda item: item[1])
    if most > MOST_DEATHS:
        raise ImpingeError(
            f"workers died {most} times with {stage}-{number} in hand; most likely the machine has "
            "less memory than they were promised, or this was called while a script was imported: "
            'scripts start processes under `if __name__ == "__main__":` only'
        )


def _begin(memory: int) -> None:
    """In a new process: Ctrl-C is for the parent, and more memory than promised is refused."""
    from threading import Thread

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    try:
        import resource
    except ModuleNotFoundError:
        return
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    most = memory if hard == resource.RLIM_INFINITY else min(memory, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


def _end_with_parent() -> None:
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        parent.join()
        # a killed parent tells nobody; without it nobody would end this process
        os._exit(1)


def _unpacked(packed: bytes) -> Report:
    from pickle import loads

    function, arguments = loads(packed)
    return measured(function, arguments)


class Dask:
    """The workers of a Dask cluster; one that this object started ends with it."""

    def __init__(self, client: Any, *, ours: tuple[Any, ...] = ()) -> None:
        from uuid import uuid4

        self._client = client
        self._ours = ours
        # so that a second run with the same client never meets the keys of the first
        self._token = uuid4().hex[:8]
        facts = client.scheduler_info(n_workers=-1)["workers"].values()
        if not facts:
            raise InputError("the cluster has no workers; start some, then ask again")
        self.count = sum(fact["nthreads"] for fact in facts)
        limits = [fact["memory_limit"] // fact["nthreads"] for fact in facts
                  if fact["memory_limit"]]  # fmt: skip
        self.memory = min(limits, default=None)

    @classmethod
    def connected(cls, client: Any, workers: int | None, memory: int) -> Dask:
        """Of a Client, the address of a scheduler, or "local" for workers on this machine."""
        try:
            distributed: Any = import_module("distributed")
        except ModuleNotFoundError:
            raise MissingDependencyError("dask[distributed]", "cluster", "a Dask cluster") from None
        if isinstance(client, distributed.Client):
            return cls(client)
        if not isinstance(client, str):
            raise InputError(
                'client must be None, "local", the address of a Dask scheduler, a Client, or '
                f"workers of your own, got {type(client).__name__}"
            )
        if client != "local":
            try:
                opened = distributed.Client(client)
            except (OSError, ValueError) as error:
                raise ImpingeError(f"{client}: no Dask scheduler answers ({error})") from None
            return cls(opened, ours=(opened,))
        cluster = local_cluster(workers or os.cpu_count() or 1, memory)
        opened = distributed.Client(cluster)
        return cls(opened, ours=(opened, cluster))

    def results(self, stage: str, tasks: Iterable[Task]) -> Results:
        as_completed = import_module("distributed").as_completed
        waiting = iter(tasks)
        numbers: dict[str, int] = {}

        def submitted(some: list[Task]) -> Any:
            keys = [f"{stage}-{task.number}-{self._token}" for task in some]
            numbers.update(zip(keys, (task.number for task in some), strict=True))
            functions = [task.function for task in some]
            arguments = [task.arguments for task in some]
            return self._client.map(measured, functions, arguments, key=keys, pure=False)

        flight = IN_FLIGHT * self.count
        first = list(islice(waiting, flight))
        completed = as_completed(submitted(first) if first else [])
        done: list[Any] = []
        try:
            for batch in completed.batches():
                done += batch
                # many in one message cost the scheduler a fraction of what they cost one by one
                failed = any(future.status == "error" for future in batch)
                if 2 * len(done) < flight and not completed.is_empty() and not failed:
                    continue
                if following := list(islice(waiting, len(done))):
                    completed.update(submitted(following))
                reports = self._client.gather(done)
                for future, report in zip(done, reports, strict=True):
                    yield numbers.pop(future.key), report
                done = []
        finally:
            completed.clear()

    def close(self) -> None:
        for one in self._ours:
            one.close()


def local_cluster(workers: int, memory: int) -> Any:
    """Dask workers on this machine, which obey this process only.

    They listen on ports that every user of the machine can reach, and run what they are sent: keys
    that live as long as they do keep others out.
    """
    distributed: Any = import_module("distributed")
    dask: Any = import_module("dask")
    try:
        security = distributed.Security.temporary()
    except ImportError:
        raise MissingDependencyError("cryptography", "cluster", "a local Dask cluster") from None
    with dask.config.set(_LOCAL), undisturbed():
        return distributed.LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            memory_limit=memory,
            host="tls://127.0.0.1",
            security=security,
            # no dashboard; without an address Dask would take the port of somebody else's
            dashboard_address="127.0.0.1:0",
            scheduler_kwargs={"dashboard": False},
            # lost workers and cancelled tasks are our business
            silence_logs=CRITICAL,
        )


def as_workers(client: Any, count: int | None, memory: int) -> Workers:
    """Processes of this machine for None, else the workers of a Dask cluster, or the given ones."""
    if client is None:
        return Processes(count, memory)
    if isinstance(client, Workers):
        return client
    return Dask.connected(client, count, memory)
