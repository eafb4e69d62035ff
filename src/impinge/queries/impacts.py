"""When vertices that move along straight lines let surfaces meet, and how far they may go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from impinge import _core
from impinge._arrays import as_vertices, check_reach, reach_of
from impinge._pairs import pair_keys
from impinge.body import bodies_of
from impinge.detectors.bvh import trees_of
from impinge.errors import InputError
from impinge.mesh import Mesh
from impinge.queries.feature_impacts import Limits, checked_limits
from impinge.queries.path import ask, checked
from impinge.queries.plan import BodySet, check_here
from impinge.results.impacts import Impacts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from impinge._types import Counters, Floats, Ints, Progress
    from impinge.body import Body
    from impinge.queries.path import Options

    Goals: TypeAlias = "Mapping[Body, Floats]"


class Motion(NamedTuple):
    """Where bodies go, what counts as contact, and whether it does with themselves."""

    goals: Goals
    limits: Limits
    self_collision: bool = True


def impacts(
    mesh: object,
    *,
    to: Any,
    minimum_separation: float = 0.0,
    tolerance: float | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Impacts:
    """All impacts of a mesh whose vertices move along straight lines, or of a scene of them.

    Vertices go from where they are at time 0 to `to` at time 1, each at its own even speed. Every
    vertex that meets a face and every two edges that meet are reported, of the mesh with itself.
    None is missed, no time is later than the true one, and, without a separation, none is reported
    that does not meet: what float64 cannot decide is decided exactly.

    Parameters
    ----------
    mesh : mesh-like or Scene
        See `Mesh.of`; a scene is asked as `Scene.impacts`.
    to : (n, 3) array_like, or a mapping for a scene
        Where the vertices go.
    minimum_separation : float, default 0.0
        Features meet when they are not farther apart than this. Those that are so at the start get
        the time 0 and are flagged in `Impacts.at_start`.
    tolerance : float, optional
        A length: at the time that is told the features are farther apart than
        `minimum_separation` by at most this and the rounding bound. None is a millionth of the size
        of each pair of features and of their motion.
    workers, progress
        As for `impinge.collide`.

    Returns
    -------
    Impacts

    See Also
    --------
    impinge.collision_free_step : How far all may move, sooner told.
    impinge.vertex_face_impact, impinge.edge_edge_impact : The same for single features.
    impinge.Scene.impacts : More than one body.

    Notes
    -----
    The rounding bound is 2**-41 of the largest difference of two coordinates of the same axis among
    the vertices of the pair, at both ends.

    Examples
    --------
    >>> import impinge
    >>> import numpy as np
    >>> flap = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0.2, 0.5, 1), (1, 0.5, 1)])
    >>> faces = [(0, 1, 2), (0, 2, 3), (2, 5, 4)]
    >>> folded = flap.copy()
    >>> folded[4, 2] = -1
    >>> found = impinge.impacts((flap, faces), to=folded)
    >>> found.features[0].tolist(), round(found.time, 3)
    ([4, 0, 2, 3], 0.5)
    """
    of_scene = getattr(mesh, "impacts", None)
    limits = {"minimum_separation": minimum_separation, "tolerance": tolerance}
    running = {"workers": workers, "progress": progress}
    if of_scene is not None:
        found: Impacts = of_scene(to=to, **limits, **running)
        return found
    bodies, goals = _one_body(mesh, to)
    options = checked("bvh", workers=workers, progress=progress)
    return impacts_of(bodies, options, Motion(goals, checked_limits(**limits)))


def collision_free_step(
    mesh: object,
    *,
    to: Any,
    minimum_separation: float = 0.0,
    tolerance: float | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> float:
    """How far vertices may certainly move towards `to` before any features meet.

    Parameters
    ----------
    mesh, to, minimum_separation, workers, progress
        As for `impinge.impacts`.
    tolerance : float, optional
        As for `impinge.impacts`; features that are nearer than four times this at the start may
        come together to a quarter of what is between them.

    Returns
    -------
    float
        A fraction from 0 to 1. All features are apart while vertices move along by it; 1.0 is the
        whole way. It is 0.0 only where features meet at the start, or are so near that rounding
        hides whether they do.

    See Also
    --------
    impinge.impacts : What meets, and when.
    impinge.Scene.collision_free_step : More than one body.

    Notes
    -----
    The motion that is free is that of real numbers. Vertices of float64 between both ends are
    rounded: where they may stand by less than that before a wall, `minimum_separation` keeps them
    off.

    Examples
    --------
    >>> import impinge
    >>> import numpy as np
    >>> sheet = np.array([(0, 0, 0), (4, 0, 0), (0, 4, 0)])
    >>> drop = np.array([(1, 1, 1), (1, 1, 3), (1, 2, 3)])
    >>> start = np.concatenate((sheet, drop))
    >>> end = np.concatenate((sheet, drop - (0, 0, 2)))
    >>> step = impinge.collision_free_step((start, [(0, 1, 2), (3, 4, 5)]), to=end)
    >>> 0.499 < step < 0.5
    True
    """
    of_scene = getattr(mesh, "collision_free_step", None)
    limits = {"minimum_separation": minimum_separation, "tolerance": tolerance}
    running = {"workers": workers, "progress": progress}
    if of_scene is not None:
        return float(of_scene(to=to, **limits, **running))
    bodies, goals = _one_body(mesh, to)
    options = checked("bvh", workers=workers, progress=progress)
    return free_step_of(bodies, options, Motion(goals, checked_limits(**limits)))


def as_goal(to: object, body: Body, argument: str) -> Floats:
    """Where the vertices of a body go, in its local coordinates."""
    goal = as_vertices(to, argument=argument)
    if goal.shape != body.vertices.shape:
        raise InputError(
            f"{argument} must have the shape {body.vertices.shape} of the vertices of "
            f"body {body.name!r}, got {goal.shape}"
        )
    if body._placement is not None:
        check_reach(body.pose[None], reach_of(goal), f"the pose of body {body.name!r}", single=True)
    return goal


def impacts_of(bodies: BodySet, options: Options, motion: Motion) -> Impacts:
    """The question of `Scene.impacts`."""
    check_here(bodies, "impacts")
    shapes = bodies.shapes()
    columns, counters = _asked(_linear_impacts, bodies, options, motion)
    features, kinds, times, certain, at_start, pairs = columns
    origin = bodies.origin("bvh", counters, shapes)
    return Impacts(features, kinds, times, certain, at_start, pairs, origin)


def free_step_of(bodies: BodySet, options: Options, motion: Motion) -> float:
    """The question of `Scene.collision_free_step`."""
    check_here(bodies, "steps")
    step, _ = _asked(_core.free_step, bodies, options, motion)
    return float(step)


def _linear_impacts(*arguments: Any) -> tuple[Any, Any]:
    *columns, counters = _core.linear_impacts(*arguments)
    return columns, counters


def _asked(
    work: Callable[..., tuple[Any, Any]], bodies: BodySet, options: Options, motion: Motion
) -> tuple[Any, Counters]:
    shapes = bodies.shapes()
    ends = [_world(motion.goals.get(body), body) for body in bodies.bodies]
    moving = np.flatnonzero([end is not None for end in ends])
    alone = np.intersect1d(bodies.alone, moving if motion.self_collision else moving[:0])

    def search() -> tuple[Any, Counters]:
        spent: dict[str, float] = {}
        found, counters = work(
            trees_of(shapes, options.workers, spent),
            [shape.vertices for shape in shapes],
            ends,
            _wanted(bodies),
            alone.astype(np.int32),
            *motion.limits,
            options.workers,
            options.tick,
        )
        return found, {**spent, **counters}

    return ask(options.tick, search)


def _wanted(bodies: BodySet) -> Ints | None:
    """The pairs of bodies to ask about, listed however many are ignored."""
    if bodies.ignored is None:
        return bodies.body_pairs
    count = len(bodies.bodies)
    pairs = np.stack(np.triu_indices(count, 1), axis=1).astype(np.int32)
    return np.ascontiguousarray(pairs[~np.isin(pair_keys(pairs), bodies.ignored)])


def _world(goal: Floats | None, body: Body) -> Floats | None:
    if goal is None or body._placement is None:
        return goal
    world: Floats = _core.transform(goal, body.pose)
    return world


def _one_body(mesh: object, to: object) -> tuple[BodySet, Goals]:
    one = Mesh.of(mesh, argument="mesh")
    bodies = bodies_of([one])
    return BodySet(bodies), {bodies[0]: as_goal(to, bodies[0], "to")}
