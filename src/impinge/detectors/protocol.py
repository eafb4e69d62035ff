"""What a detector is: it takes a query over shapes and gives pairs of faces, or contacts."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from impinge._shape import Shape
    from impinge._types import Bools, Bytes, Floats, Ints, Longs

CAPABILITIES: Mapping[str, str] = {
    "pairs": "all colliding pairs of faces",
    "bodies": "scenes of more than two bodies",
    "self": "collisions of a body with itself",
    "first": 'mode="first"',
    "poses": "many poses of one body in one call",
    "deformable": "bodies whose vertices change",
    "open": "meshes that are not closed",
    "gpu_geometry": "bodies whose vertices are made on the GPU",
    "contact_points": "contact points",
    "overlaps": "pairs of bodies that overlap",
}
"""Everything that can be asked of a detector, in words for an error message."""

PAIR_CAPABILITIES = frozenset(CAPABILITIES) - {"contact_points", "gpu_geometry", "overlaps"}
"""All that can be asked of a detector of pairs, about bodies whose vertices are here."""

NO_BODIES: Ints = np.zeros(0, dtype=np.int32)


class SceneQuery(NamedTuple):
    """All colliding pairs among some bodies. Only what the detector declares is ever asked."""

    shapes: tuple[Shape, ...]
    body_pairs: Ints | None = None
    """(k, 2) pairs of bodies to check, i < j, sorted; None is all of them."""
    self_bodies: Ints = NO_BODIES
    """(s,) bodies to check against themselves, sorted."""
    touching: bool = True
    """Report pairs that only touch."""
    report_duplicates: bool = False
    first: bool = False
    """At most one pair per pair of bodies."""
    workers: int = 0
    """Threads; 0 is all cores."""
    tick: Callable[[float], bool] | None = None
    names: tuple[str, ...] = ()
    """Of the bodies of a scene, for warnings."""
    once: bool = False
    """There are two shapes, and nobody can ask about them again: nothing is worth keeping."""


class PosesQuery(NamedTuple):
    """All colliding pairs of `a` with `b` moved by each of the poses (m, 4, 4)."""

    a: Shape
    b: Shape
    poses: Floats
    touching: bool = True
    first: bool = False
    """At most one pair per pose."""
    workers: int = 0
    tick: Callable[[float], bool] | None = None
    once: bool = False
    """Nobody can ask about these shapes again."""


class RawPairs(NamedTuple):
    """Pairs (n, 2) of face ids with their kinds (n,), sorted.

    Of a scene: with `bodies` (n, 2), sorted by (body a, face a, body b, face b).
    Of poses: with `pose` (n,), sorted by (pose, face a, face b); the bodies are 0 and 1.
    """

    pairs: Ints
    kinds: Bytes
    bodies: Ints | None
    pose: Ints | None
    counters: dict[str, float]
    inside: Ints | None = None
    """(k, 2) pairs of bodies, an inner and an outer one, sorted; None: not looked for."""
    shapes: tuple[Shape, ...] | None = None
    """What the result remembers in place of the shapes of the query: what was read of them."""
    warnings: tuple[str, ...] = ()


class ContactPointsQuery(NamedTuple):
    """All contact points among some bodies. Only what the detector declares is ever asked."""

    shapes: tuple[Shape, ...]
    rest_shapes: tuple[Shape, ...]
    """The same bodies before they moved or deformed."""
    names: tuple[str, ...]
    body_pairs: Ints | None = None
    """(k, 2) pairs of bodies to check, i < j, sorted; None is all of them."""
    self_bodies: Ints = NO_BODIES
    """(s,) bodies to check against themselves, sorted."""
    workers: int = 0
    """Threads; 0 is all cores."""
    tick: Callable[[float], bool] | None = None


class RawContactPoints(NamedTuple):
    """The columns of `ContactPoints`, sorted by bodies, then vertices."""

    bodies: Ints
    vertices: Ints
    owners: Ints
    coefficients: Floats
    points: Floats
    normals: Floats
    weights: Floats
    rest: Floats
    faces: Ints
    suspicious: Bools
    counters: dict[str, float]


class OverlapsQuery(NamedTuple):
    """All pairs of bodies that overlap."""

    shapes: tuple[Shape, ...]
    names: tuple[str, ...]
    body_pairs: Ints | None = None
    """(k, 2) pairs of bodies to check, i < j, sorted; None is all of them."""
    workers: int = 0
    """Threads; 0 is all cores."""
    tick: Callable[[float], bool] | None = None


class RawOverlaps(NamedTuple):
    """The columns of `Overlaps`."""

    pairs: Ints
    pixels: Longs
    triangles: Ints | None
    normals: Floats | None
    warnings: tuple[str, ...]
    counters: dict[str, float]


@runtime_checkable
class Detector(Protocol):
    """A way to find collisions; chosen by name or given as an instance.

    Instances are shared between threads and keep what they build for a body in the structures
    of its shape, never in themselves. What else they have follows from what they can do: with
    "pairs" it is a `PairDetector`, with "contacts" a `ContactPointDetector`, with "overlaps" an
    `OverlapDetector`.
    """

    @property
    def name(self) -> str: ...

    @property
    def capabilities(self) -> frozenset[str]:
        """Keys of `CAPABILITIES`."""


@runtime_checkable
class PairDetector(Detector, Protocol):
    """Finds colliding pairs of faces.

    One that can say whether two bodies collide without naming a pair has a method
    `collides(query: PosesQuery)` too: one truth value per pose.
    """

    def scene(self, query: SceneQuery) -> RawPairs: ...

    def poses(self, query: PosesQuery) -> RawPairs: ...


@runtime_checkable
class ContactPointDetector(Detector, Protocol):
    """Finds contact points."""

    def contact_points(self, query: ContactPointsQuery) -> RawContactPoints: ...


@runtime_checkable
class OverlapDetector(Detector, Protocol):
    """Finds pairs of bodies that overlap.

    `judge` asks for what it lost against the exact pairs, when it is the first of two steps.
    """

    judge: bool

    def overlaps(self, query: OverlapsQuery) -> RawOverlaps: ...
