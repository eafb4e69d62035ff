"""Asks on and on from many threads while bodies come and go: answers stay right, memory flat.

    python scripts/soak.py [--queries 1000000] [--threads 8]

Every answer is compared with one that a single thread found at the beginning. Prints the memory of
the process now and then; the exit code is 1 for a wrong answer, or when memory has grown.
"""

from __future__ import annotations

import argparse
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import impinge
from support import meshes

GROWTH = 1.1, 30.0  # of the memory after the first tenth, and megabytes on top
LINES = 10

POSES = np.tile(np.eye(4), (6, 1, 1))
POSES[:, 0, 3] = np.linspace(-1.5, 1.5, 6)
RNG = np.random.default_rng(5)
POINTS, DIRECTIONS = RNG.uniform(-1.2, 1.2, (8, 3)), RNG.normal(size=(8, 3))
SHAPES = (
    meshes.box(),
    meshes.tetrahedron(size=0.7),
    meshes.sphere(4),
    meshes.moved(meshes.sphere(5), (0.4, 0.1, 0.0)),
    meshes.moved(meshes.box(), (0.3, 0.3, 0.3)),
)


class Kept:
    """Meshes that all threads ask about; now and then one of them is made anew."""

    def __init__(self) -> None:
        self.meshes = [impinge.Mesh(*shape) for shape in SHAPES]

    def renew(self, at: int) -> None:
        self.meshes[at] = impinge.Mesh(*SHAPES[at])


class Own:
    """The scene of one thread; bodies come, move and go, and it is the same again afterwards."""

    def __init__(self, kept: Kept) -> None:
        self.kept = kept
        self.scene = impinge.Scene()
        for at in (0, 2, 4):
            self.scene.add(kept.meshes[at], name=f"body {at}")

    def visit(self, ask: Callable[[impinge.Scene], Any]) -> Any:
        guest = self.scene.add(self.kept.meshes[3], name="guest", pose=POSES[1])
        guest.pose = POSES[4]
        answer = ask(self.scene)
        self.scene.remove(guest)
        return answer

    def bend(self, ask: Callable[[impinge.Scene], Any]) -> Any:
        body = self.scene.bodies[1]
        before = body.vertices
        body.vertices = before * (1.0, 1.3, 0.8)
        answer = ask(self.scene)
        body.vertices = before
        return answer


class Kind(NamedTuple):
    """A question, and how often it is asked."""

    ask: Callable[[Own, impinge.Mesh, impinge.Mesh], Any]
    often: int = 10


def _bytes(array: Any) -> bytes:
    return np.asarray(array).tobytes()


KINDS = {
    "collide": Kind(lambda own, a, b: _bytes(impinge.collide(a, b).pairs)),
    "collide, poses": Kind(lambda own, a, b: _bytes(impinge.collide(a, b, poses=POSES).pairs)),
    "collides": Kind(lambda own, a, b: impinge.collides(a, b), 30),
    "collides, poses": Kind(lambda own, a, b: _bytes(impinge.collides(a, b, poses=POSES)), 30),
    "collide once": Kind(lambda own, a, b: _bytes(impinge.collide(SHAPES[0], SHAPES[4]).pairs)),
    "segments": Kind(lambda own, a, b: _bytes(impinge.collide(a, b).segments), 3),
    "self_collide": Kind(lambda own, a, b: _bytes(impinge.self_collide(a).pairs)),
    "distance": Kind(lambda own, a, b: impinge.distance(a, b).value),
    "raycast": Kind(lambda own, a, b: _bytes(impinge.raycast(a, POINTS, DIRECTIONS).face)),
    "side": Kind(lambda own, a, b: _bytes(impinge.side(a, POINTS))),
    "nearest": Kind(lambda own, a, b: _bytes(impinge.nearest(a, POINTS).distances)),
    "signed_distance": Kind(lambda own, a, b: _bytes(impinge.signed_distance(a, POINTS)), 5),
    "relation": Kind(lambda own, a, b: impinge.relation(a, b), 5),
    "penetration": Kind(lambda own, a, b: impinge.penetration(a, b, accuracy=0.1).depth, 1),
    "contact_points": Kind(lambda own, a, b: len(impinge.contact_points(a, b)), 2),
    "scene": Kind(lambda own, a, b: own.visit(lambda s: _bytes(s.collide().pairs))),
    "scene, bent": Kind(lambda own, a, b: own.bend(lambda s: _bytes(s.collide().pairs))),
    "scene, any": Kind(lambda own, a, b: own.visit(lambda s: s.collides())),
    "distances": Kind(lambda own, a, b: own.visit(lambda s: _bytes(s.distances().values)), 5),
    "check": Kind(
        lambda own, a, b: own.visit(
            lambda s: [str(row.verdict) for row in s.check(tolerance=0.05)]
        ),
        1,
    ),
}
ORDER = [name for name, kind in KINDS.items() for _ in range(kind.often)]


