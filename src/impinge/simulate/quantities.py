"""How it goes with a world as a whole: its energies and its momentum."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from impinge.simulate.members import RigidBody
from impinge.simulate.polar import inner

if TYPE_CHECKING:
    from impinge._types import Floats
    from impinge.simulate.world import World


class Energies(NamedTuple):
    """Energies of a world, [force length]; the answer of `World.energy`.

    Examples
    --------
    >>> from impinge import simulate
    >>> world = simulate.World()
    >>> body = world.add(simulate.box(cells=1), density=1.0)
    >>> body.velocities = (2, 0, 0)
    >>> round(world.energy().kinetic, 6)
    2.0
    """

    kinetic: float
    """Of all motion."""
    gravity: float
    """Zero where all coordinates are zero."""
    elastic: float
    """Of deformed bodies."""
    contact: float
    """Of the present contact points."""

    @property
    def total(self) -> float:
        """The sum of all four."""
        return float(sum(self))


class Momentum(NamedTuple):
    """Momentum of all bodies of a world together; the answer of `World.momentum`.

    Examples
    --------
    >>> from impinge import simulate
    >>> world = simulate.World()
    >>> body = world.add(simulate.box(cells=1), density=1.0)
    >>> body.velocities = (2, 0, 0)
    >>> world.momentum().linear.round(6).tolist()
    [2.0, 0.0, 0.0]
    """

    linear: Floats
    """(3,) float64 [mass length / time]."""
    angular: Floats
    """(3,) float64, about the origin [mass length^2 / time]."""


def momenta_of(world: World) -> Floats:
    """(n, 3) mass times velocity; of a turning rigid body inertia times spin."""
    result: Floats = world._masses[:, None] * world._velocities
    for member in world._members:
        if isinstance(member, RigidBody):
            node = member._nodes.start + 1
            result[node] = member._inertia() @ world._velocities[node]
    return result


def energies_of(world: World) -> Energies:
    """Of the present state."""
    kinetic = 0.5 * inner(momenta_of(world), world._velocities)
    weight = world._masses[:, None] * world.gravity
    pushes = world._pushes()
    contact = 0.0 if pushes is None else float(pushes.energies.sum())
    elastic = world._inner().forces(world._positions)[1]
    return Energies(kinetic, -inner(weight, world._positions), elastic, contact)


def momentum_of(world: World) -> Momentum:
    """Of all bodies together."""
    momenta = momenta_of(world)
    moving = world._masses > 0.0
    angular = np.cross(world._positions[moving], momenta[moving]).sum(axis=0)
    return Momentum(momenta[moving].sum(axis=0), angular + momenta[~moving].sum(axis=0))
