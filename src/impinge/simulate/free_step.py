"""Steps that nothing passes through: where surfaces would, the bodies there go on together.

What would meet on the way to the new positions is a zone, and all of it gets the velocity of its
centre of mass: an impact without bounce, as if it stuck for one step (X. Provot, Collision and
self-collision handling in cloth model dedicated to design garments, 1997). Within a zone nothing
moves against anything else, so that it cannot meet; zones that meet others are joined until no
motion is left that meets. Contacts, elastic forces and the next steps take over from there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from impinge.queries.feature_impacts import edge_edge_impact, vertex_face_impact
from impinge.results.impacts import ImpactKind
from impinge.simulate.coupling import nodes_of
from impinge.simulate.members import RigidBody, SoftBody
from impinge.simulate.rotations import rotation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from impinge._types import Bools, Floats, Longs
    from impinge.results.impacts import Impacts
    from impinge.scene.bodies import BodyRef
    from impinge.simulate.members import Member
    from impinge.simulate.world import World

# of the size of all bodies: what is between surfaces at least after a step
_GAP = 1e-9


def without_passing(world: World, velocities: Floats, dt: float) -> tuple[Floats, int]:
    """Velocities at which no cloth is passed in a step, and how many features were held."""
    members = world._members
    cloths = [isinstance(one, SoftBody) and one.sheet is not None for one in members]
    usual = world.method is not None and any(cloths)
    if not (usual if world.impacts is None else world.impacts):
        return velocities, 0
    ignored = [] if world.impacts else _without_cloth(cloths)
    nodes = [nodes_of(member) for member in members]
    zones = np.arange(len(velocities), dtype=np.int64)
    held = 0
    while True:
        found = world.scene.impacts(
            to=_goals(world, velocities, dt),
            minimum_separation=_GAP * _extent(members),
            self_collision=world.self_collision,
            ignore=ignored,
            workers=world.workers,
        )
        rows = np.stack([_nodes_of_features(found, corner, nodes) for corner in range(4)], axis=1)
        rows = rows[_approaching(world, found, velocities, dt)]
        joined = _joined(zones, rows)
        if (joined == zones).all():
            return velocities, held
        held, zones = held + len(rows), joined
        velocities = _together(world, velocities, zones)


def _without_cloth(cloths: Sequence[bool]) -> list[tuple[int, int]]:
    """Pairs of bodies that may pass into each other: contacts of rays need that they overlap."""
    solid = np.flatnonzero(~np.array(cloths))
    return [(int(a), int(b)) for a in solid for b in solid if a <= b]


def _goals(world: World, velocities: Floats, dt: float) -> dict[BodyRef, Floats]:
    """Where the vertices of all bodies go that move, in the coordinates of their bodies."""
    goals: dict[BodyRef, Floats] = {}
    for index, member in enumerate(world._members):
        if not velocities[member._nodes].any():
            continue
        goal = _goal(world, member, velocities[member._nodes], dt)
        if isinstance(member, RigidBody):
            pose = member.body.pose
            goal = (goal - pose[:3, 3]) @ pose[:3, :3]
        goals[index] = goal
    return goals


def _goal(world: World, member: Member, own: Floats, dt: float) -> Floats:
    if isinstance(member, SoftBody):
        goal: Floats = (world._positions[member._nodes] + dt * own)[member.surface]
        return goal
    assert isinstance(member, RigidBody)
    arms = member.body.world_vertices - member.center
    turned: Floats = arms @ rotation(dt * own[1]).T if own[1].any() else arms
    goal = member.center + dt * own[0] + turned
    return goal


def _nodes_of_features(found: Impacts, corner: int, nodes: Sequence[Longs]) -> Longs:
    """(k,) the node of one of the four vertices of each row."""
    first = np.where(found.kinds == ImpactKind.VERTEX_FACE, 1, 2)
    bodies = found.bodies[np.arange(len(found)), (corner >= first).astype(int)]
    starts = np.cumsum([0, *map(len, nodes)])[:-1]
    chosen: Longs = np.concatenate(nodes)[starts[bodies] + found.features[:, corner]]
    return chosen


def _approaching(world: World, found: Impacts, velocities: Floats, dt: float) -> Bools:
    """Rows that meet; of those near each other from the start, the ones that then pass."""
    kept = ~found.at_start
    ends = _goals_in_world(world, velocities, dt)
    starts = [member.body.world_vertices for member in world._members]
    for kind, ask in (
        (ImpactKind.VERTEX_FACE, vertex_face_impact),
        (ImpactKind.EDGE_EDGE, edge_edge_impact),
    ):
        rows = np.flatnonzero(found.at_start & (found.kinds == kind))
        first = 1 if kind == ImpactKind.VERTEX_FACE else 2
        at_start = _points(starts, found, rows, first)
        meets = np.isfinite(ask(at_start, _points(ends, found, rows, first)))
        # what lies on each other already has no side to stay on
        kept[rows] = meets & np.isinf(ask(at_start, at_start))
    return kept


def _goals_in_world(world: World, velocities: Floats, dt: float) -> list[Floats]:
    return [
        _goal(world, member, velocities[member._nodes], dt)
        if velocities[member._nodes].any()
        else member.body.world_vertices
        for member in world._members
    ]


def _points(vertices: Sequence[Floats], found: Impacts, rows: Longs, first: int) -> Floats:
    """(k, 4, 3) of the features of some rows, all of one kind."""
    starts = np.cumsum([0, *map(len, vertices)])[:-1]
    owners = np.repeat(found.bodies[rows], (first, 4 - first), axis=1)
    points: Floats = np.concatenate(vertices)[starts[owners] + found.features[rows]]
    return points


def _joined(zones: Longs, rows: Longs) -> Longs:
    """The zone of each node, by its least node, when the nodes of each row are in one."""
    ends = np.concatenate([np.arange(len(zones)), rows[:, 1:].ravel()])
    begins = np.concatenate([zones, np.repeat(rows[:, 0], 3)])
    graph = sparse.coo_array((np.ones(len(ends)), (begins, ends)), shape=(len(zones),) * 2)
    _, label = connected_components(graph, directed=False)
    _, first = np.unique(label, return_index=True)
    joined: Longs = first[label].astype(np.int64)
    return joined


def _together(world: World, velocities: Floats, zones: Longs) -> Floats:
    """Each zone with the velocity of its centre of mass, or still where a node of it is held."""
    velocities = velocities.copy()
    masses = world._masses
    sizes = np.bincount(zones, minlength=len(zones))
    weights = np.bincount(zones, masses, minlength=len(zones))
    still = np.bincount(zones, world._held, minlength=len(zones)) > 0
    mean = (
        np.stack(
            [np.bincount(zones, masses * velocities[:, k], minlength=len(zones)) for k in range(3)],
            axis=1,
        )
        / np.where(weights > 0, weights, 1.0)[:, None]
    )
    mean[still] = 0.0
    shared = sizes[zones] > 1
    velocities[shared] = mean[zones[shared]]
    for member in world._members:
        if isinstance(member, RigidBody) and shared[member._nodes.start]:
            velocities[member._nodes.start + 1] = 0.0
    return velocities


def _extent(members: Sequence[Member]) -> float:
    return max(float(np.ptp(one.body.world_vertices, axis=0).max(initial=0.0)) for one in members)
