"""When moving bodies meet."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from impinge import _core
from impinge._options import TOUCHING, checked_length, choice, ticking, worker_count
from impinge._pairs import pair_keys
from impinge._shape import Shape
from impinge.detectors.bvh import trees_of
from impinge.detectors.protocol import NO_BODIES
from impinge.errors import InputError
from impinge.motion import as_motions, at_rest, is_rigid
from impinge.queries.path import ask, two_meshes
from impinge.queries.plan import check_here
from impinge.results.time_of_impact import BodyImpact, BodyImpacts, TimeOfImpact, TimesOfImpact

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeAlias

    from impinge._options import Tick
    from impinge._types import Floats, Ints, Progress
    from impinge.body import Body
    from impinge.mesh import Mesh
    from impinge.queries.path import Options
    from impinge.queries.plan import BodySet

    Motions: TypeAlias = Mapping[Body, object]
    Moves: TypeAlias = tuple[Floats, Ints]

# as the core has it: what is proven, in poses that follow soon
_SOON = 2
# the core chooses a tolerance for each pair of bodies
_DEFAULT_TOLERANCE = -1.0


def time_of_impact(
    a: object,
    b: object,
    *,
    motion_a: object = None,
    motion_b: object = None,
    tolerance: float | None = None,
    touching: str = "include",
    workers: int | None = None,
    progress: Progress | None = None,
) -> TimeOfImpact | TimesOfImpact:
    """When two moving meshes first meet, never later than they really do.

    Meshes are surfaces, as for `impinge.collide`. The answer is a bound: until then no point is
    shared, and then the gap is at most the tolerance, plus a rounding bound of about 1e-14 of the
    coordinates. See :doc:`/motion` for the proof.

    Parameters
    ----------
    a, b : mesh-like
        See `Mesh.of`.
    motion_a, motion_b : Motion, pair of poses, or (m, 4, 4) array_like, optional
        How each moves; None is not at all. Poses are those of a `Motion` from time 0 to 1. Many
        motions are a list of `Motion` or an array (n, m, 4, 4): n questions, shared out among the
        threads. A body with one motion makes that in each of them.
    tolerance : float, optional
        How wide the gap may be at the time that is told. By default 2^-20 (1e-6) of the sum of the
        diagonals of both bounding boxes.
    touching : {"include", "exclude"}
        With "include" bodies that touch in the beginning meet at once. With "exclude" they slide
        and roll on each other: faces that get no deeper into each other than the tolerance pass,
        in the beginning and later, and the time is never later than when two faces first get
        deeper, along every direction.
    workers, progress
        As for `impinge.collide`.

    Returns
    -------
    TimeOfImpact or TimesOfImpact
        One answer, or one for each motion.

    See Also
    --------
    impinge.Motion
    impinge.Scene.time_of_impact : The first two bodies of a scene to meet.
    impinge.Scene.free : Whether a motion is certainly free.

    Examples
    --------
    >>> import impinge
    >>> import numpy as np
    >>> vertices = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    >>> mesh = impinge.Mesh(vertices, [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
    >>> start, goal = np.eye(4), np.eye(4)
    >>> start[0, 3], goal[0, 3] = 5.0, -3.0
    >>> impact = impinge.time_of_impact(mesh, mesh, motion_b=(start, goal))
    >>> round(impact.time, 9), impact.certain
    (0.5, True)
    """
    meshes = two_meshes(a, b)
    threads, tick = worker_count(workers), ticking(progress)
    within, touches = impact_options(tolerance, touching)
    moves_a, many_a = _moves(motion_a, "motion_a", meshes[0]._farthest())
    moves_b, many_b = _moves(motion_b, "motion_b", meshes[1]._farthest())
    check_counts({"motion_a": moves_a, "motion_b": moves_b})

    def search() -> TimesOfImpact:
        return impacts(
            *meshes, moves_a, moves_b, within=within, touches=touches, workers=threads, tick=tick
        )

    found = ask(tick, search)
    return found if many_a or many_b else found[0]


def impacts(
    a: Mesh,
    b: Mesh,
    moves_a: Moves,
    moves_b: Moves,
    *,
    within: float,
    touches: bool,
    workers: int = 1,
    tick: Tick | None = None,
) -> TimesOfImpact:
    """The question about two meshes, of options that are checked."""
    tree_a, tree_b = trees_of((a._shape, b._shape), workers)
    return _impacts(
        _core.motion_impacts(tree_a, tree_b, *moves_a, *moves_b, within, touches, workers, tick)
    )


def impact_options(tolerance: float | None, touching: str) -> tuple[float, bool]:
    """The tolerance and whether touching counts, as the core takes them."""
    touches = choice("touching", touching, TOUCHING)
    if tolerance is None:
        return _DEFAULT_TOLERANCE, touches
    return checked_length("tolerance", tolerance), touches


def check_counts(motions: Mapping[str, Moves]) -> None:
    """Raise unless all bodies have as many motions, or one."""
    counts = {name: len(ends) for name, (_, ends) in motions.items()}
    most = max(counts.values(), default=1)
    for name, count in counts.items():
        if count not in (1, most):
            other = max(counts, key=lambda key: counts[key])
            raise InputError(
                f"{name} has {count} motions and {other} has {most}; "
                "give as many for each body, or one that stands for all"
            )


def _moves(motion: object, argument: str, reach: float) -> tuple[Moves, bool]:
    if motion is None:
        return at_rest(), False
    segments, ends, several = as_motions(motion, argument, reach)
    return (segments, ends), several


def _impacts(columns: tuple[Any, ...]) -> TimesOfImpact:
    times, pairs, points, normals, gaps, starts, proofs, _ = columns
    none = times == math.inf
    points[none], gaps[none] = np.nan, np.inf
    normals[none | ~normals.any(axis=1)] = np.nan
    return TimesOfImpact(times, pairs, points, normals, gaps, starts, proofs == _SOON)


def impact_of(
    bodies: BodySet, options: Options, motions: Motions, within: float, touches: bool
) -> BodyImpact | BodyImpacts:
    """The question of `Scene.time_of_impact`."""
    pairs, columns, several = moved(bodies, options, motions, within, touches)
    found = BodyImpacts(pairs, _impacts(columns), bodies.names)
    return found if several else found[0]


def moved(
    bodies: BodySet, options: Options, motions: Motions, within: float, touches: bool
) -> tuple[Ints, tuple[Any, ...], bool]:
    """What the core finds about bodies that move, and whether there are several motions."""
    check_here(bodies, "times of impact")
    shapes = tuple(_rigidly_placed(shape) for shape in bodies.shapes())
    moves = {}
    several = False
    index = {body: i for i, body in enumerate(bodies.bodies)}
    for body, motion in motions.items():
        key, argument = index[body], f"motions[{body.name!r}]"
        reach = float(np.abs(shapes[key].local).max(initial=0.0))
        moves[key], many = _moves(motion, argument, reach)
        several |= many
    check_counts({f"motions[{bodies.names[key]!r}]": move for key, move in moves.items()})
    pairs = _pairs_that_move(bodies, sorted(moves))
    all_moves = [moves.get(i) or at_rest(shape.pose) for i, shape in enumerate(shapes)]

    def search() -> tuple[Ints, tuple[Any, ...]]:
        return _core.scene_motion_impacts(
            trees_of(shapes, options.workers),
            [segments for segments, _ in all_moves],
            [ends for _, ends in all_moves],
            pairs,
            NO_BODIES,
            within,
            touches,
            options.workers,
            options.tick,
        )

    found, columns = ask(options.tick, search)
    return found, columns, several


def _rigidly_placed(shape: Shape) -> Shape:
    """A body that is stretched where it rests is taken as a mesh of its own."""
    if shape.pose is None or is_rigid(shape.pose):
        return shape
    return Shape(shape.vertices, shape.faces, shape.structures)


def _pairs_that_move(bodies: BodySet, moving: list[int]) -> Ints | None:
    """The pairs of bodies of which one moves, but for ignored ones; None is all pairs."""
    if len(moving) == len(bodies.bodies) and bodies.ignored is None:
        return bodies.body_pairs
    if bodies.body_pairs is not None:
        moves = np.isin(bodies.body_pairs, moving).any(axis=1)
        return np.ascontiguousarray(bodies.body_pairs[moves])
    first = np.repeat(np.asarray(moving, dtype=np.int32), len(bodies.bodies))
    second = np.tile(np.arange(len(bodies.bodies), dtype=np.int32), len(moving))
    pairs = np.stack([np.minimum(first, second), np.maximum(first, second)], axis=1)
    pairs = np.unique(pairs[first != second].reshape(-1, 2), axis=0)
    if bodies.ignored is not None:
        pairs = pairs[~np.isin(pair_keys(pairs), bodies.ignored)]
    return np.ascontiguousarray(pairs, dtype=np.int32)
