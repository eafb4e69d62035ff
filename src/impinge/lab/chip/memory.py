"""The memory on the board: hierarchies as the chip reads them, two nodes in 256 bytes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from impinge import _core
from impinge.errors import InputError
from impinge.lab.chip.dotadd import dotadd

if TYPE_CHECKING:
    from impinge._types import Bools, Longs, Singles
    from impinge.mesh import Mesh

# of three roundings of a product with a direction, and the one when this is added
_PRODUCT_ERROR = np.float32(8 * 2.0**-24)

# 24 constant lines of coefficients; the last column has room for a margin
_DIRECTIONS = np.zeros((24, 4), dtype=np.float32)
_DIRECTIONS[:, :3] = _core.dop_directions(24)


@dataclass(frozen=True)
class Triangles:
    """Contents of leaves, one to a lane."""

    corners: Singles
    """(9, lanes)"""
    matrix: Singles
    """(12, lanes): three lines of M with the shift."""
    flawed: Bools
    """(lanes,): without area, so that nothing can be mapped, and no edge pierces it."""

    @classmethod
    def of(cls, corners: Singles) -> Triangles:
        """Of triangles (n, 3, 3). M is computed in float64 and rounded once.

        It is the inverse of the matrix of two edges and, in the third column, the unit normal.
        """
        w = corners.astype(np.float64)
        u, v = w[:, 1] - w[:, 0], w[:, 2] - w[:, 0]
        normal = np.cross(u, v)
        area = np.linalg.norm(normal, axis=1)
        flawed: Bools = ~(area > 0)
        size = np.where(flawed, 1, area)[:, None]
        unit = normal / size
        rows = np.stack([np.cross(v, unit) / size, np.cross(unit, u) / size, unit], axis=1)
        shift = -np.einsum("nij,nj->ni", rows, w[:, 0])
        lines = np.concatenate([rows, shift[:, :, None]], axis=2).astype(np.float32)
        lines[flawed] = 0
        return cls(
            np.ascontiguousarray(corners.reshape(-1, 9).T),
            np.ascontiguousarray(lines.reshape(-1, 12).T),
            flawed,
        )

    def lanes(self, chosen: Bools | slice) -> Triangles:
        """Some of them."""
        return Triangles(self.corners[:, chosen], self.matrix[:, chosen], self.flawed[chosen])


class Hierarchy:
    """The tree of one mesh, its nodes at the addresses 1 (the root), 2, 3, ...

    Siblings are at 2p and 2p + 1. A node has 24 floats: an inner one its DOP, a leaf the corners
    of its triangle (9) and the matrix M with the shift (12) that map it to (0,0,0), (1,0,0),
    (0,1,0). The auxiliary word `link` is p, where the children are, or -1 - face.
    """

    def __init__(self, mesh: Mesh) -> None:
        if not len(mesh):
            raise InputError("the chip needs meshes with faces")
        self.tree = _core.DopTree(mesh.vertices, mesh.faces, 24, False, 0)
        self.link: Longs = self.tree.links.astype(np.int64)
        self.words: Singles = self.tree.dops
        leaves = np.flatnonzero(self.link < 0)
        faces = mesh.faces[-1 - self.link[leaves]]
        x, y, z, scale = self.tree.frame
        corners = ((mesh.vertices[faces] - np.array([x, y, z])) * scale).astype(np.float32)
        self.flawed: Bools = np.zeros(len(self.link), dtype=bool)
        triangles = Triangles.of(corners)
        self.words[leaves, :9] = triangles.corners.T
        self.words[leaves, 9:21] = triangles.matrix.T
        self.words[leaves, 21:] = 0
        self.flawed[leaves] = triangles.flawed

    def is_leaf(self, address: Longs) -> Bools:
        found: Bools = self.link[address] < 0
        return found

    def triangles(self, address: Longs) -> Triangles:
        """What leaves hold."""
        rows = self.words[address]
        return Triangles(
            np.ascontiguousarray(rows[:, :9].T),
            np.ascontiguousarray(rows[:, 9:21].T),
            self.flawed[address],
        )

    def dops(self, address: Longs) -> Singles:
        """(n, 24): as stored, and of leaves made of their corners."""
        found: Singles = self.words[address]
        leaf = self.is_leaf(address)
        if leaf.any():
            found[leaf] = dop_of_corners(self.triangles(address[leaf]).corners, _PRODUCT_ERROR)
        return found


def dop_of_corners(corners: Singles, margin: np.float32) -> Singles:
    """(lanes, 24): of three corners (9, lanes), by the DOTADD unit and 24 constant lines.

    The paper does not say where the DOP of a leaf comes from. `margin` covers the rounding.
    """
    lines = _DIRECTIONS.copy()
    lines[:, 3] = margin
    lanes = lines[:, :, None]
    x, y, z = corners[0::3, None], corners[1::3, None], corners[2::3, None]
    reached = [dotadd(x[v], y[v], z[v], lanes) for v in range(3)]
    return np.ascontiguousarray(np.maximum(np.maximum(reached[0], reached[1]), reached[2]).T)
