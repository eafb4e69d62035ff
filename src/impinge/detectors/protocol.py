"""What a detector is: it takes a query over shapes and gives pairs of faces, or contacts."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from impinge._shape import Shape
    from impinge._types import Floats, Ints, Longs
    from impinge.detectors.raw import RawContactPoints, RawOverlaps, RawPairs

CAPABILITIES: Mapping[str, str] = {
    "pairs": "all colliding pairs of faces",
    "bodies": "scenes of more than two bodies",
    "self": "collisions of a body with itself",
    "first": 'mode="first"',
    "margin": "pairs of faces within a margin",
    "poses": "many poses of one body in one call",
    "deformable": "bodies whose vertices change",
    "open": "meshes that are not closed",
    "gpu_geometry": "bodies whose vertices are made on the GPU",
    "contact_points": "contact points",
    "overlaps": "pairs of bodies that overlap",
}
"""Everything that can be asked of a detector, in words for an error message."""

MARGIN_CAPABILITIES = frozenset(CAPABILITIES) - {"contact_points", "gpu_geometry", "overlaps"}
"""All that can be asked of a detector of pairs, about bodies whose vertices are here."""

PAIR_CAPABILITIES = MARGIN_CAPABILITIES - {"margin"}
"""The same about faces that collide, and none that are only near."""

NO_BODIES: Ints = np.zeros(0, dtype=np.int32)


class SceneQuery(NamedTuple):
    """The question about all colliding pairs of faces among some bodies, as a detector gets it.

    Only what the detector declares in its capabilities is ever asked.

    See Also
    --------
    impinge.detectors.PairDetector

    Examples
    --------
    A query with its defaults: all pairs of bodies, touching ones included.

    >>> from impinge.detectors import SceneQuery
    >>> query = SceneQuery(shapes=())
    >>> query.touching, query.body_pairs, len(query.self_bodies)
    (True, None, 0)
    """

    shapes: tuple[Shape, ...]
    """The bodies, in world coordinates."""
    body_pairs: Ints | None = None
    """(k, 2) int32: pairs of bodies to check, i < j, sorted; None is all of them."""
    self_bodies: Ints = NO_BODIES
    """(s,) int32: bodies to check against themselves, sorted."""
    touching: bool = True
    """Report pairs that only touch."""
    report_duplicates: bool = False
    """Report faces of one body with the same three corners."""
    first: bool = False
    """At most one pair per pair of bodies."""
    workers: int = 0
    """Threads; 0 is all cores."""
    tick: Callable[[float], bool] | None = None
    """Takes the fraction done; False cancels."""
    max_pairs: int | None = None
    """A detector may stop at more pairs, with `_core.TooManyPairs`; None is no limit."""
    names: tuple[str, ...] = ()
    """Of the bodies of a scene, for warnings."""
    once: bool = False
    """There are two shapes, and nobody can ask about them again: nothing is worth keeping."""
    margin: float = 0.0
    """Faces that are not farther apart count, too."""


class PosesQuery(NamedTuple):
    """The question about all colliding pairs of `a` with `b` moved by each pose.

    See Also
    --------
    impinge.detectors.PairDetector

    Examples
    --------
    >>> from impinge.detectors import PosesQuery
    >>> PosesQuery._fields[:3]
    ('a', 'b', 'poses')
    """

    a: Shape
    """The body that stays."""
    b: Shape
    """The body that is moved."""
    poses: Floats
    """(m, 4, 4) float64: world = R v + t."""
    touching: bool = True
    """Report pairs that only touch."""
    first: bool = False
    """At most one pair per pose."""
    workers: int = 0
    """Threads; 0 is all cores."""
    tick: Callable[[float], bool] | None = None
    """Takes the fraction done; False cancels."""
    max_pairs: int | None = None
    """As in a `SceneQuery`."""
    once: bool = False
    """Nobody can ask about these shapes again."""
    margin: float = 0.0
    """Faces that are not farther apart count, too."""


class ConfigurationsQuery(NamedTuple):
    """The question about a scene in each of m configurations.

    See Also
    --------
    impinge.detectors.PairDetector

    Examples
    --------
    >>> from impinge.detectors import ConfigurationsQuery
    >>> ConfigurationsQuery._fields
    ('scene', 'moved', 'poses', 'length')
    """

    scene: SceneQuery
    """The bodies, those that move at rest, and the options; at most one pair of faces for each
    pair of bodies in each configuration when `first` is asked for."""
    moved: Ints
    """(k,) int32: the bodies that move, sorted."""
    poses: tuple[Floats, ...]
    """Of each of them (m, 4, 4) float64: where it is in each configuration."""
    length: int
    """m, the number of configurations."""

    @property
    def tick(self) -> Callable[[float], bool] | None:
        """That of the scene."""
        return self.scene.tick

    @property
    def max_pairs(self) -> int | None:
        """That of the scene, of all configurations together."""
        return self.scene.max_pairs


class ContactPointsQuery(NamedTuple):
    """The question about all contact points among some bodies, as a detector gets it.

    See Also
    --------
    impinge.detectors.ContactPointDetector

    Examples
    --------
    >>> from impinge.detectors import ContactPointsQuery
    >>> ContactPointsQuery(shapes=(), rest_shapes=(), names=()).workers
    0
    """

    shapes: tuple[Shape, ...]
    """The bodies, in world coordinates."""
    rest_shapes: tuple[Shape, ...]
    """The same bodies before they moved or deformed."""
    names: tuple[str, ...]
    """Of the bodies, for warnings."""
    body_pairs: Ints | None = None
    """(k, 2) int32: pairs of bodies to check, i < j, sorted; None is all of them."""
    self_bodies: Ints = NO_BODIES
    """(s,) int32: bodies to check against themselves, sorted."""
    workers: int = 0
    """Threads; 0 is all cores."""
    tick: Callable[[float], bool] | None = None
    """Takes the fraction done; False cancels."""


class OverlapsQuery(NamedTuple):
    """The question about all pairs of bodies that overlap, as a detector gets it.

    See Also
    --------
    impinge.detectors.OverlapDetector

    Examples
    --------
    >>> from impinge.detectors import OverlapsQuery
    >>> OverlapsQuery(shapes=(), names=()).body_pairs is None
    True
    """

    shapes: tuple[Shape, ...]
    """The bodies, in world coordinates."""
    names: tuple[str, ...]
    """Of the bodies, for warnings."""
    body_pairs: Ints | None = None
    """(k, 2) int32: pairs of bodies to check, i < j, sorted; None is all of them."""
    workers: int = 0
    """Threads; 0 is all cores."""
    tick: Callable[[float], bool] | None = None
    """Takes the fraction done; False cancels."""
    ignored: Longs | None = None
    """Keys of pairs that are dropped from the answer: nothing is missing without them."""


@runtime_checkable
class Detector(Protocol):
    """A way to find collisions; chosen by name or given as an instance.

    Instances are shared between threads and keep what they build for a body in the structures of
    its shape, never in themselves. What else they have follows from their capabilities: with
    "pairs" it is a `PairDetector`, with "contact_points" a `ContactPointDetector`, with "overlaps"
    an `OverlapDetector`.

    See Also
    --------
    impinge.detector, impinge.detectors.register

    Examples
    --------
    >>> import impinge
    >>> sorted(impinge.detector("ray").capabilities)
    ['bodies', 'contact_points', 'deformable', 'self']
    """

    @property
    def name(self) -> str:
        """What `method=` takes, and what results call it."""

    @property
    def capabilities(self) -> frozenset[str]:
        """Keys of `CAPABILITIES`."""


@runtime_checkable
class PairDetector(Detector, Protocol):
    """Finds colliding pairs of faces.

    One that can tell whether two bodies collide without naming a pair also has a method
    `collides(query: PosesQuery)`, which gives one truth value per pose; one that can tell whether
    any bodies of a scene collide, `scene_collides(query: SceneQuery)`. One that takes many
    configurations in one call has `configurations(query: ConfigurationsQuery)`, which gives
    `RawPairs`, or `configurations_collide`, which gives truth values; others are asked about one
    configuration after the other.

    See Also
    --------
    impinge.detectors.register

    Examples
    --------
    >>> import impinge
    >>> from impinge.detectors import PairDetector
    >>> isinstance(impinge.detector("bvh"), PairDetector)
    True
    """

    def scene(self, query: SceneQuery) -> RawPairs:
        """All colliding pairs among the bodies of a query.

        Parameters
        ----------
        query : SceneQuery
            The bodies and the options.

        Returns
        -------
        RawPairs
        """

    def poses(self, query: PosesQuery) -> RawPairs:
        """All colliding pairs of two bodies, one of them in many poses.

        Parameters
        ----------
        query : PosesQuery
            The bodies, the poses and the options.

        Returns
        -------
        RawPairs
        """


@runtime_checkable
class ContactPointDetector(Detector, Protocol):
    """Finds contact points.

    Examples
    --------
    >>> import impinge
    >>> from impinge.detectors import ContactPointDetector
    >>> isinstance(impinge.detector("ray"), ContactPointDetector)
    True
    """

    def contact_points(self, query: ContactPointsQuery) -> RawContactPoints:
        """All contact points among the bodies of a query.

        Parameters
        ----------
        query : ContactPointsQuery
            The bodies and the options.

        Returns
        -------
        RawContactPoints
        """


@runtime_checkable
class OverlapDetector(Detector, Protocol):
    """Finds pairs of bodies that overlap.

    Examples
    --------
    >>> import impinge
    >>> from impinge.detectors import OverlapDetector
    >>> isinstance(impinge.detector("cinder"), OverlapDetector)
    True
    """

    judge: bool
    """Whether to count what it lost against the exact pairs, when it is the first of two steps."""

    def overlaps(self, query: OverlapsQuery) -> RawOverlaps:
        """All pairs of bodies of a query that overlap.

        Parameters
        ----------
        query : OverlapsQuery
            The bodies and the options.

        Returns
        -------
        RawOverlaps
        """
