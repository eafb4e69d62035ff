"""Corotational linear elasticity: tetrahedra of solids and triangles of cloth, all at once.

An element with rest gradients g_i and rotation R has the strain sym(F R^T) - 1 in world
directions and the force -V stress g'_i on its node i, with g' = R g. Its stiffness is made of
products of g' alone, so that turning it costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from impinge.simulate.polar import inner, product, rotations, tangents

if TYPE_CHECKING:
    from impinge._types import Floats, Longs
    from impinge.simulate.pattern import Slots


class Tetrahedra:
    """Linear tetrahedra; `lame` and `shear` (m,) are the constants of their material."""

    def __init__(self, rest: Floats, nodes: Longs, lame: Floats, shear: Floats) -> None:
        self.nodes = nodes
        """(4, m)"""
        corners = rest[nodes.T]
        edges = corners[:, 1:] - corners[:, :1]
        inverse = np.linalg.inv(edges)
        self._volumes = np.linalg.det(edges) / 6.0
        # (4, 3, m): gradients of the four linear functions
        gradients = np.concatenate([-inverse.sum(axis=2, keepdims=True), inverse], axis=2)
        self._gradients = np.ascontiguousarray(np.moveaxis(gradients, (0, 1, 2), (2, 1, 0)))
        self._lame, self._shear = lame * self._volumes, shear * self._volumes
        self._turned = self._gradients
        # constant, since a rotation keeps the products of gradients
        dots = np.einsum("iam,jam->ijm", self._gradients, self._gradients)
        self._shear_dots = (dots * self._shear).reshape(-1)

    def forces(self, positions: Floats) -> tuple[Floats, float]:
        """(4, 3, m) forces on the nodes, and the energy; keeps the rotations for `blocks`."""
        deformation = _deformation(positions, self.nodes, self._gradients)
        turn = rotations(deformation)
        self._turned = np.moveaxis(product(turn, np.moveaxis(self._gradients, 0, 1)), 1, 0)
        strain = product(deformation, np.moveaxis(turn, 0, 1))
        strain = 0.5 * (strain + np.moveaxis(strain, 0, 1))
        for k in range(3):
            strain[k, k] -= 1.0
        trace = strain[0, 0] + strain[1, 1] + strain[2, 2]
        stress = 2.0 * self._shear * strain
        for k in range(3):
            stress[k, k] += self._lame * trace
        energy = 0.5 * inner(stress, strain)
        return -product(self._turned, stress), energy

    def blocks(self, slots: Slots) -> Floats:
        """(3, 3, s) minus the stiffness, summed into the places of the matrix."""
        turned = np.ascontiguousarray(self._turned)
        isotropic = slots.kept("shear_dots", self._shear_dots)
        return slots.stiffness(turned, turned * self._shear, isotropic)


class Triangles:
    """Linear triangles of a thin sheet, which resist stretching and shearing in their plane."""

    def __init__(
        self, rest: Floats, nodes: Longs, lame: Floats, shear: Floats, thickness: Floats
    ) -> None:
        self.nodes = nodes
        """(3, m)"""
        corners = rest[nodes.T]
        first, second = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
        length = np.linalg.norm(first, axis=1)
        u = first / length[:, None]
        along = np.einsum("mk,mk->m", second, u)
        height = np.linalg.norm(second - along[:, None] * u, axis=1)
        zero = np.zeros_like(length)
        # columns are the edges in the plane of the triangle
        edges = np.array([[length, along], [zero, height]])
        inverse = np.linalg.inv(np.moveaxis(edges, 2, 0))
        gradients = np.concatenate([-inverse.sum(axis=1, keepdims=True), inverse], axis=1)
        self._gradients = np.ascontiguousarray(np.moveaxis(gradients, 0, 2))
        volumes = 0.5 * length * height * thickness
        self._lame, self._shear = lame * volumes, shear * volumes
        self._dots = np.einsum("iam,jam->ijm", self._gradients, self._gradients)
        self._shear_dots = (self._dots * self._shear).reshape(-1)
        self._turned = self._normal = self._tension = np.zeros(0)

    def forces(self, positions: Floats) -> tuple[Floats, float]:
        """(3, 3, m) forces on the nodes, and the energy."""
        deformation = _deformation(positions, self.nodes, self._gradients)
        turn, self._normal = tangents(deformation)
        self._turned = np.moveaxis(product(turn, np.moveaxis(self._gradients, 0, 1)), 1, 0)
        strain = product(np.moveaxis(turn, 0, 1), deformation)
        strain = 0.5 * (strain + np.moveaxis(strain, 0, 1))
        for k in range(2):
            strain[k, k] -= 1.0
        stress = 2.0 * self._shear * strain
        trace = strain[0, 0] + strain[1, 1]
        for k in range(2):
            stress[k, k] += self._lame * trace
        self._tension = _positive(stress)
        pulls = product(self._gradients, stress)
        energy = 0.5 * inner(stress, strain)
        return -product(pulls, np.moveaxis(turn, 0, 1)), energy

    def blocks(self, slots: Slots) -> Floats:
        """(3, 3, s) minus the stiffness, summed into the places of the matrix."""
        turned, normal = np.ascontiguousarray(self._turned), self._normal
        # across the sheet: no shear stiffness, but tension keeps it straight like a string
        pulls = product(self._gradients, self._tension)
        across = product(pulls, np.moveaxis(self._gradients, 0, 1)) - self._dots * self._shear
        isotropic = slots.kept("shear_dots", self._shear_dots)
        result = slots.stiffness(turned, turned * self._shear, isotropic)
        for a, b in np.ndindex(3, 3):
            result[a, b] += slots.total(across * (normal[a] * normal[b]))
        return result


class Bending:
    """Resistance of a sheet that is flat at rest: squared mean curvature at its inner edges.

    `weights` (4, e): how much the two ends of the edge and the two vertices opposite to it
    contribute to the curvature; linear in the positions, so that the stiffness is constant. The
    mesh matters: the same bend costs up to three times as much where edges run along its axis.
    """

    def __init__(self, nodes: Longs, weights: Floats) -> None:
        self.nodes = nodes
        self._weights = weights
        self._products = (weights[:, None] * weights[None]).reshape(-1)

    def forces(self, positions: Floats) -> tuple[Floats, float]:
        """(4, 3, e) forces on the nodes, and the energy."""
        curvature = np.einsum("ie,iek->ke", self._weights, positions[self.nodes])
        forces = -self._weights[:, None] * curvature[None]
        return forces, 0.5 * inner(curvature, curvature)

    def blocks(self, slots: Slots) -> Floats:
        """(3, 3, s) minus the stiffness, summed into the places of the matrix."""
        result = np.zeros((3, 3, slots.count))
        result[range(3), range(3)] = slots.kept("products", self._products)
        return result


def lame_constants(young: float, poisson: float, *, thin: bool = False) -> tuple[float, float]:
    """Lamé's constant and the shear modulus; for a thin sheet those of plane stress."""
    shear = young / (2.0 * (1.0 + poisson))
    narrow = 1.0 - poisson if thin else 1.0 - 2.0 * poisson
    return young * poisson / ((1.0 + poisson) * narrow), shear


