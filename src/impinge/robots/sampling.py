"""Which pairs of links need no check, as random configurations show."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from impinge.queries.path import ask
from impinge.results.ignored_pairs import IgnoredPairs
from impinge.robots.asking import Asked
from impinge.scene import Scene

if TYPE_CHECKING:
    from impinge._types import Floats, Longs
    from impinge.robots.robot import Robot

_BATCH = 4096


def sampled_pairs(robot: Robot, samples: int, seed: int, asked: Asked) -> IgnoredPairs:
    """The question of `Robot.ignored_pairs`."""
    return ask(asked.tick, _sampled, robot, samples, seed, asked)


def _sampled(robot: Robot, samples: int, seed: int, asked: Asked) -> IgnoredPairs:
    links = tuple(robot.meshes)
    scene = Scene()
    for link, mesh in robot.meshes.items():
        scene.add(mesh, name=link)
    configurations = robot.random(samples, seed=seed)
    counts = np.zeros((len(links), len(links)), dtype=np.int64)
    for first in range(0, samples, _BATCH):
        asked.reached(first / samples)
        counts += _met(robot, scene, configurations[first : first + _BATCH], asked)
    at_rest = _met(robot, scene, robot.rest[None], asked)
    rows = []
    for a, b in combinations(range(len(links)), 2):
        reason = _reason(
            frozenset((links[a], links[b])) in robot._parts.adjacent,
            bool(at_rest[a, b]),
            int(counts[a, b]),
            samples,
        )
        if reason:
            rows.append((a, b, reason))
    return IgnoredPairs(
        tuple((links[a], links[b]) for a, b, _ in rows),
        tuple(reason for _, _, reason in rows),
        np.array([counts[a, b] for a, b, _ in rows], dtype=np.int64),
        samples,
        robot.name,
    )


def _reason(adjacent: bool, at_rest: bool, count: int, samples: int) -> str:
    """As in `REASONS`; "" for a pair that must be checked."""
    if adjacent:
        return "adjacent"
    if at_rest:
        return "default"
    return "always" if count == samples else "never" if count == 0 else ""


def _met(robot: Robot, scene: Scene, configurations: Floats, asked: Asked) -> Longs:
    """(links, links): in how many of the configurations two links meet, above the diagonal."""
    counts = np.zeros((len(scene), len(scene)), dtype=np.int64)
    poses = {scene.bodies: robot._placed(configurations)}
    found = scene.collide(poses=poses, mode="first", workers=asked.workers)
    np.add.at(counts, tuple(found.bodies.T), 1)
    return counts
