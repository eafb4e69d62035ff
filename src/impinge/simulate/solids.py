"""Solid bodies made of tetrahedra, and the closed surface around them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from impinge._arrays import as_pose, as_vertices, read_only
from impinge._text import counted
from impinge.errors import InputError

if TYPE_CHECKING:
    from impinge._types import AnyArray, Floats, Ints
    from impinge.mesh import Mesh

# the sides of a tetrahedron with positive volume, seen from outside
_SIDES = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])


@dataclass(frozen=True, eq=False, repr=False)
class Solid:
    """A solid of tetrahedra, with the closed surface around it; read-only arrays.

    Usually made by `Solid.of`, by one of the shapes (`box`, `ball`, `torus`, `ring`) or by
    `solid_of`.

    See Also
    --------
    impinge.simulate.World.add, impinge.simulate.solid_of

    Examples
    --------
    >>> from impinge.simulate import Solid
    >>> corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    >>> solid = Solid.of(corners, [(0, 1, 2, 3)])
    >>> solid
    Solid('solid', 1 tetrahedra, 4 faces)
    >>> round(solid.volume, 4), solid.mesh.report().closed
    (0.1667, True)
    """

    vertices: Floats
    """(n, 3) float64."""
    tetrahedra: Ints
    """(m, 4) int32, of positive volume."""
    faces: Ints
    """(k, 3) int32: outward faces, in the numbering of the surface."""
    surface: Ints
    """(s,) int32: the vertex of the solid that each vertex of the surface is."""
    name: str = "solid"
    """Name of its body."""

    @classmethod
    def of(cls, vertices: object, tetrahedra: object, *, name: str = "solid") -> Solid:
        """A solid of given tetrahedra.

        Parameters
        ----------
        vertices : (n, 3) array_like
            Each belongs to a tetrahedron.
        tetrahedra : (m, 4) array_like of int
            Vertex indices, of either orientation.
        name : str, optional
            The name of its body.

        Returns
        -------
        Solid
        """
        points = as_vertices(vertices)
        cells = _as_tetrahedra(tetrahedra, len(points))
        volumes = volumes_of(points[cells])
        flat = ~(volumes != 0.0)
        if flat.any():
            first = int(np.argmax(flat))
            raise InputError(
                f"tetrahedra[{first}] = {tuple(cells[first].tolist())} has no volume; remove it"
            )
        cells[volumes < 0.0] = cells[volumes < 0.0][:, [1, 0, 2, 3]]
        sides = _outer_sides(cells)
        used = np.unique(cells)
        if len(used) != len(points):
            unused = int(np.setdiff1d(np.arange(len(points)), used)[0])
            raise InputError(f"vertices[{unused}] belongs to no tetrahedron; remove it")
        outer, index = np.unique(sides, return_inverse=True)
        faces: Ints = index.reshape(-1, 3).astype(np.int32)
        surface: Ints = outer.astype(np.int32)
        for array in (cells, faces, surface):
            read_only(array)
        return cls(points, cells, faces, surface, name)

    @property
    def mesh(self) -> Mesh:
        """The closed surface."""
        from impinge.mesh import Mesh

        return Mesh(self.vertices[self.surface], self.faces, name=self.name)

    @property
    def volume(self) -> float:
        """[length^3]"""
        return float(volumes_of(self.vertices[self.tetrahedra]).sum())

    def moved(
        self,
        offset: object = (0.0, 0.0, 0.0),
        *,
        axis: object = (0.0, 0.0, 1.0),
        degrees: float = 0.0,
    ) -> Solid:
        """The same solid, turned about an axis through the origin, then moved.

        Parameters
        ----------
        offset : (3,) array_like
            How far it is moved.
        axis : (3,) array_like
            Direction of the axis.
        degrees : float
            By how much it is turned.

        Returns
        -------
        Solid
        """
        from impinge.simulate.rotations import about_axis

        pose = np.eye(4)
        pose[:3, :3] = about_axis(axis, np.radians(degrees))
        pose[:3, 3] = np.asarray(offset, dtype=np.float64)
        return self.posed(pose)

    def posed(self, pose: object) -> Solid:
        """The same solid with a pose applied to its vertices.

        Parameters
        ----------
        pose : (4, 4) array_like
            World = R v + t; it must not mirror.

        Returns
        -------
        Solid
        """
        matrix = as_pose(pose)
        if np.linalg.det(matrix[:3, :3]) <= 0.0:
            raise InputError("pose must not mirror or flatten the solid")
        points = self.vertices @ matrix[:3, :3].T + matrix[:3, 3]
        read_only(points)
        return Solid(points, self.tetrahedra, self.faces, self.surface, self.name)

    def __repr__(self) -> str:
        count = f"{len(self.tetrahedra):,} tetrahedra"
        return f"Solid({self.name!r}, {count}, {counted(len(self.faces), 'face')})"


def volumes_of(corners: Floats) -> Floats:
    """(m,) signed volumes of tetrahedra (m, 4, 3)."""
    a, b, c = np.moveaxis(corners[:, 1:] - corners[:, :1], 1, 0)
    volumes: Floats = np.einsum("mk,mk->m", a, np.cross(b, c)) / 6.0
    return volumes


def _as_tetrahedra(values: object, count: int) -> AnyArray:
    cells = np.array(values)
    if cells.ndim != 2 or cells.shape[1] != 4 or cells.dtype.kind not in "iu" or not len(cells):
        raise InputError(
            f"tetrahedra must be (m, 4) vertex indices, got {cells.dtype} {cells.shape}"
        )
    if cells.min() < 0 or cells.max() >= count:
        raise InputError(
            f"tetrahedra must have indices 0..{count - 1}, "
            f"got {int(cells.min())}..{int(cells.max())}"
        )
    return cells.astype(np.int32)


def _outer_sides(cells: AnyArray) -> AnyArray:
    """The sides that belong to one tetrahedron only."""
    sides = cells[:, _SIDES].reshape(-1, 3)
    _, first, counts = np.unique(
        np.sort(sides, axis=1), axis=0, return_index=True, return_counts=True
    )
    if counts.max() > 2:
        worst = sides[first[np.argmax(counts)]]
        raise InputError(
            f"the triangle {tuple(worst.tolist())} is a side of {int(counts.max())} tetrahedra; "
            "at most two can meet there"
        )
    outer: AnyArray = sides[np.sort(first[counts == 1])]
    return outer
