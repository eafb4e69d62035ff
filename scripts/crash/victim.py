"""A process that writes until it is killed, or as often as it is told.

    python scripts/crash/victim.py WRITER FOLDER TIMES [BYTES]

It says "ready" when all files are there for the first time, waits for a line, and says "done" at
the end. With BYTES no file can grow beyond so many from then on. An error that a user may meet is
"refused", any other "foreign".
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterable
from contextlib import redirect_stdout
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

# what the files are of, in turns
VERSIONS = ("b.stl", "c.stl")
# of the sources that a run of tiles has
TILE = 40


def command(*arguments: object) -> None:
    from impinge.cli import main

    with redirect_stdout(io.StringIO()):
        code = main([str(argument) for argument in arguments])
    if code == 2:
        # the line on stderr has told why
        raise OSError("the command failed")


def check(folder: Path, version: int) -> None:
    parts, out = folder / "parts", folder / "out"
    options = {"--json": "c.json", "--csv": "c.csv", "--report": "c.html", "--png": "c.png"}
    files = [word for option, name in options.items() for word in (option, out / name)]
    command("check", parts / "a.stl", parts / VERSIONS[version], "--quiet", *files)


def info(folder: Path, version: int) -> None:
    command("info", folder / "parts" / VERSIONS[version], "--json", folder / "out" / "i.json")


def demo(folder: Path, version: int) -> None:
    out = folder / "out"
    frames = ("--frames", 1 + version, "--count", 2)
    command("demo", "chain", *frames, "--out", out / "d.gif", "--png", out / "d.png")


def library(folder: Path, version: int) -> None:
    """What is written from Python, and the files of benchmarks."""
    import impinge
    from impinge.lab.bench.report import write_texts
    from impinge.report import write_report
    from impinge.simulate import World

    out = folder / "out"
    scene = impinge.load_scene(folder / "parts" / "a.stl", folder / "parts" / VERSIONS[version])
    hits = scene.collide()
    hits.show(path=out / "l.html")
    write_report(out / "r.html", scene, hits)
    world = World()
    world.add_cloth(scene.bodies[1].mesh)
    world.save(out / "w.npz")
    write_texts(out, "t", {"version": version}, [{"version": version}] * 2, f"# {version}\n")


class Here:
    """Workers in this process: a run without the time that processes take to start."""

    count = 2
    memory = None

    def results(self, _: str, tasks: Iterable[Any]) -> Any:
        from impinge.cluster.workers import measured

        for task in tasks:
            yield task.number, measured(task.function, task.arguments)

    def close(self) -> None:
        pass


def run(folder: Path, client: Any = None) -> None:
    """A run of tiles from where it is to its end."""
    from impinge.cluster import collide

    source, out = folder / "parts", folder / "out" / "run"
    collide(source, out=out, client=client, workers=2, memory="1GB", tile=TILE)


def rows(found: Any) -> np.ndarray:
    """(n, 5) body, face, body, face, kind of all pairs, sorted."""
    parts = [np.zeros((0, 5), dtype=np.int64)]
    for some in found.pairs():
        columns = (some.bodies[:, 0], some.faces[:, 0], some.bodies[:, 1], some.faces[:, 1])
        parts.append(np.column_stack((*columns, some.kinds)))
    whole = np.concatenate(parts)
    return whole[np.lexsort(whole[:, 3::-1].T)]


WRITERS: dict[str, Callable[[Path, int], None]] = {
    "check": check, "info": info, "demo": demo, "library": library,
}  # fmt: skip
RUNS: dict[str, Callable[[Path], None]] = {
    "run": lambda folder: run(folder, Here()),
    "processes": run,
}


def limit(size: int) -> None:
    import resource
    import signal

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def main(writer: str, folder: Path, times: int, most: int | None) -> None:
    import impinge.cli
    import impinge.cluster  # noqa: F401

    if writer in WRITERS:
        WRITERS[writer](folder, 0)
    print("ready", flush=True)
    sys.stdin.readline()
    if most is not None:
        limit(most)
    try:
        if writer in RUNS:
            RUNS[writer](folder)
        else:
            for number in count(1) if times == 0 else range(1, times + 1):
                WRITERS[writer](folder, number % 2)
    except Exception as error:
        known = isinstance(error, OSError) or type(error).__module__ == "impinge.errors"
        print("refused" if known else f"foreign {type(error).__name__}: {error}", flush=True)
        os._exit(3)
    print("done", flush=True)


if __name__ == "__main__":
    name, where, often, *size = sys.argv[1:]
    main(name, Path(where), int(often), int(size[0]) if size else None)
