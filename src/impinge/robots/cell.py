"""A robot and the world around it as one scene."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from impinge.body import Body, free_name
from impinge.errors import InputError, missing
from impinge.filters import groups, within
from impinge.mesh import Mesh
from impinge.scene import Scene

if TYPE_CHECKING:
    from impinge._types import Floats, Ints
    from impinge.robots.model import Model

LinkOrBody: TypeAlias = "str | Body"
PairRefs: TypeAlias = "Iterable[tuple[LinkOrBody, LinkOrBody]]"


class Cell:
    """What a robot is asked with: the bodies of the world first, then its links.

    Bodies of the world are not checked against each other. They are copies that share meshes and
    trees: a body is in one scene only.
    """

    def __init__(self, robot: Model, world: object, ignore: PairRefs = ()) -> None:
        self._seen = _state(world)
        self.scene = Scene()
        self._copies: dict[Body, Body] = {}
        for body in obstacles_of(world):
            added = self.scene.add(copy(body) if isinstance(body, Body) else body)
            if isinstance(body, Body):
                self._copies[body] = added
        self.obstacles = self.scene.bodies
        taken = frozenset().union(*(body.groups for body in self.obstacles))
        group = free_name("robot", taken, {})
        self.links = robot.add_to(self.scene, groups=group)
        if self.links:
            self.scene.ignore(within(~groups(group)))
        self._unchecked = {frozenset(pair) for pair in robot.ignored}
        self._ignore(robot, ignore)

    def unchanged(self, world: object) -> bool:
        """Whether nothing has moved or come since."""
        now = _state(world)
        return len(now) == len(self._seen) and all(
            one is other for one, other in zip(now, self._seen, strict=True)
        )

    def poses(self, placed: Floats) -> dict[tuple[Body, ...], Floats]:
        """Where the links are, (m, k, 4, 4), as the scene takes it."""
        return {tuple(self.links.values()): placed}

    def pairs(self) -> Ints:
        """(k, 2) int32: what is checked, as numbers of links; -1 is the world."""
        names = list(self.links)
        found = [(-1, b) for b in range(len(names)) if self.obstacles]
        found += [
            (a, b)
            for a, b in combinations(range(len(names)), 2)
            if frozenset((names[a], names[b])) not in self._unchecked
        ]
        return np.array(found, dtype=np.int32).reshape(-1, 2)

    def _ignore(self, robot: Model, ignore: PairRefs) -> None:
        if isinstance(ignore, str) or not isinstance(ignore, Iterable):
            raise InputError(f"ignore must be pairs of links or bodies, got {ignore!r}")
        for row, pair in enumerate(ignore):
            both = [pair] if isinstance(pair, str) else [*pair]
            if len(both) != 2:
                raise InputError(f"ignore[{row}] must be a pair of links or bodies, got {pair!r}")
            found = [self._body(one, f"ignore[{row}]", robot) for one in both]
            if found[0] is not None and found[1] is not None:
                self.scene.ignore(found[0], found[1])
                self._unchecked.add(frozenset(str(one) for one in both))

    def _body(self, key: object, argument: str, robot: Model) -> Body | None:
        """What stands for a link or a body of the world; None for a link without geometry."""
        if isinstance(key, Body):
            if key not in self._copies:
                raise InputError(f"{argument}: {key!r} is not in the world")
            return self._copies[key]
        if not isinstance(key, str):
            raise InputError(f"{argument} must hold names or bodies, got {type(key).__name__}")
        if key in robot.links:
            if any(body.name == key for body in self.obstacles):
                raise InputError(
                    f"{argument}: {key!r} is a link and a body of the world; pass the body itself"
                )
            return self.links.get(key)
        if key not in self.scene:
            names = [*robot.links, *(body.name for body in self.obstacles)]
            raise missing(argument, key, "links and bodies", names)
        return self.scene[key]


def obstacles_of(world: object) -> tuple[Mesh | Body, ...]:
    """The bodies of a scene, or the one mesh that is given instead."""
    if world is None:
        return ()
    if isinstance(world, Scene):
        return world.bodies
    return (world,) if isinstance(world, Mesh | Body) else (Mesh.of(world, argument="world"),)


def _state(world: object) -> tuple[object, ...]:
    """What changes when a body moves or deforms: compared by identity."""
    if isinstance(world, Scene):
        return tuple(
            part for body in world for part in (body, body._placement, body._local, body._shape)
        )
    return (world, getattr(world, "_placement", None), getattr(world, "_local", None))
