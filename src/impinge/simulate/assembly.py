"""From bodies to one set of elements: nodes numbered over all bodies, one matrix for all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from impinge.errors import InputError
from impinge.simulate.elements import Bending, Tetrahedra, Triangles, hinges, lame_constants
from impinge.simulate.members import SoftBody
from impinge.simulate.solids import volumes_of
from impinge.simulate.system import Elasticity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from impinge._types import Floats
    from impinge.simulate.members import Member


def nodal_masses(member: SoftBody) -> Floats:
    """(n,) the mass of each element, shared evenly by its nodes."""
    corners = member.rest[member.cells]
    if member.sheet is None:
        sizes = volumes_of(corners)
    else:
        edges = corners[:, 1:] - corners[:, :1]
        sizes = 0.5 * np.linalg.norm(np.cross(edges[:, 0], edges[:, 1]), axis=1)
        sizes = sizes * member.sheet.thickness
    share = np.repeat(sizes * (member.material.density / corners.shape[1]), corners.shape[1])
    return np.asarray(np.bincount(member.cells.reshape(-1), share, len(member.rest)))


def elasticity(members: Sequence[Member], size: int) -> Elasticity:
    """The inner forces of all soft bodies, over `size` nodes."""
    soft = [member for member in members if isinstance(member, SoftBody)]
    rest, delays = np.zeros((size, 3)), np.zeros(size)
    for member in soft:
        rest[member._nodes] = member.rest
        delays[member._nodes] = member.material.damping
    families: list[tuple[Tetrahedra | Triangles | Bending, Floats]] = []
    solids = [member for member in soft if member.sheet is None]
    if solids:
        nodes = np.concatenate([m.cells + np.int64(m._nodes.start) for m in solids]).T
        lame, shear = _constants(solids)
        tetrahedra = Tetrahedra(rest, np.ascontiguousarray(nodes), lame, shear)
        families.append((tetrahedra, lame / shear))
    cloths = [member for member in soft if member.sheet is not None]
    if cloths:
        nodes = np.concatenate([m.cells + np.int64(m._nodes.start) for m in cloths]).T
        lame, shear = _constants(cloths)
        thickness = _per_cell(cloths, [m.sheet.thickness for m in cloths if m.sheet])
        triangles = Triangles(rest, np.ascontiguousarray(nodes), lame, shear, thickness)
        families.append((triangles, lame / shear))
        edges = [
            hinges(rest, m.cells + np.int64(m._nodes.start), m.sheet.bending)
            for m in cloths
            if m.sheet
        ]
        corners, weights = (np.concatenate(parts, axis=1) for parts in zip(*edges, strict=True))
        families.append((Bending(corners, weights), np.ones(corners.shape[1])))
    return Elasticity(size, families, delays)


def natural_stiffness(members: Sequence[Member], *, area_weight: bool) -> float:
    """Contacts as stiff as the elements of the stiffest soft body."""
    found = []
    for member in members:
        if isinstance(member, SoftBody):
            corners = member.body.mesh.vertices[member.body.faces]
            edge = float(np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).mean())
            found.append(member.material.young * (1.0 / edge if area_weight else edge))
    if not found:
        raise InputError(
            "a world of rigid bodies alone needs a stiffness: World(stiffness=...), about "
            "the heaviest weight divided by the depth it may sink in"
        )
    return max(found)


def _constants(members: list[SoftBody]) -> tuple[Floats, Floats]:
    """(m,) Lamé's constant and shear modulus of each element."""
    both = [
        lame_constants(m.material.young, m.material.poisson, thin=m.sheet is not None)
        for m in members
    ]
    lame, shear = zip(*both, strict=True)
    return _per_cell(members, list(lame)), _per_cell(members, list(shear))


def _per_cell(members: list[SoftBody], values: list[float]) -> Floats:
    return np.repeat(values, [len(member.cells) for member in members])
