"""Penalty forces: every contact is a spring between its two points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from impinge._arrays import read_only
from impinge._options import choice
from impinge._text import counted
from impinge.errors import InputError

if TYPE_CHECKING:
    from impinge._types import Bools, Floats, Ints, Longs
    from impinge.results.contact_points import ContactPoints


CONTACTS = ("sliding", "published")


@dataclass(frozen=True, eq=False, repr=False)
class Forces:
    """The forces of contact points, and how they change when vertices move; arrays are read-only.

    The force on the first point is `vectors`, and the second point gets the opposite. A vertex gets
    its coefficient times the force, so that forces and torques of each contact sum to zero.

    See Also
    --------
    impinge.respond.penalty_forces

    Examples
    --------
    >>> import impinge
    >>> import numpy as np
    >>> from impinge.respond import penalty_forces
    >>> vertices = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
    >>> faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    >>> found = impinge.contact_points((vertices, faces), (vertices + 0.2, faces))
    >>> forces = penalty_forces(found, stiffness=300.0)
    >>> [body.shape for body in forces.bodies]
    [(4, 3), (4, 3)]
    >>> bool(np.allclose(sum(body.sum(axis=0) for body in forces.bodies), 0.0))
    True
    """

    contact_points: ContactPoints
    """What they are the forces of."""
    coefficients: Floats
    """(n, 4) float64: shares of the vertices of a contact in its force. They are those of the two
    points, but of a contact that slides the second one is the foot of the first on the face."""
    vectors: Floats
    """(n, 3) float64: force on the first point of each contact."""
    springs: Floats
    """(n,) float64: how fast the force falls with the distance of the points."""
    axes: Floats | None
    """(n, 3) float64: unit vectors along which it does, taken as constant; None for springs that
    hold in all directions."""
    energies: Floats
    """(n,) float64: energy stored in each contact."""
    sizes: tuple[int, ...]
    """Number of vertices of each body."""

    @cached_property
    def stiffness(self) -> Floats:
        """(n, 3, 3) float64: how fast the force falls as the points part; never negative."""
        if self.axes is None:
            return self.springs[:, None, None] * np.eye(3)
        along: Floats = self.springs[:, None, None] * self.axes[:, :, None] * self.axes[:, None]
        return along

    @cached_property
    def offsets(self) -> Longs:
        """(k + 1,) int64: number of vertices before each body; the last is the number of all."""
        return np.concatenate([[0], np.cumsum(self.sizes, dtype=np.int64)])

    @cached_property
    def rows(self) -> Longs:
        """(n, 4) int64: the vertices of each contact, numbered over all bodies."""
        rows: Longs = self.offsets[self.contact_points.owners] + self.contact_points.vertices
        return rows

    @cached_property
    def bodies(self) -> tuple[Floats, ...]:
        """One (n_v, 3) float64 array per body: the force on each of its vertices."""
        shares = self.coefficients[..., None] * self.vectors[:, None]
        total = int(self.offsets[-1])
        flat = np.zeros((total, 3))
        for k in range(3):
            flat[:, k] = np.bincount(self.rows.reshape(-1), shares[..., k].reshape(-1), total)
        read_only(flat)
        return tuple(np.split(flat, self.offsets[1:-1]))

    def blocks(self) -> tuple[Longs, Longs, Floats]:
        """The stiffness matrix, d force / d vertex, as 3x3 blocks.

        It is symmetric and negative semidefinite. Blocks of the same place are to be summed.

        Returns
        -------
        rows, columns : (16 n,) ndarray of int64
            Vertices, counted over all bodies in order (see `offsets`).
        blocks : (16 n, 3, 3) ndarray of float64
            The blocks at these places.
        """
        weight = self.coefficients
        pairs = weight[:, :, None] * weight[:, None, :]
        blocks = -pairs[..., None, None] * self.stiffness[:, None, None]
        rows = np.repeat(self.rows, 4, axis=1).reshape(-1)
        columns = np.tile(self.rows, (1, 4)).reshape(-1)
        return rows, columns, blocks.reshape(-1, 3, 3)

    def __len__(self) -> int:
        """Number of contacts."""
        return len(self.vectors)

    def __repr__(self) -> str:
        return f"Forces({counted(len(self), 'contact point')}, {counted(len(self.sizes), 'body')})"


def penalty_forces(
    contacts: ContactPoints,
    stiffness: float,
    *,
    area_weight: Sequence[object] | None = None,
    contact: str = "sliding",
) -> Forces:
    """The force of every contact, like a spring between its two points.

    Where `contacts.rest` is zero (method "ray") the points are pulled together with the force
    ``k w d``; elsewhere ("proximity") they are pushed apart while they are closer than that, with
    ``k w (rest - d)``, where w are the weights of the contacts and d is the distance of the points.

    Parameters
    ----------
    contacts : ContactPoints
        The contacts.
    stiffness : float
        Of one spring [force / length]; with `area_weight` [force / length^3].
    area_weight : sequence of (n_v,) array_like, optional
        One array for each body, see `vertex_areas`: forces are multiplied by the area at the first
        point, so that they do not depend on how finely surfaces are meshed.
    contact : {"sliding", "published"}
        How contacts of method "ray" pull. "sliding": along the normal of the face, to the foot of
        the vertex on its plane, so that nothing holds sideways. "published": to the point that the
        ray hit, in all directions, as in the paper; bodies then stick to each other.

    Returns
    -------
    Forces

    See Also
    --------
    impinge.contact_points, impinge.respond.vertex_areas

    Examples
    --------
    >>> import impinge
    >>> import numpy as np
    >>> from impinge.respond import penalty_forces
    >>> vertices = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
    >>> faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    >>> found = impinge.contact_points((vertices, faces), (vertices + 0.2, faces))
    >>> penalty_forces(found, stiffness=300.0).vectors.round(6).tolist()
    [[40.0, 40.0, 40.0]]
    """
    if not (np.isfinite(stiffness) and stiffness >= 0.0):
        raise InputError(f"stiffness must be a finite number, at least 0, got {stiffness!r}")
    slides = choice("contact", contact, {name: name == "sliding" for name in CONTACTS})
    sizes = tuple(len(shape.local) for shape in contacts._origin.shapes)
    scale = stiffness * contacts.weights
    if area_weight is not None:
        scale = scale * _areas_at(contacts, sizes, area_weight)
    gap = contacts.points[:, 0] - contacts.points[:, 1]
    length = np.linalg.norm(gap, axis=1)
    apart = length > 0.0
    axes = np.where(apart[:, None], gap / np.where(apart, length, 1.0)[:, None], contacts.normals)
    coefficients, pulled = contacts.coefficients, contacts.rest == 0.0
    if slides:
        feet, on_face = _feet(contacts, sizes)
        coefficients = np.where(on_face[:, None], feet, coefficients)
        axes = np.where(on_face[:, None], contacts.normals, axes)
        length = np.where(on_face, np.einsum("nk,nk->n", gap, contacts.normals), length)
    stretch = np.where(pulled, length, np.minimum(length - contacts.rest, 0.0))
    forces = Forces(
        contacts,
        coefficients,
        -(scale * stretch)[:, None] * axes,
        # what pushes has an end; sideways its exact derivative has the wrong sign
        np.where(pulled | (stretch < 0.0), scale, 0.0),
        None if pulled.all() and not slides else axes,
        0.5 * scale * stretch**2,
        sizes,
    )
    for array in (forces.coefficients, forces.vectors, forces.springs, forces.axes):
        if array is not None:
            read_only(array)
    read_only(forces.energies)
    return forces


def vertex_areas(vertices: Floats, faces: Ints) -> Floats:
    """A third of the area of the faces around each vertex.

    Parameters
    ----------
    vertices : (n, 3) ndarray of float64
        The vertices.
    faces : (m, 3) ndarray of int
        Vertex indices.

    Returns
    -------
    (n,) ndarray of float64

    See Also
    --------
    impinge.respond.penalty_forces

    Examples
    --------
    >>> import numpy as np
    >>> from impinge.respond import vertex_areas
    >>> vertex_areas(np.array([(0.0, 0, 0), (3, 0, 0), (0, 2, 0)]), np.array([(0, 1, 2)])).tolist()
    [1.0, 1.0, 1.0]
    """
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1) / 6.0
    at_corners = np.repeat(area, 3)
    return np.asarray(np.bincount(faces.reshape(-1), at_corners, len(vertices)), dtype=np.float64)


def _feet(contacts: ContactPoints, sizes: tuple[int, ...]) -> tuple[Floats, Bools]:
    """(n, 4) coefficients of a vertex and its foot on the plane of a face; which contacts pull so.

    The foot may be beside the face: its weights still sum to one.
    """
    offsets = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
    everything = np.concatenate([shape.vertices for shape in contacts._origin.shapes])
    corners = everything[offsets[contacts.owners] + contacts.vertices]
    first, along, across = (
        corners[:, 1],
        corners[:, 2] - corners[:, 1],
        corners[:, 3] - corners[:, 1],
    )
    # what is above the plane has no share in these products
    to = contacts.points[:, 0] - first
    to = to - np.einsum("nk,nk->n", to, contacts.normals)[:, None] * contacts.normals
    aa, ac, cc, at, ct = (
        np.einsum("nk,nk->n", x, y)
        for x, y in ((along, along), (along, across), (across, across), (along, to), (across, to))
    )
    area = aa * cc - ac * ac
    found = (contacts.rest == 0.0) & (contacts.faces >= 0) & (area > 0.0)
    share = np.where(found, area, 1.0)
    second, third = (cc * at - ac * ct) / share, (aa * ct - ac * at) / share
    feet = np.stack([np.ones_like(area), second + third - 1.0, -second, -third], axis=1)
    return feet, found


def _areas_at(
    contacts: ContactPoints, sizes: tuple[int, ...], area_weight: Sequence[object]
) -> Floats:
    arrays = [np.asarray(area, dtype=np.float64) for area in area_weight]
    shapes = [array.shape for array in arrays]
    if shapes != [(size,) for size in sizes]:
        raise InputError(
            f"area_weight must have one array per body with one number per vertex, of sizes "
            f"{list(sizes)}, got shapes {shapes}; vertex_areas(vertices, faces) makes them"
        )
    offsets = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
    at = np.concatenate(arrays)[offsets[contacts.owners] + contacts.vertices]
    weighted: Floats = (at * np.maximum(contacts.coefficients, 0.0)).sum(axis=1)
    return weighted
