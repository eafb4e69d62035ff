"""Kills writers at random points, fills the disk under them, and has two of them at work at once.

    python scripts/crash --rounds 200 [--seed 0] [--tmpfs]

So many kills, a quarter as many full disks, and a twentieth as many with two at once, over all
commands that write and runs of tiles. After each of them every file must be the old one or the new
one, never half of it, and a run that goes on must have the pairs of `Scene.collide`, each once. A
killed writer may leave a file `.impinge-*.partial`; nothing else may. The exit code is 1 if
anything else was seen, and all of it is told. A disk is full by a limit on the size of files, or
with --tmpfs by its own size.
"""

from __future__ import annotations

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import nullcontext, suppress
from pathlib import Path
from threading import Timer
from typing import IO

import disk
import numpy as np
from judge import differs, left_over, make_parts, truth
from victim import WRITERS, rows

VICTIM = Path(__file__).with_name("victim.py")
# a writer that is not ready, or a run that is not done by then, hangs
PATIENCE = 300


class Victim:
    """A writer in a process of its own, which is ready to be killed."""

    def __init__(self, writer: str, folder: Path, *, times: int = 0, most: int | None = None):
        size = [] if most is None else [str(most)]
        self._child = subprocess.Popen(
            [sys.executable, str(VICTIM), writer, str(folder), str(times), *size],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        first = self._said.readline().strip()
        if first != "ready":
            raise SystemExit(f"{writer} does not start: {first!r}")

    @property
    def _said(self) -> IO[str]:
        assert self._child.stdout is not None
        return self._child.stdout

    def go(self) -> Victim:
        assert self._child.stdin is not None
        self._child.stdin.write("\n")
        self._child.stdin.flush()
        return self

    def kill(self, after: float) -> bool:
        """Kill it after some seconds; whether it was still at work."""
        with suppress(subprocess.TimeoutExpired):
            self._child.wait(after)
        alive = self._child.poll() is None
        self._child.kill()
        self.end()
        return alive

    def end(self) -> str:
        """Its last word."""
        hangs = Timer(PATIENCE, self._child.kill)
        hangs.start()
        with self._child:
            said = self._said.read().split("\n")
        hangs.cancel()
        return said[-2] if len(said) > 1 else "nothing"


class Crash:
    """All rounds in one folder; `problems` has what must not be."""

    def __init__(self, folder: Path, seed: int, *, tmpfs: bool) -> None:
        self.folder, self.random, self.tmpfs = folder, random.Random(seed), tmpfs
        self.problems: list[str] = []
        self.seen: Counter[str] = Counter()
        make_parts(folder / "parts")
        self.truth = truth(folder / "parts")
        self.seconds: dict[str, float] = {}
        self.known: dict[str, dict[str, list[bytes]]] = {}

    @property
    def out(self) -> Path:
        return self.folder / "out"

    def learn(self, writer: str) -> None:
        """What the writer writes, and how long it takes."""
        if writer in self.known:
            return
        self._fresh()
        victim = Victim(writer, self.folder, times=1)
        contents = [_contents(self.out)]
        start = time.perf_counter()
        if (word := victim.go().end()) != "done":
            raise SystemExit(f"{writer}: {word}")
        self.seconds[writer] = time.perf_counter() - start
        if writer in WRITERS:
            contents.append(_contents(self.out))
        self.known[writer] = {name: [one[name] for one in contents] for name in contents[0]}

    def kill(self, writer: str) -> None:
        """One kill; a run is killed again, sometimes, before it comes to its end."""
        self._fresh()
        if writer in WRITERS:
            killed = Victim(writer, self.folder).go().kill(self._moment(writer))
            self.seen["kills"] += killed
            self._judge(writer, "killed", partial=True)
            return
        for _ in range(self.random.randint(1, 3)):
            victim = Victim(writer, self.folder).go()
            self.seen["kills"] += victim.kill(self._moment(writer))
        self._finish(writer, "killed")

    def fill(self, writer: str) -> None:
        """A disk that is full after some bytes."""
        self._fresh()
        largest = max((len(one[0]) for one in self.known[writer].values()), default=20_000)
        most = int(2 ** self.random.uniform(4, np.log2(largest + 1)))
        with disk.mounted(self.out) if self.tmpfs else nullcontext():
            victim = Victim(writer, self.folder, times=1, most=None if self.tmpfs else most)
            if self.tmpfs:
                disk.leave_free(self.out, most)
            word = victim.go().end()
            self.seen["full disks"] += 1
            self.seen["of them noticed"] += word == "refused"
            if word not in ("done", "refused"):
                self._problem(writer, f"on a full disk: {word}")
            if writer in WRITERS:
                self._judge(writer, "on a full disk", partial=False)
                return
            if self.tmpfs:
                disk.leave_free(self.out)
            self._finish(writer, "on a full disk")

    def both(self, writer: str) -> None:
        """Two at once, in one folder."""
        self._fresh()
        victims = [Victim(writer, self.folder, times=3) for _ in range(2)]
        for victim in victims:
            victim.go()
        words = sorted(victim.end() for victim in victims)
        self.seen["two at once"] += 1
        expected = [["done", "done"]] if writer in WRITERS else [["done", "refused"], ["done"] * 2]
        if words not in expected:
            self._problem(writer, f"two at once: {words}")
        if writer in WRITERS:
            self._judge(writer, "two at once", partial=False)
        else:
            self._finish(writer, "two at once")

    def _fresh(self) -> None:
        shutil.rmtree(self.out, ignore_errors=True)
        self.out.mkdir()

    def _moment(self, writer: str) -> float:
        return self.random.uniform(0, 1.1 * self.seconds[writer])

    def _judge(self, writer: str, how: str, *, partial: bool) -> None:
        known = self.known[writer]
        missing = known.keys() - {file.name for file in self.out.iterdir()}
        for name in sorted(missing):
            self._problem(writer, f"{how}: {name} is gone")
        for file in sorted(self.out.iterdir()):
            if file.name in known:
                if differs(file, known[file.name]):
                    self._problem(writer, f"{how}: {file.name} is neither old nor new")
            elif not (partial and left_over(file)):
                self._problem(writer, f"{how}: left {file.name}")

    def _finish(self, writer: str, how: str) -> None:
        """The run goes on to its end, and has all pairs once."""
        from impinge.cluster import load_result

        word = Victim(writer, self.folder).go().end()
        if word != "done":
            self._problem(writer, f"{how}: going on it says {word}")
            return
        found = load_result(self.out / "run")
        self.seen["runs that went on"] += 1
        if not np.array_equal(rows(found), self.truth) or len(found) != len(self.truth):
            self._problem(writer, f"{how}: other pairs than the scene")

    def _problem(self, writer: str, text: str) -> None:
        self.problems.append(f"{writer}: {text}")
        print(self.problems[-1], flush=True)


def _contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}


def main() -> int:
    parser = argparse.ArgumentParser(description="Kill writers and fill their disks.")
    parser.add_argument("--rounds", type=int, default=200, help="kills; fewer of the others")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--tmpfs", action="store_true", help="small disks instead of a limit")
    asked = parser.parse_args()
    # runs have more moments to be killed in than single files
    writers = ["run", "check", "run", "info", "run", "demo", "run", "library"]
    with tempfile.TemporaryDirectory(prefix="impinge-crash-") as folder:
        crash = Crash(Path(folder), asked.seed, tmpfs=asked.tmpfs)
        for what, count in (
            (crash.kill, asked.rounds),
            (crash.fill, -(-asked.rounds // 4)),
            (crash.both, -(-asked.rounds // 20)),
        ):
            for number in range(count):
                # processes take long to start
                writer = "processes" if number % 20 == 19 else writers[number % len(writers)]
                crash.learn(writer)
                what(writer)
    print(", ".join(f"{count} {name}" for name, count in crash.seen.items()))
    print(f"{len(crash.problems)} problems")
    return int(bool(crash.problems))


if __name__ == "__main__":
    sys.exit(main())
