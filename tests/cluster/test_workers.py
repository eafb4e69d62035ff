"""Processes and Dask workers give the same; one that is killed takes nothing with it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import sleep
from typing import Any

import numpy as np
import pytest

from cluster.tools import rows, run, truth
from impinge.cluster import workers
from impinge.cluster.workers import Dask, Processes, Task
from impinge.errors import ImpingeError, InputError, MissingDependencyError
from support import meshes

BODIES = [meshes.moved(meshes.sphere(6), (0.7 * i, 0.1 * i, 0)) for i in range(3)]
OPTIONS: dict[str, Any] = {"self_collision": True, "memory": "1GB", "tile": 120}


class Kills:
    """Kills a worker once, in the middle of the last stage."""

    def __init__(self, pids) -> None:
        self.pids, self.killed = pids, 0

    def __call__(self, fraction: float) -> None:
        if fraction > 0.5 and not self.killed:
            self.killed = next(iter(self.pids()))
            os.kill(self.killed, signal.SIGKILL)


def test_processes(tmp_path: Path) -> None:
    """A killed process is replaced."""
    kills = Kills(lambda: [child.pid for child in multiprocessing.active_children()])
    found = run(BODIES, tmp_path, client=None, workers=2, progress=kills, **OPTIONS)
    assert kills.killed
    assert np.array_equal(rows(found), truth(BODIES, self_collision=True))


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_task_that_kills_its_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "MOST_DEATHS", 1)
    crew = Processes(1, 10**9)
    with pytest.raises(ImpingeError, match="workers died 2 times with solve-7 in hand"):
        list(crew.results("solve", [Task(7, die, ())]))
    crew.close()


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    import distributed

    with (
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            memory_limit="1GB",
            host="127.0.0.1",
            # None would be the port of all others
            dashboard_address="127.0.0.1:0",
            scheduler_kwargs={"dashboard": False},
        ) as cluster,
        distributed.Client(cluster) as opened,
    ):
        yield opened


def test_dask(client: Any, tmp_path: Path) -> None:
    """A killed worker is replaced, and its tasks are done again."""
    kills = Kills(lambda: client.run(os.getpid).values())
    found = run(BODIES, tmp_path, client=client, progress=kills, **OPTIONS)
    assert kills.killed
    assert np.array_equal(rows(found), truth(BODIES, self_collision=True))
    # an address will do as well, and the names of the tasks are those of the stages
    address = client.scheduler.address
    part = run(BODIES[:2], tmp_path / "second", client=address, **OPTIONS)
    assert np.array_equal(rows(part), truth(BODIES[:2], self_collision=True))
    prefixes = client.run_on_scheduler(lambda dask_scheduler: list(dask_scheduler.task_prefixes))
    assert {"survey", "scatter", "solve"} <= set(prefixes)


def refuse(number: int, wrong: int) -> int:
    if number == wrong:
        raise InputError(f"not {number}")
    return number


@pytest.mark.parametrize("wrong", [0, 5, 39])
def test_an_error_on_a_dask_worker(client: Any, wrong: int) -> None:
    """It reaches the caller whichever task it is of, and the workers go on with what comes next."""
    crew = Dask(client)
    with pytest.raises(InputError, match=f"not {wrong}"):
        list(crew.results("solve", [Task(i, refuse, (i, wrong)) for i in range(40)]))
    results = Dask(client).results("solve", [Task(i, refuse, (i, -1)) for i in range(40)])
    assert sorted((number, report.value) for number, report in results) == [
        (i, i) for i in range(40)
    ]


STRANGER = """
import asyncio, sys
from distributed import Security
from distributed.core import connect

async def enter(address, **keys):
    try:
        await asyncio.wait_for(connect(address, timeout=2, **keys), 4)
    except Exception as error:
        return type(error).__name__
    return "in"

async def main():
    keys = Security.temporary().get_connection_args("client")
    for address in sys.argv[1:]:
        plain = "tcp://" + address.partition("://")[2]
        print(await asyncio.gather(enter(address), enter(address, **keys), enter(plain)))

asyncio.run(main())
"""


def test_local_workers_obey_nobody_else() -> None:
    """Neither the scheduler nor the workers let another process in, with or without a key."""
    distributed = pytest.importorskip("distributed")
    pytest.importorskip("cryptography")
    with workers.local_cluster(1, 10**9) as cluster, distributed.Client(cluster) as client:
        assert client.submit(sum, [1, 2]).result(timeout=30) == 3
        (worker,) = client.scheduler_info(n_workers=-1)["workers"].values()
        addresses = [cluster.scheduler_address, client.run(own_address).popitem()[1]]
        addresses.append(worker["nanny"])
        done = subprocess.run(
            [sys.executable, "-c", STRANGER, *addresses],
            capture_output=True, text=True, timeout=60, check=True,
        )  # fmt: skip
    assert all(address.startswith("tls://127.0.0.1:") for address in addresses)
    assert len(done.stdout.splitlines()) == 3
    assert "'in'" not in done.stdout


def own_address(dask_worker: Any) -> str:
    return str(dask_worker.address)


def test_keys_need_a_package(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setitem(sys.modules, "cryptography", None)
    with pytest.raises(MissingDependencyError, match="a local Dask cluster needs cryptography"):
        workers.local_cluster(1, 10**9)


def test_processes_end_with_their_parent() -> None:
    """Also when it is killed."""
    code = (
        "import multiprocessing, os, signal\n"
        "from impinge.cluster.workers import Processes, Task\n"
        "if __name__ == '__main__':\n"
        "    for _ in Processes(1, 10**9).results('solve', [Task(0, os.getpid, ())]): pass\n"
        "    print(*[child.pid for child in multiprocessing.active_children()], flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    child = int(done.stdout)
    for _ in range(200):
        try:
            os.kill(child, 0)
        except ProcessLookupError:
            return
        sleep(0.05)
    os.kill(child, signal.SIGKILL)
    pytest.fail("the process is still there")


def test_who_is_no_client(tmp_path: Path) -> None:
    with pytest.raises(InputError, match='client must be None, "local"'):
        run(BODIES, tmp_path, client=7)
