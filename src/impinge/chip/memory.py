"""The memory on the board: hierarchies as the chip reads them, two nodes in 256 bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from impinge import _core
from impinge.chip.dotadd import dotadd
from impinge.errors import InputError

if TYPE_CHECKING:
    from impinge._types import Bools, Floats, Ints, Longs, Singles
    from impinge.mesh import Mesh

# of three roundings of a product with a direction, and the one when this is added
_PRODUCT_ERROR = np.float32(8 * 2.0**-24)

# 24 constant lines of coefficients; the last column has room for a margin
_DIRECTIONS = np.zeros((24, 4), dtype=np.float32)
_DIRECTIONS[:, :3] = _core.dop_directions(24)


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
        """Leaves without area: nothing can be mapped, and no edge pierces them."""
        self.words[leaves, :9] = corners.reshape(-1, 9)
        self.words[leaves, 9:21], self.flawed[leaves] = unit_matrices(corners)
        self.words[leaves, 21:] = 0

    def is_leaf(self, address: Longs) -> Bools:
        found: Bools = self.link[address] < 0
        return found

    def corners(self, address: Longs) -> Singles:
        """(9, lanes) of leaves."""
        return np.ascontiguousarray(self.words[address, :9].T)

    def matrix(self, address: Longs) -> Singles:
        """(12, lanes) of leaves."""
        return np.ascontiguousarray(self.words[address, 9:21].T)

    def dops(self, address: Longs) -> Singles:
        """(n, 24): as stored, and of leaves made of their corners."""
        found: Singles = self.words[address]
        leaf = self.is_leaf(address)
        if leaf.any():
            found[leaf] = dop_of_corners(self.corners(address[leaf]), _PRODUCT_ERROR)
        return found


def unit_matrices(corners: Singles) -> tuple[Singles, Bools]:
    """(n, 12) rows of M with the shift, of triangles (n, 3, 3), and which of these have no area.

    Computed in float64, rounded once. The third column before inverting is the unit normal.
    """
    w = corners.astype(np.float64)
    u, v = w[:, 1] - w[:, 0], w[:, 2] - w[:, 0]
    normal = np.cross(u, v)
    area = np.linalg.norm(normal, axis=1)
    flawed: Bools = ~(area > 0)
    size = np.where(flawed, 1, area)[:, None]
    unit = normal / size
    rows = np.stack([np.cross(v, unit) / size, np.cross(unit, u) / size, unit], axis=1)
    rows[flawed] = 0
    shift = -np.einsum("nij,nj->ni", rows, w[:, 0])
    return np.concatenate([rows, shift[:, :, None]], axis=2).astype(np.float32).reshape(
        -1, 12
    ), flawed


def dop_of_corners(corners: Singles, margin: np.float32) -> Singles:
    """(lanes, 24): of three corners (9, lanes), by the DOTADD unit and 24 constant lines.

    The paper does not say where the DOP of a leaf comes from. `margin` covers the rounding.
    """
    lines = _DIRECTIONS.copy()
    lines[:, 3] = margin
    lanes = lines[:, :, None]
    reached = [dotadd(*corners[3 * v : 3 * v + 3, None], lanes) for v in range(3)]
    return np.ascontiguousarray(np.maximum(np.maximum(reached[0], reached[1]), reached[2]).T)