class Soak:
    """So many queries from so many threads."""

    def __init__(self, queries: int, threads: int) -> None:
        self.queries, self.threads = queries, threads
        self.kept = Kept()
        self.done, self.wrong = 0, 0
        self.asked: Counter[str] = Counter()
        self._lock = threading.Lock()
        own = Own(self.kept)
        self.expected = {
            (name, a, b): KINDS[name].ask(own, self.kept.meshes[a], self.kept.meshes[b])
            for name in KINDS
            for a in range(len(SHAPES))
            for b in range(len(SHAPES))
        }

    def work(self, number: int) -> None:
        """What one thread asks; each in another order."""
        rng, own, count = np.random.default_rng(number), Own(self.kept), len(SHAPES)
        share = self.queries // self.threads + (number < self.queries % self.threads)
        asked: Counter[str] = Counter()
        for at in range(share):
            name = ORDER[int(rng.integers(len(ORDER)))]
            a, b = (int(i) for i in rng.integers(count, size=2))
            answer = KINDS[name].ask(own, self.kept.meshes[a], self.kept.meshes[b])
            asked[name] += 1
            if answer != self.expected[name, a, b]:
                self.complain(name, a, b)
            if at % 50 == 0:
                self.kept.renew(a)
                own = Own(self.kept)
                with self._lock:
                    self.done = self.done + 50 if at else self.done
        with self._lock:
            self.asked += asked

    def complain(self, name: str, a: int, b: int) -> None:
        with self._lock:
            self.wrong += 1
        print(f"wrong answer: {name} of shapes {a} and {b}", flush=True)

    def run(self) -> list[tuple[int, float, float]]:
        """Rows of queries, seconds and megabytes, one for each tenth of the way and the end."""
        start, rows = time.monotonic(), []
        threads = [threading.Thread(target=self.work, args=(n,)) for n in range(self.threads)]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            if self.done >= self.queries * (len(rows) + 1) / LINES and len(rows) < LINES - 1:
                rows.append((self.done, time.monotonic() - start, megabytes()))
                print("{:>12,} queries {:8,.0f} s {:8,.1f} MB".format(*rows[-1]), flush=True)
            time.sleep(0.02)
        rows.append((sum(self.asked.values()), time.monotonic() - start, megabytes()))
        print("{:>12,} queries {:8,.0f} s {:8,.1f} MB".format(*rows[-1]), flush=True)
        return rows


def megabytes() -> float:
    """Memory that the process holds now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 2**20


def main() -> int:
    parser = argparse.ArgumentParser("soak", description=__doc__)
    parser.add_argument("--queries", type=int, default=1_000_000)
    parser.add_argument("--threads", type=int, default=8)
    asked = parser.parse_args()
    soak = Soak(asked.queries, asked.threads)
    rows = soak.run()
    first, last = rows[0][2], rows[-1][2]
    grown = last > GROWTH[0] * first + GROWTH[1]
    for name, count in sorted(soak.asked.items()):
        print(f"{name:<20} {count:>10,}")
    print(f"{rows[-1][0]:,} queries, {soak.wrong} wrong; memory {first:.1f} MB to {last:.1f} MB")
    return 1 if soak.wrong or grown else 0


if __name__ == "__main__":
    sys.exit(main())
