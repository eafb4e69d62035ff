"""When moving features meet: vertices with faces, and edges with edges."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

from impinge._text import counted
from impinge.results.columns import Columns

if TYPE_CHECKING:
    from impinge._types import Bools, Bytes, Floats, Ints
    from impinge.results.columns import Origin


class ImpactKind(IntEnum):
    """Which features meet.

    See Also
    --------
    impinge.results.Impacts

    Examples
    --------
    >>> from impinge.results import ImpactKind
    >>> ImpactKind(1).name
    'EDGE_EDGE'
    """

    VERTEX_FACE = 0
    """A vertex and a face."""
    EDGE_EDGE = 1
    """Two edges."""


@dataclass(frozen=True, eq=False, repr=False)
class Impacts(Columns):
    """Impacts of vertices that move along straight lines; the answer of `impinge.impacts`.

    One row for each vertex and face, and each two edges, that meet at some time from 0 to 1, by
    time, then kind, bodies and vertices. Equal vertices that stay equal are one, the first of them,
    and features with a common vertex are neighbours, which are left out. All arrays are read-only.

    See Also
    --------
    impinge.impacts, impinge.Scene.impacts

    Examples
    --------
    >>> import impinge
    >>> import numpy as np
    >>> sheet = np.array([(0, 0, 0), (4, 0, 0), (0, 4, 0)])
    >>> drop = np.array([(1, 1, 1), (1, 1, 3), (1, 2, 3)])
    >>> start = np.concatenate((sheet, drop))
    >>> end = np.concatenate((sheet, drop - (0, 0, 2)))
    >>> found = impinge.impacts((start, [(0, 1, 2), (3, 4, 5)]), to=end)
    >>> found.features.tolist(), found.kinds.tolist(), found.certain.tolist()
    ([[3, 0, 1, 2]], [0], [True])
    >>> round(found.time, 6)
    0.5
    """

    features: Ints
    """(k, 4) int32: the vertex and the corners of the face, or the ends of both edges; indices
    within their bodies."""
    kinds: Bytes
    """(k,) uint8: an `ImpactKind` each."""
    times: Floats
    """(k,) float64 from 0 to 1: never later than when they meet."""
    certain: Bools
    """(k,) bool: whether they meet for certain. All do without a `minimum_separation`; with one,
    features that come as near as it and not certainly nearer are reported too."""
    at_start: Bools
    """(k,) bool: those that meet at time 0 already."""
    bodies: Ints
    """(k, 2) int32: the body of the first feature, and of the second."""
    _origin: Origin
    warnings: tuple[str, ...] = ()
    """None so far: nothing limits this answer."""
    complete: bool = True
    """Always: no impact is missing."""

    exact = False
    """Times are bounds, however near; whether features meet is exact where `certain` is set."""

    @property
    def time(self) -> float:
        """The earliest time; inf when nothing meets."""
        return float(self.times[0]) if len(self) else math.inf

    def __repr__(self) -> str:
        first = f", the first at {self.time:.6g}" if len(self) else ""
        return f"Impacts({counted(len(self), 'impact')}{first})"
