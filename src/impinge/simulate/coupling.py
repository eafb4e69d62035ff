"""Contacts in the coordinates of the system: vertices of bodies become nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy import sparse

from impinge.simulate.members import RigidBody, SoftBody
from impinge.simulate.rotations import skew

if TYPE_CHECKING:
    from collections.abc import Sequence

    from impinge._types import Floats, Longs
    from impinge.respond.penalty import Forces
    from impinge.simulate.members import Member


class Coupling(NamedTuple):
    """Contacts as the system sees them."""

    forces: Floats
    """(nodes, 3)"""
    jacobian: sparse.csr_array
    """(3 n, 3 nodes): how fast the points of each contact part, of the velocities."""
    pulls: sparse.csr_array
    """(rows, 3 nodes): the stiffness of the contacts is minus pulls^T pulls."""


def couple(forces: Forces, members: Sequence[Member], size: int) -> Coupling:
    """The contacts in the coordinates of `size` nodes."""
    jacobian = _jacobian(forces, members, size)
    nodal = jacobian.T @ forces.vectors.reshape(-1)
    return Coupling(np.asarray(nodal).reshape(-1, 3), jacobian, _pulls(forces, jacobian))


def _pulls(forces: Forces, jacobian: sparse.csr_array) -> sparse.csr_array:
    """Roots of the stiffness: one row of each contact, or three if it holds in all directions."""
    roots = np.sqrt(forces.springs)
    if forces.axes is None:
        return scaled_rows(jacobian, np.repeat(roots, 3))
    along = roots[:, None] * forces.axes
    starts = 3 * np.arange(len(forces) + 1)
    gather = sparse.csr_array(
        (along.reshape(-1), np.arange(3 * len(forces)), starts),
        shape=(len(forces), 3 * len(forces)),
    )
    return gather @ jacobian


def scaled_rows(matrix: sparse.csr_array, factors: Floats) -> sparse.csr_array:
    """Each row of a matrix times its factor."""
    each = np.repeat(factors, np.diff(matrix.indptr))
    return sparse.csr_array((matrix.data * each, matrix.indices, matrix.indptr), shape=matrix.shape)


def _jacobian(forces: Forces, members: Sequence[Member], size: int) -> sparse.csr_array:
    """(3 n, 3 nodes) how the gaps of all contacts change with the velocities of the nodes."""
    contacts = forces.contact_points
    nodes = np.concatenate([nodes_of(member) for member in members])[forces.rows]
    axes = np.arange(3)
    row = 3 * np.arange(len(forces))[:, None, None] + axes
    rows = [np.broadcast_to(row, (len(forces), 4, 3)).reshape(-1)]
    columns = [(3 * nodes[..., None] + axes).reshape(-1)]
    values = [np.repeat(forces.coefficients.reshape(-1), 3)]
    rigid = np.array([isinstance(member, RigidBody) for member in members])
    turning = rigid[contacts.owners]
    if turning.any():
        # a point at r from the center also moves by spin x r
        contact, corner = np.nonzero(turning)
        arms = _arms(contacts.owners[turning], contacts.vertices[turning], members)
        parts = -forces.coefficients[turning][:, None, None] * skew(arms)
        at_row = (3 * contact)[:, None, None] + axes[:, None]
        at_column = (3 * nodes[contact, corner] + 3)[:, None, None] + axes
        rows.append(np.broadcast_to(at_row, parts.shape).reshape(-1))
        columns.append(np.broadcast_to(at_column, parts.shape).reshape(-1))
        values.append(parts.reshape(-1))
    places = np.concatenate(rows), np.concatenate(columns)
    shape = (3 * len(forces), 3 * size)
    return sparse.csr_array((np.concatenate(values), places), shape=shape)


def nodes_of(member: Member) -> Longs:
    """(n_v,) the node of each vertex of a member's body: for a rigid one its center."""
    start = member._nodes.start
    if isinstance(member, SoftBody):
        return start + member.surface.astype(np.int64)
    return np.full(len(member.body.mesh.vertices), start, dtype=np.int64)


def _arms(owners: Longs, vertices: Longs, members: Sequence[Member]) -> Floats:
    """(n, 3) from the centers of rigid bodies to their vertices."""
    result = np.zeros((len(owners), 3))
    for index in np.unique(owners):
        member, chosen = members[index], owners == index
        assert isinstance(member, RigidBody)
        result[chosen] = member.body.world_vertices[vertices[chosen]] - member.center
    return result
