"""Contact points: pairs of points of two bodies, as forces need them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from impinge._arrays import read_only
from impinge._text import counted
from impinge.results.columns import Columns

if TYPE_CHECKING:
    from impinge._types import Bools, Floats, Ints
    from impinge.results.columns import Origin


@dataclass(frozen=True, eq=False, repr=False)
class ContactPoints(Columns):
    """Contact points, sorted; the answer of `impinge.contact_points` and `Scene.contact_points`.

    Each row joins a point of one body with a point of another, or of the same. Both are weighted
    sums of vertices, four in all. All arrays are read-only.

    See Also
    --------
    impinge.contact_points, impinge.Scene.contact_points, impinge.respond.penalty_forces

    Examples
    --------
    >>> import impinge
    >>> import numpy as np
    >>> vertices = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
    >>> faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    >>> found = impinge.contact_points((vertices, faces), (vertices + 0.2, faces))
    >>> found.bodies.tolist(), found.faces.tolist()
    ([[1, 0]], [3])
    >>> found.depth.round(3).tolist()
    [0.231]
    """

    bodies: Ints
    """(n, 2) int32: body of the first point, body of the second."""
    vertices: Ints
    """(n, 4) int32: the vertices within their bodies."""
    owners: Ints
    """(n, 4) int32: body of each of the four vertices."""
    coefficients: Floats
    """(n, 4) float64: weights of the vertices; positive for the first point, else negative."""
    points: Floats
    """(n, 2, 3) float64: the two points, in world coordinates."""
    normals: Floats
    """(n, 3) float64: unit normal of the second surface at the contact."""
    weights: Floats
    """(n,) float64: how far a contact is trusted, in (0, 1]."""
    rest: Floats
    """(n,) float64: distance of the points at which the force vanishes."""
    faces: Ints
    """(n,) int32: face of the second body; -1 for edge with edge."""
    _origin: Origin
    suspicious: Bools | None = None
    """(n,) bool: contacts of a body with itself that may be as deep as it is thick, so that the
    second point is the far side at rest; None when self-collision was not asked for."""
    warnings: tuple[str, ...] = ()
    """Why contact points may be missing, and bodies that were inside out, wholly or in part, and
    were turned around for the answer."""
    complete: bool = True
    """Whether no place where bodies meet is without a point. "proximity" has all pairs of features
    within its threshold. "ray" starts from vertices alone: bodies that cross with edges only, or
    within a face, may have none, so it is True only where no two boxes of bodies meet."""

    exact = False
    """Points and normals are rounded."""

    @cached_property
    def depth(self) -> Floats:
        """(n,) float64: how deep each contact is, never negative.

        Where `rest` is zero ("ray"), how far the first point is below the plane of the face that
        it meets, along `normals`; elsewhere ("proximity"), by how much the two points are closer
        than `rest`.
        """
        gap = self.points[:, 1] - self.points[:, 0]
        below = np.einsum("nx,nx->n", gap, self.normals)
        # squares of tiny gaps would vanish
        apart = np.hypot(np.hypot(gap[:, 0], gap[:, 1]), gap[:, 2])
        depth: Floats = np.maximum(np.where(self.rest > 0, self.rest - apart, below), 0.0)
        read_only(depth)
        return depth

    def to_dict(self) -> dict[str, Any]:
        """The result as plain numbers, lists and strings."""
        return {**super().to_dict(), "depth": self.depth.tolist()}

    def __repr__(self) -> str:
        warned = f", {counted(len(self.warnings), 'warning')}" if self.warnings else ""
        return f"ContactPoints({counted(len(self), 'contact point')}{warned})"
