"""The linear system of one implicit step, and its solution by conjugate gradients.

Backward Euler, (M - h D - h^2 K) dv = h (f + h K v), is solved for the new velocity v + dv:
A (v + dv) = M v + h f with A = M - h D - h^2 K.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy import sparse

from impinge.simulate.pattern import Pattern
from impinge.simulate.polar import inner

if TYPE_CHECKING:
    from collections.abc import Sequence

    from impinge._types import Bools, Floats
    from impinge.simulate.elements import Bending, Tetrahedra, Triangles
    from impinge.simulate.pattern import Slots


@dataclass(frozen=True)
class Family:
    """Elements of one kind, of all bodies, and where they stand in the matrix."""

    elements: Tetrahedra | Triangles | Bending
    slots: Slots
    delays: Floats
    """(s,) damping of each place of the matrix [time]."""


class Solution(NamedTuple):
    velocities: Floats
    iterations: int
    error: float
    """Size of the residual by that of all impulses of the step."""


class Elasticity:
    """The inner forces of all bodies and the sparse matrix of their stiffness."""

    def __init__(
        self,
        size: int,
        elements: Sequence[tuple[Tetrahedra | Triangles | Bending, Floats]],
        delays: Floats,
    ) -> None:
        # with each family, (m,) Lamé's constant by the shear modulus; delays (n,) per node
        self.pattern = Pattern(size, [family.nodes for family, _ in elements])
        self._families = []
        for family, ratio in elements:
            slots = self.pattern.slots(family.nodes, ratio)
            rows = self.pattern.rows[slots.places]
            self._families.append(Family(family, slots, delays[rows]))

    def forces(self, positions: Floats) -> tuple[Floats, float]:
        """(n, 3) inner forces, and their energy."""
        result, energy = np.zeros_like(positions), 0.0
        for family in self._families:
            forces, stored = family.elements.forces(positions)
            energy += stored
            nodes = family.elements.nodes.reshape(-1)
            for k in range(3):
                result[:, k] += np.bincount(nodes, forces[:, k].reshape(-1), len(positions))
        return result, energy

    def blocks(self, step: float) -> Floats:
        """(s, 3, 3) blocks of -h D - h^2 K at the positions of the last `forces`."""
        result = np.zeros((3, 3, self.pattern.count))
        for family in self._families:
            blocks = family.elements.blocks(family.slots)
            blocks *= step * (step + family.delays)
            if family.slots.count == self.pattern.count:
                result += blocks
            else:
                for a, b in np.ndindex(3, 3):
                    result[a, b][family.slots.places] += blocks[a, b]
        return np.ascontiguousarray(np.moveaxis(result, 2, 0))


class System:
    """A u = b for the velocities u (n, 3), of which some are held at zero."""

    def __init__(
        self, pattern: Pattern, blocks: Floats, step: float, pulls: sparse.csr_array | None
    ) -> None:
        # what contacts add to the matrix is h^2 pulls^T pulls, never multiplied out
        self._matrix = pattern.matrix(blocks)
        self._diagonal = np.einsum("nkk->nk", blocks[pattern.diagonal])
        self._square = step * step
        self._pulls = pulls
        self._transposed: Any = None
        if pulls is not None:
            self._transposed = pulls.T.tocsr()
            sums = np.bincount(pulls.indices, pulls.data**2, pulls.shape[1])
            self._diagonal = self._diagonal + self._square * sums.reshape(-1, 3)

    def apply(self, vector: Floats) -> Floats:
        """A times a flat vector (3 n,)."""
        result: Floats = self._matrix @ vector
        if self._pulls is not None:
            result += self._square * (self._transposed @ (self._pulls @ vector))
        return result

    def solve(
        self,
        right: Floats,
        guess: Floats,
        held: Bools,
        *,
        scale: Floats,
        tolerance: float,
        most: int,
    ) -> Solution:
        """Conjugate gradients with the diagonal as preconditioner, from `guess` (n, 3).

        Stops when the residual is `tolerance` of `scale` (n, 3), the impulses of the step.
        """
        inverse = np.where(held[:, None], 0.0, 1.0 / self._diagonal).reshape(-1)
        x = guess.reshape(-1).copy()
        residual = right.reshape(-1) - self.apply(x)
        z = inverse * residual
        direction = z.copy()
        size = inner(residual, z)
        flat = scale.reshape(-1)
        whole = inner(flat, inverse * flat)
        goal = tolerance**2 * whole
        count = 0
        while size > goal and count < most:
            image = self.apply(direction)
            curvature = inner(direction, image)
            if not curvature > 0.0:
                break
            alpha = size / curvature
            x += alpha * direction
            residual -= alpha * image
            np.multiply(inverse, residual, out=z)
            previous, size = size, inner(residual, z)
            direction *= size / previous
            direction += z
            count += 1
        # a force that is not finite stops the iteration at once; the guess must not pass for more
        x[~np.isfinite(residual)] = np.nan
        error = float(np.sqrt(size / whole)) if whole > 0.0 else 0.0
        return Solution(x.reshape(guess.shape), count, error)