def hinges(rest: Floats, faces: Longs, stiffness: float) -> tuple[Longs, Floats]:
    """Nodes (4, e) and weights (4, e) of `Bending` for all edges between two faces."""
    directed = faces[:, [[1, 2], [2, 0], [0, 1]]].reshape(-1, 2)
    opposite = faces.reshape(-1)
    order = np.lexsort(np.sort(directed, axis=1).T)
    pairs = np.sort(directed, axis=1)[order]
    inner = np.flatnonzero((pairs[1:] == pairs[:-1]).all(axis=1))
    a, b = pairs[inner].T
    c, d = opposite[order[inner]], opposite[order[inner + 1]]
    (ac, bc, area_c), (ad, bd, area_d) = (_cotangents(rest, a, b, tip) for tip in (c, d))
    size = np.sqrt(3.0 * stiffness / (area_c + area_d))
    weights = np.stack([bc + bd, ac + ad, -(ac + bc), -(ad + bd)]) * size
    return np.stack([a, b, c, d]), weights


def _cotangents(rest: Floats, a: Longs, b: Longs, tip: Longs) -> tuple[Floats, Floats, Floats]:
    """Cotangents of the angles at a and at b of the triangles a, b, tip, and their areas."""
    along, from_a, from_b = rest[b] - rest[a], rest[tip] - rest[a], rest[tip] - rest[b]
    double = np.linalg.norm(np.cross(along, from_a), axis=1)
    at_a = np.einsum("ek,ek->e", along, from_a) / double
    at_b = -np.einsum("ek,ek->e", along, from_b) / double
    return at_a, at_b, 0.5 * double


def _deformation(positions: Floats, nodes: Longs, gradients: Floats) -> Floats:
    corners = np.take(positions.T, nodes, axis=1)
    return product(corners[:, 1:] - corners[:, :1], gradients[1:])


def _positive(stress: Floats) -> Floats:
    """(2, 2, m) symmetric matrices without their negative eigenvalues."""
    middle = 0.5 * (stress[0, 0] + stress[1, 1])
    half = 0.5 * (stress[0, 0] - stress[1, 1])
    radius = np.sqrt(half**2 + stress[0, 1] ** 2)
    high, low = np.maximum(middle + radius, 0.0), np.maximum(middle - radius, 0.0)
    mean, slope = 0.5 * (high + low), 0.5 * (high - low) / np.maximum(radius, 1e-300)
    side = slope * stress[0, 1]
    return np.array([[mean + slope * half, side], [side, mean - slope * half]])
