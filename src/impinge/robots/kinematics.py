"""Where the links are in many configurations at once, and how far a change can move them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from impinge.robots.urdf import MOVABLE, ROTATING

if TYPE_CHECKING:
    from impinge._types import Bools, Floats, Ints
    from impinge.robots.urdf import Description

# so many configurations stay in the cache on the way down
_BLOCK = 2048


class _Step(NamedTuple):
    """A joint in the order from the root down."""

    parent: int
    child: int
    column: int
    """Which value moves it, of all movable joints; -1 when it is fixed."""
    turns: bool
    into: Floats
    """(3, 3): from the joint, its axis along z, to the parent link."""
    offset: Floats
    """(3,): of the joint in the parent link."""
    out_of: Floats | None
    """(3, 3): from the link to the joint with its axis along z; None for the identity."""


class Kinematics:
    """The tree of links and joints of a robot.

    Values of *all* movable joints are an affine function of those of the free ones: a joint that
    mimics another, or that is held still, has no column of its own.
    """

    def __init__(self, robot: Description) -> None:
        self.links = tuple(robot.links)
        self.movable = tuple(j.name for j in robot.joints.values() if j.kind in MOVABLE)
        self.root = self.links.index(robot.root)
        self.steps = _steps(robot, self.links, self.movable)
        joints = [robot.joints[name] for name in self.movable]
        self.lower = np.array([joint.lower for joint in joints])
        self.upper = np.array([joint.upper for joint in joints])
        self.turning: Bools = np.array([joint.kind in ROTATING for joint in joints], dtype=bool)
        self.free, self.factors, self.offsets = _affine(robot, self.movable)
        """Indices of the free joints; (free, movable) and (movable,) so that all values are
        Q @ factors + offsets"""

    def poses(self, values: Floats, base: Floats, wanted: Ints) -> Floats:
        """(m, k, 4, 4): the k wanted links in the world, for (m, movable) values."""
        result = np.zeros((len(values), len(wanted), 4, 4))
        result[:, :, 3, 3] = 1.0
        chains = self.chains()
        needed = {index for link in wanted for index in chains[link]}
        steps = [step for index, step in enumerate(self.steps) if index in needed]
        for first in range(0, len(values), _BLOCK):
            rows = slice(first, first + _BLOCK)
            turned, moved = self._frames(steps, values[rows], base)
            for column, link in enumerate(wanted):
                result[rows, column, :3, :3] = turned[link].transpose(2, 0, 1)
                result[rows, column, :3, 3] = moved[link].T
        return result

    def _frames(
        self, steps: list[_Step], values: Floats, base: Floats
    ) -> tuple[dict[int, Floats], dict[int, Floats]]:
        """Rotations (3, 3, m) and translations (3, m) of the links that the steps lead to."""
        count = len(values)
        # rows, columns, configurations: every operation runs along the last, so none over it
        turned = {self.root: np.repeat(base[:3, :3, None], count, axis=2)}
        moved = {self.root: np.repeat(base[:3, 3:], count, axis=1)}
        columns = np.ascontiguousarray(values.T)
        cosines, sines = np.cos(columns), np.sin(columns)
        for step in steps:
            above = turned[step.parent]
            place = moved[step.parent] + _combined(above, step.offset)
            frame = _turned(above, step.into)
            if step.column >= 0 and step.turns:
                c, s = cosines[step.column], sines[step.column]
                x, y = frame[:, 0].copy(), frame[:, 1]
                frame[:, 0] = c * x + s * y
                frame[:, 1] = c * y - s * x
            elif step.column >= 0:
                place = place + frame[:, 2] * columns[step.column]
            turned[step.child] = frame if step.out_of is None else _turned(frame, step.out_of)
            moved[step.child] = place
        return turned, moved

    def chains(self) -> list[tuple[int, ...]]:
        """For each link the indices of the steps that lead to it from the root."""
        chains: list[tuple[int, ...]] = [()] * len(self.links)
        for index, step in enumerate(self.steps):
            chains[step.child] = (*chains[step.parent], index)
        return chains


def _turned(frames: Floats, turn: Floats) -> Floats:
    """(3, 3, m): all frames times a rotation (3, 3)."""
    return np.stack([_combined(frames, column) for column in turn.T], axis=1)


def _combined(frames: Floats, factors: Floats) -> Floats:
    """(3, m): the columns of all frames (3, 3, m), each times its factor.

    One by one and not as a product of matrices, which rounds otherwise for other numbers of
    configurations.
    """
    total: Floats | None = None
    for k, factor in enumerate(factors.tolist()):
        if factor != 0.0:
            part = frames[:, k] if factor == 1.0 else frames[:, k] * factor
            total = part if total is None else total + part
    return np.zeros_like(frames[:, 0]) if total is None else total


def _steps(
    robot: Description, links: tuple[str, ...], movable: tuple[str, ...]
) -> tuple[_Step, ...]:
    below: dict[str, list[str]] = {}
    for joint in robot.joints.values():
        below.setdefault(joint.parent, []).append(joint.name)
    at = {name: index for index, name in enumerate(links)}
    column = {name: index for index, name in enumerate(movable)}
    steps = []
    waiting = [robot.root]
    while waiting:
        link = waiting.pop()
        for name in below.get(link, ()):
            joint = robot.joints[name]
            waiting.append(joint.child)
            moves = name in column
            along = _axis_to_z(joint.axis) if moves else np.eye(3)
            still = np.array_equal(along, np.eye(3))
            steps.append(
                _Step(
                    at[link],
                    at[joint.child],
                    column.get(name, -1),
                    joint.kind in ROTATING,
                    joint.origin[:3, :3] @ along,
                    joint.origin[:3, 3],
                    None if still else along.T,
                )
            )
    return tuple(steps)


def _axis_to_z(axis: Floats) -> Floats:
    """(3, 3): a rotation that moves z onto the axis."""
    least = int(np.argmin(np.abs(axis)))
    if np.count_nonzero(axis) == 1:
        # a permutation has no rounding
        k = int(np.argmax(np.abs(axis)))
        turn = np.eye(3)[:, [(k + 1) % 3, (k + 2) % 3, k]]
        return turn if axis[k] > 0.0 else turn[:, [1, 0, 2]] * (1.0, 1.0, -1.0)
    x = np.cross(axis, np.eye(3)[least])
    x /= np.linalg.norm(x)
    return np.column_stack((x, np.cross(axis, x), axis))


def _affine(robot: Description, movable: tuple[str, ...]) -> tuple[Ints, Floats, Floats]:
    """The free joints, and what all movable ones are for them."""
    column = {name: index for index, name in enumerate(movable)}
    free = [name for name in movable if robot.joints[name].mimic is None]
    factors, offsets = np.zeros((len(free), len(movable))), np.zeros(len(movable))
    row = {name: index for index, name in enumerate(free)}
    for name in movable:
        leader, factor, offset = name, 1.0, 0.0
        while (mimic := robot.joints[leader].mimic) is not None:
            offset += factor * mimic.offset
            factor *= mimic.multiplier
            leader = mimic.joint
        factors[row[leader], column[name]] = factor
        offsets[column[name]] = offset
    return np.array([column[name] for name in free], dtype=np.int32), factors, offsets
