"""The linear system of one implicit step, and its solution by conjugate gradients.

Backward Euler, (M - h D - h^2 K) dv = h (f + h K v), is solved for the new velocity v + dv:
A (v + dv) = M v + h f with A = M - h D - h^2 K.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
from scipy import sparse

from impinge import _core
from impinge.simulate.pattern import Pattern
from impinge.simulate.polar import inner

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from impinge._types import Bools, Floats, Longs
    from impinge.simulate.elements import Bending, Tetrahedra, Triangles
    from impinge.simulate.pattern import Slots


# a preconditioner of a few levels takes the time of some iterations, and each as long as three
_SOON = 40
_MANY_NODES = 2000


T = TypeVar("T")


class Part(NamedTuple):
    """Elements of one kind, of a few bodies: what they work on stays in the cache."""

    elements: Tetrahedra | Triangles | Bending
    """Their nodes are counted from the first of `nodes`."""
    ratio: Floats
    """(m,) Lamé's constant by the shear modulus."""
    nodes: slice


class _Placed(NamedTuple):
    part: Part
    slots: Slots
    places: slice | Longs
    """Of the slots, in the data of the matrix."""
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
        self, size: int, parts: Sequence[Part], delays: Floats, workers: int | None = None
    ) -> None:
        # delays (n,) is the damping of each node [time]
        self._workers = workers
        families = [part.elements.nodes + part.nodes.start for part in parts]
        self.pattern = Pattern(size, families, self._each)

        def placed(part: Part) -> _Placed:
            nodes = part.elements.nodes + part.nodes.start
            slots = self.pattern.slots(nodes, part.ratio)
            rows = self.pattern.rows[slots.places]
            return _Placed(part, slots, _range(slots.places), delays[rows])

        self._placed = self._each(placed, parts)
        self._blocks = np.empty((self.pattern.count, 3, 3))

    def _each(self, work: Callable[[Any], T], items: Sequence[Any]) -> list[T]:
        """The work on all items, in their order, on several threads: NumPy lets them run."""
        most = min(len(items), self._workers or os.cpu_count() or 1)
        if most < 2:
            return [work(item) for item in items]
        seen = np.geterr()

        def guarded(item: Any) -> T:
            # what is ignored belongs to a thread
            with np.errstate(**seen):
                return work(item)

        with ThreadPoolExecutor(most) as pool:
            return list(pool.map(guarded, items))

    def forces(self, positions: Floats) -> tuple[Floats, float]:
        """(n, 3) inner forces, and their energy."""

        def work(placed: _Placed) -> tuple[list[Any], float]:
            elements, _, nodes = placed.part
            forces, stored = elements.forces(positions[nodes])
            flat, count = elements.nodes.reshape(-1), nodes.stop - nodes.start
            return [np.bincount(flat, forces[:, k].reshape(-1), count) for k in range(3)], stored

        result, energy = np.zeros_like(positions), 0.0
        found = self._each(work, self._placed)
        # in one order, so that the result does not depend on threads
        for placed, (sums, stored) in zip(self._placed, found, strict=True):
            energy += stored
            for k in range(3):
                result[placed.part.nodes, k] += sums[k]
        return result, energy

    def blocks(self, step: float) -> Floats:
        """(s, 3, 3) blocks of -h D - h^2 K at the positions of the last `forces`.

        They are good until the next call.
        """
        result = self._blocks
        result.fill(0.0)

        def work(placed: _Placed) -> Floats:
            blocks = placed.part.elements.blocks(placed.slots)
            blocks *= step * (step + placed.delays)
            return np.moveaxis(blocks, 2, 0)

        for placed, blocks in zip(self._placed, self._each(work, self._placed), strict=True):
            result[placed.places] += blocks
        return result


def _range(places: Longs) -> slice | Longs:
    """Consecutive places as a slice, which is much quicker."""
    first, last = int(places[0]), int(places[-1]) + 1
    return slice(first, last) if last - first == len(places) else places


class System:
    """A u = b for the velocities u (n, 3), of which some are held at zero."""

    def __init__(
        self,
        pattern: Pattern,
        blocks: Floats,
        step: float,
        pulls: sparse.csr_array | None,
        workers: int | None,
    ) -> None:
        # what contacts add to the matrix is h^2 pulls^T pulls, never multiplied out
        self._pattern = pattern
        self._blocks = blocks
        self._workers = workers
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
        result = self._pattern.product(self._blocks, vector, self._workers)
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
        """Conjugate gradients from `guess` (n, 3), first with the diagonal as preconditioner.

        What that does not solve soon is stiff over long ways, and goes on with multigrid. Stops
        when the residual is `tolerance` of `scale` (n, 3), the impulses of the step.
        """
        inverse = np.where(held[:, None], 0.0, 1.0 / self._diagonal).reshape(-1)
        flat = scale.reshape(-1)
        whole = inner(flat, inverse * flat)
        state = _State(guess.reshape(-1).copy(), inverse, tolerance**2 * whole)
        state.residual = right.reshape(-1) - self.apply(state.x)
        soon = most if len(guess) < _MANY_NODES else min(most, _SOON)
        state.advance(self.apply, lambda residual: inverse * residual, soon)
        if state.count < most and state.size > state.goal:
            state.advance(self.apply, self._multigrid(held), most)
        if state.count < most and state.size > state.goal:
            # single precision was not enough
            state.advance(self.apply, lambda residual: inverse * residual, most)
        # a force that is not finite stops the iteration at once; the guess must not pass for more
        state.x[~np.isfinite(state.residual)] = np.nan
        error = float(np.sqrt(state.size / whole)) if whole > 0.0 else 0.0
        return Solution(state.x.reshape(guess.shape), state.count, error)

    def _multigrid(self, held: Bools) -> Callable[[Floats], Floats]:
        """About the inverse of the matrix."""
        pulls = self._pulls
        if pulls is None:
            pulls = sparse.csr_array((0, 3 * len(held)))
        cycle = _core.Multigrid(
            self._pattern.hierarchy,
            self._blocks,
            held,
            pulls.indptr.astype(np.int32),
            pulls.indices.astype(np.int32),
            pulls.data,
            np.sqrt(self._square),
            self._workers or 0,
        )
        free = np.repeat(~held, 3)
        return lambda residual: cycle.apply(residual * free, self._workers or 0)


class _State:
    """An iteration of conjugate gradients that can change its preconditioner."""

    def __init__(self, x: Floats, inverse: Floats, goal: float) -> None:
        self.x = x
        self.goal = goal
        self.count = 0
        self.residual = np.zeros_like(x)
        # of the diagonal of the matrix: it measures all residuals, whatever guides the iteration
        self._inverse = inverse

    @property
    def size(self) -> float:
        """Square of the residual."""
        return inner(self.residual, self._inverse * self.residual)

    def advance(
        self, apply: Callable[[Floats], Floats], guided: Callable[[Floats], Floats], most: int
    ) -> None:
        """Go on until the goal, or `most` iterations in all."""
        z = guided(self.residual)
        direction = z.copy()
        slope = inner(self.residual, z)
        while self.size > self.goal and self.count < most:
            image = apply(direction)
            curvature = inner(direction, image)
            if not (curvature > 0.0 and slope > 0.0):
                break
            alpha = slope / curvature
            self.x += alpha * direction
            self.residual -= alpha * image
            z = guided(self.residual)
            previous, slope = slope, inner(self.residual, z)
            direction *= slope / previous
            direction += z
            self.count += 1
