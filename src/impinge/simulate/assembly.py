"""From bodies to one set of elements: nodes numbered over all bodies, one matrix for all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from impinge.errors import InputError
from impinge.simulate.elements import Bending, Tetrahedra, Triangles, hinges, lame_constants
from impinge.simulate.members import SoftBody
from impinge.simulate.solids import volumes_of
from impinge.simulate.system import Elasticity, Part

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from impinge._types import Floats, Longs
    from impinge.simulate.members import Member

# what belongs to this many elements fits into the cache of a core
_MOST_TOGETHER = 6000


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


def elasticity(members: Sequence[Member], size: int, workers: int | None) -> Elasticity:
    """The inner forces of all soft bodies, over `size` nodes."""
    delays = np.zeros(size)
    parts: list[Part] = []
    for group in _groups([member for member in members if isinstance(member, SoftBody)]):
        parts += _parts(group)
        for member in group:
            delays[member._nodes] = member.material.damping
    return Elasticity(size, parts, delays, workers)


def _groups(members: list[SoftBody]) -> list[list[SoftBody]]:
    """Neighbours of the same kind, of a few thousand elements together or one that has more."""
    groups: list[list[SoftBody]] = []
    count = 0
    for member in members:
        count += len(member.cells)
        last = groups[-1][-1] if groups else None
        alike = last is not None and (last.sheet is None) == (member.sheet is None)
        if alike and count <= _MOST_TOGETHER:
            groups[-1].append(member)
        else:
            groups.append([member])
            count = len(member.cells)
    return groups


def _parts(group: list[SoftBody]) -> list[Part]:
    nodes = slice(group[0]._nodes.start, group[-1]._nodes.stop)
    rest = np.zeros((nodes.stop - nodes.start, 3))
    cells = []
    for member in group:
        start = member._nodes.start - nodes.start
        rest[start : start + len(member.rest)] = member.rest
        cells.append(member.cells + np.int64(start))
    together = np.ascontiguousarray(np.concatenate(cells).T)
    lame, shear = _constants(group)
    ratio = lame / shear
    if group[0].sheet is None:
        return [
            Part(Tetrahedra(rest[own], corners, lame[some], shear[some]), ratio[some], place)
            for some, own, corners, place in _cuts(together, nodes)
        ]
    sheets = [member.sheet for member in group if member.sheet is not None]
    thickness = _per_cell(group, [sheet.thickness for sheet in sheets])
    edges = [hinges(rest, c, s.bending) for c, s in zip(cells, sheets, strict=True)]
    corners, weights = (np.concatenate(both, axis=1) for both in zip(*edges, strict=True))
    parts = []
    for some, own, local, place in _cuts(together, nodes):
        triangles = Triangles(rest[own], local, lame[some], shear[some], thickness[some])
        parts.append(Part(triangles, ratio[some], place))
    for some, _, local, place in _cuts(corners, nodes):
        parts.append(Part(Bending(local, weights[:, some]), np.ones(local.shape[1]), place))
    return parts


def _cuts(corners: Longs, nodes: slice) -> Iterator[tuple[slice, slice, Longs, slice]]:
    """A few thousand elements of corners (k, m) at a time, whatever the number of threads.

    Each with the range of its corners, its corners counted from the first of these, and the range
    among all nodes.
    """
    for start in range(0, corners.shape[1], _MOST_TOGETHER):
        some = slice(start, start + _MOST_TOGETHER)
        own = corners[:, some]
        low, high = int(own.min()), int(own.max()) + 1
        place = slice(nodes.start + low, nodes.start + high)
        yield some, slice(low, high), np.ascontiguousarray(own - low), place


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
