"""Which faces rays pass, and where."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from impinge._arrays import read_only
from impinge.results.columns import Answer

if TYPE_CHECKING:
    from impinge._types import Bools, Floats, Ints, Longs


@dataclass(frozen=True, eq=False, repr=False, init=False)
class RayHits(Answer):
    """Hits of m rays, sorted by ray, then t, then face; the answer of `impinge.raycast`.

    All arrays are read-only.

    See Also
    --------
    impinge.raycast

    Examples
    --------
    >>> import impinge
    >>> sheet = [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]
    >>> hits = impinge.raycast(sheet, [(0.2, 0.2, 1), (2, 2, 1)], (0, 0, -1))
    >>> hits.hit.tolist(), hits.first_face.tolist(), hits.first_t.tolist()
    ([True, False], [0, -1], [1.0, inf])
    >>> hits.points.tolist()
    [[0.2, 0.2, 0.0]]
    """

    ray: Ints
    """(n,) int32: index of the ray."""
    face: Ints
    """(n,) int32: the face it hits."""
    t: Floats
    """(n,) float64: where, in units of the direction."""
    origins: Floats
    """(m, 3) float64: starts of all rays."""
    directions: Floats
    """(m, 3) float64: directions of all rays, as they were given."""

    exact = False
    """`t` is rounded; which faces are hit is not."""

    def __init__(
        self, ray: Ints, face: Ints, t: Floats, origins: Floats, directions: Floats
    ) -> None:
        self._set({"ray": ray, "face": face, "t": t, "origins": origins, "directions": directions})

    def __len__(self) -> int:
        return len(self.ray)

    def __bool__(self) -> bool:
        return len(self.ray) > 0

    def __repr__(self) -> str:
        return f"RayHits({len(self.ray):,} hits of {len(self.origins):,} rays)"

    @cached_property
    def points(self) -> Floats:
        """(n, 3) float64: origin + t · direction, rounded."""
        points = self.origins[self.ray] + self.t[:, None] * self.directions[self.ray]
        read_only(points)
        return points

    @cached_property
    def counts(self) -> Longs:
        """(m,) int64: hits of each ray."""
        counts = np.bincount(self.ray, minlength=len(self.origins))
        read_only(counts)
        return counts

    @cached_property
    def hit(self) -> Bools:
        """(m,) bool: whether each ray hits anything."""
        hit = np.zeros(len(self.origins), dtype=bool)
        hit[self.ray] = True
        read_only(hit)
        return hit

    @cached_property
    def first_face(self) -> Ints:
        """(m,) int32: face of the first hit of each ray; -1 without one."""
        faces = np.full(len(self.origins), -1, dtype=np.int32)
        # the last write wins, and rows of one ray begin with its first hit
        faces[self.ray[::-1]] = self.face[::-1]
        read_only(faces)
        return faces

    @cached_property
    def first_t(self) -> Floats:
        """(m,) float64: t of the first hit of each ray; inf without one."""
        first = np.full(len(self.origins), inf)
        first[self.ray[::-1]] = self.t[::-1]
        read_only(first)
        return first
