"""The plan of a question: which bodies, which pairs of them, and whether a detector can do it."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np

from impinge._pairs import pair_keys
from impinge.detectors.protocol import (
    MARGIN_CAPABILITIES,
    PAIR_CAPABILITIES,
    PosesQuery,
    SceneQuery,
)
from impinge.detectors.registry import require
from impinge.errors import CapabilityError
from impinge.mesh import Mesh
from impinge.results.columns import Origin

if TYPE_CHECKING:
    from collections.abc import Sequence

    from impinge._shape import Shape
    from impinge._types import AnyArray, Counters, Ints, Longs
    from impinge.body import Body
    from impinge.detectors.protocol import ContactPointsQuery, Detector, PairDetector
    from impinge.scene import Scene

# above this many pairs of bodies, ignored ones are dropped from the answer instead of listed
_MOST_WANTED_PAIRS = 200_000


class BodySet:
    """Bodies, and the pairs of them (sorted indices) to ignore: what stays while they only move.

    `body_pairs` are those to ask about; None is all, and then the keys `ignored` are dropped.
    `alone` are the bodies that may be checked against themselves.
    """

    __slots__ = ("alone", "bodies", "body_pairs", "here", "ignored", "names", "on_gpu", "scene")

    def __init__(
        self,
        bodies: Sequence[Body],
        pairs: Sequence[tuple[int, int]] | Ints = (),
        *,
        scene: Scene | None = None,
    ) -> None:
        ignored = np.array(pairs, dtype=np.int32).reshape(-1, 2)
        self.bodies = tuple(bodies)
        self.names = tuple(body.name for body in bodies)
        self.here = tuple(body for body in bodies if not body._on_gpu)
        self.on_gpu = tuple(body for body in bodies if body._on_gpu)
        self.body_pairs = _wanted_pairs(len(bodies), ignored)
        listed = self.body_pairs is not None or not len(ignored)
        self.ignored: Longs | None = None if listed else pair_keys(ignored)
        self.alone = np.setdiff1d(
            np.arange(len(bodies), dtype=np.int32), ignored[ignored[:, 0] == ignored[:, 1], 0]
        )
        self.scene = scene

    def shapes(self) -> tuple[Shape, ...]:
        """The geometry as it is now."""
        return tuple([body._shape or body._current() for body in self.bodies])

    def kept(self, pairs: Ints, *columns: AnyArray) -> tuple[AnyArray, ...]:
        """Rows of pairs of bodies and other columns, without those that are ignored."""
        if self.ignored is None:
            return pairs, *columns
        kept = ~np.isin(pair_keys(pairs), self.ignored)
        return pairs[kept], *(column[kept] for column in columns)

    def origin(self, method: str, counters: Counters, shapes: tuple[Shape, ...]) -> Origin:
        """What an answer about these bodies remembers."""
        return Origin(method, counters, shapes, (), self.scene, self.names)


def pair_detector(
    chosen: Detector,
    query: SceneQuery | PosesQuery,
    operands: Sequence[Mesh | Body],
    on_gpu: Sequence[Body] = (),
) -> PairDetector:
    """The detector, if it can answer for these meshes and GPU bodies; else a `CapabilityError`."""
    if on_gpu:
        require(chosen, ("gpu_geometry",))
    # most can do all of it, and then there is nothing to look at
    able = chosen.capabilities
    if able is not MARGIN_CAPABILITIES and not able >= PAIR_CAPABILITIES:
        require(chosen, ("pairs", *needs(query)))
        if "open" not in able:
            _check_closed(chosen, operands, on_gpu)
    return cast("PairDetector", chosen)


def needs(query: SceneQuery | PosesQuery | ContactPointsQuery) -> list[str]:
    """What is asked beyond the plain question."""
    shapes: Sequence[Shape] = getattr(query, "shapes", ())
    asked = {
        "poses": isinstance(query, PosesQuery),
        "bodies": len(shapes) > 2,
        "self": len(getattr(query, "self_bodies", ())) > 0,
        "first": getattr(query, "first", False),
        "deformable": any(shape.deformed for shape in shapes),
    }
    return [name for name, is_asked in asked.items() if is_asked]


def check_here(bodies: BodySet, what: str) -> None:
    """Raise when the vertices of a body are on the GPU, where nothing of this kind is found."""
    for body in bodies.on_gpu:
        raise CapabilityError(
            f"{what} need vertices, but those of body {body.name!r} are made on the GPU; "
            "make a mesh of body.read_vertices()"
        )


def _check_closed(
    chosen: Detector, operands: Sequence[Mesh | Body], on_gpu: Sequence[Body]
) -> None:
    for index, one in enumerate(operands):
        mesh = one if isinstance(one, Mesh) else one.mesh
        if not mesh.report().closed:
            which = f"mesh {index} {mesh.name!r}" if one is mesh else f"body {one.name!r}"
            raise CapabilityError(
                f"the method {chosen.name!r} needs closed meshes, but {which} is not closed; "
                "see mesh.report(), or use another method"
            )
    for body in on_gpu:
        if not body._is_closed():
            raise CapabilityError(
                f"the method {chosen.name!r} needs closed meshes, but body {body.name!r} "
                "is not closed; use another method"
            )


def _wanted_pairs(count: int, ignored: Ints) -> Ints | None:
    if not len(ignored) or count * (count - 1) // 2 > _MOST_WANTED_PAIRS:
        return None
    wanted = np.triu(np.ones((count, count), dtype=bool), 1)
    wanted[ignored[:, 0], ignored[:, 1]] = False
    # by rows, as the core takes them: else it would copy them in every query
    return np.ascontiguousarray(np.argwhere(wanted), dtype=np.int32)
