"""Coulomb's friction between bodies that touch.

Each contact resists sliding with a force of `friction` times its load. The loads and the tangents
are those of the beginning of a step, and the force is taken as a resistance, the load by the speed:
so the matrix stays symmetric, and the speed is that of the solution before. Slower than some speed
the resistance stays, and things at rest creep.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from impinge.simulate.coupling import Coupling, scaled_rows

if TYPE_CHECKING:
    from impinge._types import Floats
    from impinge.respond.penalty import Forces

ROUNDS = 4
"""How often a step is solved; the speeds are those of the round before."""

# of the speed that friction can take in a step
_CREEP = 1e-3


class Friction:
    """The friction of the contacts of one step."""

    def __init__(
        self, coefficient: float, forces: Forces, coupling: Coupling, mass: float, step: float
    ) -> None:
        # mass: of all that can move
        self._loads = coefficient * np.linalg.norm(forces.vectors, axis=1)
        normals = forces.contact_points.normals if forces.axes is None else forces.axes
        tangents = np.eye(3) - normals[:, :, None] * normals[:, None]
        count = len(forces)
        blocks = sparse.bsr_array((tangents, np.arange(count), np.arange(count + 1)))
        self._sliding = sparse.csr_array(blocks @ coupling.jacobian)
        self._pulls = coupling.pulls
        self._step = step
        self._slowest = _CREEP * step * self._loads.sum() / mass

    def pulls(self, velocities: Floats) -> sparse.csr_array:
        """(rows, 3 nodes) those of the contacts, and how they resist at these velocities (n, 3)."""
        speeds = np.linalg.norm((self._sliding @ velocities.reshape(-1)).reshape(-1, 3), axis=1)
        resistance = self._loads / np.maximum(
            np.maximum(speeds, self._slowest), np.finfo(float).tiny
        )
        # the system multiplies all pulls by the square of the step, but a resistance by the step
        roots = np.sqrt(resistance / self._step)
        return sparse.vstack([self._pulls, scaled_rows(self._sliding, np.repeat(roots, 3))], "csr")
