"""What `Robot.free` asks of the judge: motions, bounds of their speed, distances on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from impinge.queries.path import ask
from impinge.results.robot_motions import RobotMotions
from impinge.robots.asking import Asked
from impinge.robots.free import Judge, Motions, Near, Verdicts

if TYPE_CHECKING:
    from impinge._types import Floats
    from impinge.robots.cell import Cell
    from impinge.robots.robot import Robot

# at most so many motions are judged together, and configurations asked about in one call
_MOTIONS = 4096
_BATCH = 4096
# distances are asked for up to this part of the robot's extent
_HORIZON = 0.05
# what rounding of poses and distances can hide, as a part of the extent: a thousand times more than
# chains of a hundred joints lose
_HIDDEN = 1e-10
_EPS = float(np.finfo(np.float64).eps)


def free_motions(
    robot: Robot, cell: Cell, ways: tuple[Floats, Floats], tolerance: float, asked: Asked
) -> RobotMotions:
    """The question of `Robot.free`: `ways` are starts and ends."""
    question = _Question(robot, cell, asked)
    return ask(asked.tick, question.answer, *ways, tolerance)


class _Question:
    """A robot in its world, as the judge asks about it."""

    def __init__(self, robot: Robot, cell: Cell, asked: Asked) -> None:
        self._robot, self._cell, self._asked = robot, cell, asked
        self._pairs = cell.pairs()
        links = len(cell.links)
        # the column of a pair of links; the world is the last
        self._column = np.full((links + 1, links + 1), -1, dtype=np.int32)
        a, b = self._pairs.T
        self._column[a, b] = self._column[b, a] = np.arange(len(self._pairs))
        world = max(
            (float(np.abs(body.world_vertices).max(initial=0.0)) for body in cell.obstacles),
            default=0.0,
        )
        self._size = robot._parts.reach.extent
        self._extent = self._size + world + float(np.abs(robot.base[:3, 3]).sum())

    def answer(self, starts: Floats, ends: Floats, tolerance: float) -> RobotMotions:
        """The verdicts on all motions, some thousands at a time."""
        judge = Judge(
            self._nearest, tolerance=tolerance, horizon=_HORIZON * self._size, batch=_BATCH
        )
        found = []
        for first in range(0, len(starts), _MOTIONS):
            rows = slice(first, first + _MOTIONS)

            def step(done: float, first: int = first) -> None:
                self._asked.reached((first + done * _MOTIONS) / len(starts))

            found.append(judge(self._motions(starts[rows], ends[rows]), step))
        return self._frozen(starts, ends, found)

    def _frozen(self, starts: Floats, ends: Floats, found: list[Verdicts]) -> RobotMotions:
        empty = Verdicts(0)
        blocked, unsure, times, bodies, looked = (
            np.concatenate([getattr(each, name) for each in (empty, *found)])
            for name in ("blocked", "unsure", "times", "bodies", "looked")
        )
        names = tuple(body.name for body in self._cell.scene)
        configurations = starts + times[:, None] * (ends - starts)
        return RobotMotions(
            ~(blocked | unsure), blocked, times, configurations, bodies, looked, names
        )

    def _motions(self, starts: Floats, ends: Floats) -> Motions:
        robot = self._robot
        change = (ends - starts) @ robot._factors
        values = np.maximum(np.abs(robot._values(starts)), np.abs(robot._values(ends)))
        reach = robot._parts.reach
        speeds = reach.speeds(self._pairs, change, values)
        # what the rounding of values does, and that of all else
        rounded = reach.speeds(self._pairs, 8.0 * _EPS * values, values).max(axis=1, initial=0.0)
        sliding = (values * ~robot._parts.kinematics.turning).sum(axis=1)
        slack = rounded + _HIDDEN * (self._extent + sliding)
        return Motions(starts, ends - starts, speeds, slack)

    def _nearest(self, configurations: Floats, bound: float) -> Near:
        cell, workers = self._cell, self._asked.workers
        poses = cell.poses(self._robot._placed(configurations))
        found = cell.scene.distances(poses=poses, upper_bound=bound, workers=workers)
        assert found.pose is not None
        # bodies of the world come first, and are one to the table of pairs: the last
        links = np.maximum(found.bodies - len(cell.obstacles), -1)
        column = self._column[links[:, 0], links[:, 1]]
        return Near(found.pose, column, found.bodies, found.values)
