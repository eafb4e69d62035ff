"""What can be drawn: shaded triangles and lines, and how a mesh becomes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from impinge import _core
from impinge.render.palette import Colour

if TYPE_CHECKING:
    from impinge._types import AnyArray, Floats, Ints

Paint: TypeAlias = "Colour | Floats"
"""Of a body (3,), or of its faces (m, 3), in 0..1."""

# a corner finer than a pixel needs no smoothing, and the join of all corners costs memory
_MOST_SMOOTH_FACES = 300_000


@dataclass(frozen=True)
class Surface:
    """Triangles to draw: corners and their normals (n, 3, 3), colours (n, 3) in 0..1.

    `opacity` below 1 makes a ghost through which all that lies behind is seen; the ghosts of one
    picture share one tint, the marked ones another. Marked solids shine through ghosts, and
    surfaces that are seen `through` shine faintly through solids too. `closed` allows to leave out
    the triangles that are turned away.
    """

    corners: Floats
    normals: Floats
    colours: Floats
    opacity: float = 1.0
    marked: bool = False
    closed: bool = False
    through: bool = False

    @staticmethod
    def flat(corners: Floats, colour: Colour, *, through: bool = False) -> Surface:
        """Single triangles (n, 3, 3), each lit as a plane."""
        normals = _unit(_normals(corners))
        colours = np.broadcast_to(np.asarray(colour), (len(corners), 3))
        return Surface(corners, np.repeat(normals[:, None], 3, axis=1), colours, through=through)


@dataclass(frozen=True)
class Lines:
    """Segments (n, 2, 3) to draw, `width` pixels wide; `through` shows hidden parts faintly."""

    segments: Floats
    colour: Colour
    width: float = 1.0
    opacity: float = 1.0
    through: bool = False


@dataclass(frozen=True)
class DrawnMesh:
    """A mesh made ready for drawing, whatever its colour will be."""

    corners: Floats
    normals: Floats
    edges: Floats
    closed: bool

    def surface(
        self,
        colour: Paint,
        *,
        opacity: float = 1.0,
        only: AnyArray | None = None,
        marked: bool = False,
    ) -> Surface:
        """All triangles, or those of the mask `only`, in one colour or in one (m, 3) for each."""
        chosen = slice(None) if only is None else only
        corners, normals = self.corners[chosen], self.normals[chosen]
        colours = np.broadcast_to(np.asarray(colour), self.corners[:, 0].shape)[chosen]
        return Surface(corners, normals, colours, opacity, marked, self.closed)


def drawn_mesh(vertices: Floats, faces: Ints, *, crease: float = 35.0) -> DrawnMesh:
    """Smooth normals and feature edges; edges sharper than `crease` degrees stay sharp."""
    corners = vertices[faces]
    normals = _normals(corners)
    units = _unit(normals)
    welded = _core.weld(np.ascontiguousarray(vertices))[faces].astype(np.int64)
    least = float(np.cos(np.radians(crease)))
    edges, closed = _feature_edges(vertices, welded, units, least)
    if len(faces) > _MOST_SMOOTH_FACES:
        smooth = np.repeat(units[:, None], 3, axis=1)
    else:
        smooth = _corner_normals(corners, normals, units, welded, least)
    return DrawnMesh(corners, smooth, edges, closed)


def _normals(corners: Floats) -> Floats:
    """(n, 3) normals of triangles (n, 3, 3), as long as their areas in some unit of all."""
    sides = corners[:, 1:] - corners[:, :1]
    sides = np.ldexp(sides, -np.frexp(np.abs(sides).max(initial=0.0))[1])
    normals: Floats = np.cross(sides[:, 0], sides[:, 1])
    return normals


def _unit(vectors: Floats) -> Floats:
    # by a power of two, so that squares neither overflow nor vanish
    largest = np.abs(vectors).max(axis=-1, keepdims=True, initial=0.0)
    vectors = np.ldexp(vectors, -np.frexp(largest)[1])
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    unit: Floats = vectors / np.where(length > 0.0, length, 1.0)
    return unit


def _corner_normals(
    corners: Floats, normals: Floats, units: Floats, welded: AnyArray, least: float
) -> Floats:
    """At each corner, the mean of the faces around the vertex that are not beyond the crease."""
    vertex = welded.ravel()
    order = np.argsort(vertex, kind="stable")
    starts = np.flatnonzero(np.diff(vertex[order], prepend=-1))
    degree = np.diff(starts, append=len(order))
    # every corner is joined with every corner at the same vertex
    mine = np.repeat(np.arange(len(order)), np.repeat(degree, degree))
    block = np.repeat(starts, degree * degree)
    within = np.arange(len(mine)) - np.repeat(np.cumsum(degree**2) - degree**2, degree**2)
    other = block + within % np.repeat(degree, degree * degree)
    mine_face, other_face = order[mine] // 3, order[other] // 3
    similar = np.einsum("ij,ij->i", units[mine_face], units[other_face]) >= least
    mine, other = mine[similar], other[similar]
    # by angle: a fan of slivers on one side must not outvote the other side
    weight = _angles(corners).ravel()[order[other]]
    face = order[other] // 3
    total = np.stack(
        [
            np.bincount(order[mine], weights=weight * axis[face], minlength=vertex.size)
            for axis in units.T
        ],
        axis=1,
    )
    return _unit(total.astype(np.float64)).reshape(-1, 3, 3)


def _angles(corners: Floats) -> Floats:
    """(n, 3) angles of triangles at their corners."""
    ahead = _unit(np.roll(corners, -1, axis=1) - corners)
    back = _unit(np.roll(corners, 1, axis=1) - corners)
    angles: Floats = np.arccos(np.clip(np.einsum("ijk,ijk->ij", ahead, back), -1.0, 1.0))
    return angles


def _feature_edges(
    vertices: Floats, welded: AnyArray, units: Floats, least: float
) -> tuple[Floats, bool]:
    """Segments (k, 2, 3) along creases and borders, and whether there is no border."""
    ends = np.stack([welded, np.roll(welded, -1, axis=1)], axis=2).reshape(-1, 2)
    key = ends.min(axis=1) * len(vertices) + ends.max(axis=1)
    order = np.argsort(key, kind="stable")
    key = key[order]
    starts = np.flatnonzero(np.diff(key, prepend=-1))
    uses = np.diff(starts, append=len(key))
    one, two = order[starts] // 3, order[starts + np.minimum(uses, 2) - 1] // 3
    crease = np.einsum("ij,ij->i", units[one], units[two]) < least
    shown = ends[order[starts[crease | (uses != 2)]]]
    return vertices[shown], bool((uses == 2).all()) and len(key) > 0
