"""One step of a world: forces, the system, new velocities, new positions."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from impinge.errors import SimulationError
from impinge.simulate.coupling import Coupling, couple
from impinge.simulate.free_step import without_passing
from impinge.simulate.friction import ROUNDS, Friction
from impinge.simulate.members import RigidBody
from impinge.simulate.momentum import keep_momentum
from impinge.simulate.quantities import momenta_of
from impinge.simulate.rotations import rotation
from impinge.simulate.system import System

if TYPE_CHECKING:
    from collections.abc import Callable

    from scipy.sparse import csr_array as Pulls

    from impinge._types import Floats
    from impinge.respond.penalty import Forces
    from impinge.simulate.world import World

_MOST_ITERATIONS = 1000
# the relative error at which a solution is of no use any more
_WORST_ERROR = 1e-3
# how far a body may move in one step, in multiples of its own size
_FARTHEST = 100.0
# impulses smaller than this part of the momentum are rounding
_ROUNDING = 1e-8


@dataclass(frozen=True)
class Step:
    """What one step did; the answer of `World.step`.

    Examples
    --------
    >>> from impinge import simulate
    >>> world = simulate.World()
    >>> body = world.add(simulate.box(cells=1))
    >>> step = world.step(0.01)
    >>> step.number, step.time, step.contact_points
    (1, 0.01, 0)
    """

    number: int
    """Counted from 1."""
    time: float
    """At the end of the step."""
    contact_points: int
    """How many there were at its beginning."""
    iterations: int
    """Of the solver; 0 for explicit steps."""
    seconds: dict[str, float]
    """Spent on "contact_points", "forces", "matrix", "solve" and "impacts"."""
    impacts: int = 0
    """Vertices and faces, and edges, that would have passed through each other and were held."""


def advance(world: World, dt: float) -> Step:
    """Move all bodies by one step, or leave them where they are and raise `SimulationError`."""
    start = perf_counter()
    contacts = world.contact_points
    found = perf_counter()
    # overflow is seen and told by `_check`
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        pushes = world._pushes()
        coupling = None
        if pushes is not None:
            coupling = couple(pushes, world._members, len(world._positions))
        momenta = momenta_of(world)
        weights = world._masses[:, None] * world.gravity
        inner, _ = world._inner().forces(world._positions)
        forces = inner + weights
        if coupling is not None:
            forces += coupling.forces
        pushed = perf_counter()
        solved, iterations = pushed, 0
        if world.integrator == "implicit":
            blocks = _blocks(world, dt)
            solved = perf_counter()
            right = momenta + dt * forces
            velocities = world._velocities + dt * world._accelerations
            for pulls in _rounds(world, pushes, coupling, dt):
                system = System(
                    world._inner().pattern, blocks, dt, pulls(velocities), world.workers
                )
                velocities, more = _solved(world, system, dt, right, weights, guess=velocities)
                iterations += more
            keep_momentum(world, velocities, right / (1.0 + dt * world.drag), contacts)
        else:
            velocities = _explicit(world, dt, momenta, forces)
        _check(world, velocities, dt)
    solved_at = perf_counter()
    velocities, held = without_passing(world, velocities, dt)
    freed = perf_counter()
    _move(world, velocities, dt)
    world.steps += 1
    world.time += dt
    seconds = {
        "contact_points": found - start,
        "forces": pushed - found,
        "matrix": solved - pushed,
        "solve": solved_at - solved,
        "impacts": freed - solved_at,
    }
    return Step(world.steps, world.time, len(contacts or ()), iterations, seconds, held)


def _rounds(
    world: World, pushes: Forces | None, coupling: Coupling | None, dt: float
) -> list[Callable[[Floats], Pulls | None]]:
    """How contacts pull in each round of a step, by the velocities known by then."""
    if pushes is None or coupling is None:
        return [lambda _: None]
    if not world.friction:
        return [lambda _: coupling.pulls]
    free = float(world._masses[~world._held].sum())
    return [Friction(world.friction, pushes, coupling, free, dt).pulls] * ROUNDS


def _blocks(world: World, dt: float) -> Floats:
    """(s, 3, 3) of the matrix without contacts."""
    inner = world._inner()
    blocks = inner.blocks(dt)
    masses = (1.0 + dt * world.drag) * world._masses
    diagonal = inner.pattern.diagonal
    for k in range(3):
        blocks[diagonal, k, k] += masses
    for member in world._members:
        if isinstance(member, RigidBody):
            turning = diagonal[member._nodes.start + 1]
            blocks[turning] = (1.0 + dt * world.drag) * member._inertia()
    return blocks


def _solved(
    world: World, system: System, dt: float, right: Floats, weights: Floats, *, guess: Floats
) -> tuple[Floats, int]:
    impulses = right - system.apply(world._velocities.reshape(-1)).reshape(-1, 3)
    scale = np.abs(impulses) + dt * np.abs(weights) + _ROUNDING * np.abs(right)
    solution = system.solve(
        right,
        guess,
        world._held,
        scale=scale,
        tolerance=world.tolerance,
        most=_MOST_ITERATIONS,
    )
    # one that is not finite is told with the body it comes from
    if solution.error > max(_WORST_ERROR, world.tolerance):
        raise SimulationError(
            world.steps + 1,
            "",
            f"the solver did not converge in {solution.iterations} iterations "
            f"(error {solution.error:.1e})",
            "take a smaller time step, a lower stiffness, or softer bodies",
        )
    return solution.velocities, solution.iterations


def _explicit(world: World, dt: float, momenta: Floats, forces: Floats) -> Floats:
    impulses = momenta * (1.0 - dt * world.drag) + dt * forces
    velocities = impulses / np.where(world._masses > 0.0, world._masses, 1.0)[:, None]
    for member in world._members:
        if isinstance(member, RigidBody):
            node = member._nodes.start + 1
            velocities[node] = np.linalg.solve(member._inertia(), impulses[node])
    velocities[world._held] = 0.0
    return velocities


def _check(world: World, velocities: Floats, dt: float) -> None:
    for member in world._members:
        own = velocities[member._nodes]
        # the second node of a rigid body is its rotation
        speeds = own[:1] if isinstance(member, RigidBody) else own
        if not np.isfinite(own).all():
            cause = "its motion is not finite any more"
        elif np.abs(speeds).max() * dt > _FARTHEST * _size(member.body.mesh.vertices):
            cause = f"it moves more than {_FARTHEST:g} times its size in one step"
        else:
            continue
        advice = "take a smaller time step, a lower contact stiffness, or more damping"
        if world.integrator == "explicit":
            advice = 'take integrator="implicit", or a much smaller time step'
        raise SimulationError(world.steps + 1, member.name, cause, advice)


def _size(vertices: Floats) -> float:
    return float(np.linalg.norm(np.ptp(vertices, axis=0)))


def _move(world: World, velocities: Floats, dt: float) -> None:
    world._accelerations = (velocities - world._velocities) / dt
    world._velocities = velocities
    straight = np.ones(len(velocities), dtype=bool)
    for member in world._members:
        if isinstance(member, RigidBody):
            node = member._nodes.start + 1
            straight[node] = False
            angular = member._inertia() @ velocities[node]
            member._turn = _orthonormal(rotation(dt * velocities[node]) @ member._turn)
            # a free body keeps its angular momentum, so its spin changes with its pose
            velocities[node] = np.linalg.solve(member._inertia(), angular)
    world._positions = world._positions + dt * velocities * straight[:, None]
    world._moved()


def _orthonormal(matrix: Floats) -> Floats:
    """The matrix without the rounding of many products."""
    left, _, right = np.linalg.svd(matrix)
    return np.asarray(left @ right)
