"""What inner and contact forces must not change: the momentum of bodies that move freely.

Neither the solver, which stops at some error, nor backward Euler, which damps rotation, keeps it
exactly. A rigid motion added to all bodies that touch each other makes up for that: it changes
no shape and no depth of a contact.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from impinge.simulate.members import RigidBody
from impinge.simulate.polar import cross

if TYPE_CHECKING:
    from impinge._types import Floats
    from impinge.results.contact_points import ContactPoints
    from impinge.simulate.members import Member
    from impinge.simulate.world import World


def keep_momentum(
    world: World, velocities: Floats, wanted: Floats, contacts: ContactPoints | None
) -> None:
    """Change `velocities` (n, 3) in place so that the sums of the momenta are those `wanted`."""
    for group in _groups(world._members, contacts):
        if not any(world._held[member._nodes].any() for member in group):
            _keep(world, group, velocities, wanted)


def _groups(members: list[Member], contacts: ContactPoints | None) -> list[list[Member]]:
    """Bodies joined by contacts."""
    pairs = np.zeros((0, 2), dtype=np.int32) if contacts is None else contacts.bodies
    links = sparse.coo_array((np.ones(len(pairs)), pairs.T), shape=(len(members), len(members)))
    count, labels = connected_components(links, directed=False)
    groups: list[list[Member]] = [[] for _ in range(count)]
    for member, label in zip(members, labels, strict=True):
        groups[label].append(member)
    return groups


def _keep(world: World, group: list[Member], velocities: Floats, wanted: Floats) -> None:
    nodes = np.concatenate([np.arange(m._nodes.start, m._nodes.stop) for m in group])
    # the second node of a rigid body is its rotation
    straight = nodes[world._masses[nodes] > 0.0]
    rigid = [member for member in group if isinstance(member, RigidBody)]
    turning = [member._nodes.start + 1 for member in rigid]
    masses = world._masses[straight]
    center = np.einsum("n,nk->k", masses, world._positions[straight]) / masses.sum()
    arms = (world._positions[straight] - center).T
    missing = (wanted[straight] - masses[:, None] * velocities[straight]).T
    shift = missing.sum(axis=1) / masses.sum()
    # about the center, a shift of all has no angular momentum
    angular = cross(arms, missing).sum(axis=1)
    second = np.einsum("an,bn->ab", masses * arms, arms)
    inertia = np.trace(second) * np.eye(3) - second
    for member, node in zip(rigid, turning, strict=True):
        inertia += member._inertia()
        angular += wanted[node] - member._inertia() @ velocities[node]
    # bodies on one line have no inertia about it
    spin = np.linalg.pinv(inertia, hermitian=True) @ angular
    velocities[straight] += shift + cross(np.broadcast_to(spin[:, None], arms.shape), arms).T
    velocities[turning] += spin
