"""What detectors give: rows as they come, before they are made into an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from impinge._shape import Shape
    from impinge._types import Bools, Bytes, Counters, Floats, Ints, Longs


class RawPairs(NamedTuple):
    """What a detector of pairs gives: pairs of face indices with their kinds, sorted.

    Of a scene: with `bodies`, sorted by (body a, face a, body b, face b). Of poses: with `pose`,
    sorted by (pose, face a, face b); the bodies are 0 and 1. Of configurations: with both, sorted
    by pose and then as those of a scene.

    See Also
    --------
    impinge.detectors.PairDetector, impinge.Collisions

    Examples
    --------
    No pairs at all:

    >>> import numpy as np
    >>> from impinge.detectors import RawPairs
    >>> none = np.zeros((0, 2), dtype=np.int32)
    >>> RawPairs(none, np.zeros(0, dtype=np.uint8), none, None, {}).warnings
    ()
    """

    pairs: Ints
    """(n, 2) int32: face of a, face of b."""
    kinds: Bytes
    """(n,) uint8, see `impinge.Kind`."""
    bodies: Ints | None
    """(n, 2) int32; None of poses of two bodies."""
    pose: Ints | None
    """(n,) int32; None of a scene as it is."""
    counters: Counters
    """What `impinge.results.Stats.of` takes."""
    inside: Ints | None = None
    """(k, 2) int32: pairs of bodies, an inner and an outer one, sorted; None: not looked for."""
    shapes: tuple[Shape, ...] | None = None
    """What the result remembers in place of the shapes of the query: what was read of them."""
    warnings: tuple[str, ...] = ()
    """Why pairs may be missing."""
    complete: bool = True
    """Whether none is missing for sure."""


class RawContactPoints(NamedTuple):
    """The columns of `impinge.results.ContactPoints`, sorted by bodies, then vertices.

    See Also
    --------
    impinge.detectors.ContactPointDetector

    Examples
    --------
    >>> from impinge.detectors import RawContactPoints
    >>> RawContactPoints._fields[:3]
    ('bodies', 'vertices', 'owners')
    """

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
    warnings: tuple[str, ...] = ()
    complete: bool = True


class RawOverlaps(NamedTuple):
    """The columns of `impinge.results.Overlaps`.

    See Also
    --------
    impinge.detectors.OverlapDetector

    Examples
    --------
    >>> from impinge.detectors import RawOverlaps
    >>> RawOverlaps._fields[:2]
    ('pairs', 'pixels')
    """

    pairs: Ints
    pixels: Longs
    triangles: Ints | None
    normals: Floats | None
    warnings: tuple[str, ...]
    counters: dict[str, float]
    complete: bool = False
