"""The bodies of a question as the detectors need them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from impinge._pairs import pair_keys
from impinge.body import Body, free_name
from impinge.results.columns import Origin

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from impinge._shape import Shape
    from impinge._types import Ints, Longs
    from impinge.mesh import Mesh
    from impinge.scene import Scene

# above this many pairs of bodies, ignored ones are dropped from the answer instead of listed
_MOST_LISTED_PAIRS = 200_000
_NO_PAIRS: Ints = np.zeros((0, 2), dtype=np.int32)


class BodySet:
    """Bodies, and the pairs (k, 2) of them to ignore: all that stays while they only move.

    `body_pairs` are those to ask about; None is all, and then the keys `ignored` are dropped.
    `alone` are the bodies that may be checked against themselves.
    """

    __slots__ = ("alone", "bodies", "body_pairs", "here", "ignored", "names", "on_gpu", "scene")

    def __init__(
        self, bodies: Sequence[Body], ignored: Ints = _NO_PAIRS, *, scene: Scene | None = None
    ) -> None:
        self.bodies = tuple(bodies)
        self.names = tuple(body.name for body in bodies)
        self.here = tuple(body for body in bodies if not body._on_gpu)
        self.on_gpu = tuple(body for body in bodies if body._on_gpu)
        self.body_pairs = _listed_pairs(len(bodies), ignored)
        listed = self.body_pairs is not None or not len(ignored)
        self.ignored: Longs | None = None if listed else pair_keys(ignored)
        self.alone = np.setdiff1d(
            np.arange(len(bodies), dtype=np.int32), ignored[ignored[:, 0] == ignored[:, 1], 0]
        )
        self.scene = scene

    @classmethod
    def of_meshes(cls, meshes: Iterable[Mesh]) -> BodySet:
        names: list[str] = []
        bodies = []
        for mesh, letter in zip(meshes, "ab", strict=True):
            names.append(free_name(mesh.name or letter, names))
            bodies.append(Body(mesh, name=names[-1]))
        return cls(bodies)

    def shapes(self) -> tuple[Shape, ...]:
        """The geometry as it is now."""
        return tuple([body._shape or body._current() for body in self.bodies])

    def origin(self, method: str, counters: dict[str, float], shapes: tuple[Shape, ...]) -> Origin:
        """What an answer about these bodies remembers."""
        return Origin(method, counters, shapes, (), self.scene, self.names)


def _listed_pairs(count: int, ignored: Ints) -> Ints | None:
    if not len(ignored) or count * (count - 1) // 2 > _MOST_LISTED_PAIRS:
        return None
    wanted = np.triu(np.ones((count, count), dtype=bool), 1)
    wanted[ignored[:, 0], ignored[:, 1]] = False
    # by rows, as the core takes them: else it would copy them in every query
    return np.ascontiguousarray(np.argwhere(wanted), dtype=np.int32)
