"""Runs of impinge.cluster for the tests: small, with many tiles, compared with a scene."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

import impinge.cluster
from conformance.unions import rows as rows_of_scene
from conformance.unions import scene_of
from impinge.cluster.result import ClusterCollisions
from impinge.cluster.workers import Results, Task, measured
from support.meshes import Arrays


class Here:
    """Workers without any process: the tasks run where they are asked for."""

    count = 2
    memory = None

    def __init__(self) -> None:
        self.done: list[str] = []

    def results(self, stage: str, tasks: Iterable[Task]) -> Results:
        for task in tasks:
            report = measured(task.function, task.arguments)
            self.done.append(f"{stage}-{task.number}")
            yield task.number, report

    def close(self) -> None:
        pass


def run(source: object, out: Path, **options: object) -> ClusterCollisions:
    return impinge.cluster.collide(source, out=out, **{"client": Here(), "tile": 8, **options})


def rows(found: ClusterCollisions) -> np.ndarray:
    """(n, 5) sorted rows: body, face, body, face, kind."""
    parts = [
        np.column_stack((b.bodies[:, 0], b.faces[:, 0], b.bodies[:, 1], b.faces[:, 1], b.kinds))
        for b in found.pairs()
    ]
    whole = np.concatenate([np.zeros((0, 5), dtype=np.int64), *parts])
    return whole[np.lexsort(whole[:, 3::-1].T)]


def truth(bodies: list[Arrays], **options: object) -> np.ndarray:
    return rows_of_scene(scene_of(bodies).collide(method="bvh", **options))


def check(bodies: list[Arrays], out: Path, *, question: dict[str, object], **options: object):
    """Run on bodies and compare with the scene of them."""
    found = run(bodies, out, **question, **options)
    expected = truth(bodies, **question)
    assert np.array_equal(rows(found), expected)
    assert len(found) == len(expected)
    return found
