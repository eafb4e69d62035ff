"""Which faces share a point."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from impinge._arrays import as_face_pairs, as_poses
from impinge._options import is_zero
from impinge._pairs import pair_keys
from impinge.detectors.common.fallback import first_of_each
from impinge.detectors.protocol import NO_BODIES, PosesQuery, SceneQuery
from impinge.mesh import Mesh
from impinge.queries.path import answer, ask, checked, limited, two_meshes
from impinge.queries.plan import pair_detector
from impinge.results.collisions import Collisions
from impinge.results.columns import Origin

if TYPE_CHECKING:
    from impinge._types import Ints, Longs, Progress
    from impinge.detectors.protocol import Detector
    from impinge.detectors.raw import RawPairs
    from impinge.queries.path import Options
    from impinge.queries.plan import BodySet

_FIRST_BODY = np.zeros(1, dtype=np.int32)
_SECOND_BODY = np.ones(1, dtype=np.int32)


def collide(
    a: object,
    b: object,
    *,
    method: str | Detector = "bvh",
    touching: str = "include",
    mode: str = "all",
    margin: float | None = None,
    poses: object = None,
    ignore: object = (),
    max_pairs: int | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Collisions:
    """All pairs of a face of `a` and a face of `b` that share a point, or are within a margin.

    The verdict on every pair is exact for the given float64 coordinates. Make a `Mesh` of what is
    asked about more than once: its tree is kept.

    Parameters
    ----------
    a, b : mesh-like
        See `Mesh.of`.
    method : str or Detector, default "bvh"
        A detector by name (see `impinge.methods`) or one made by `impinge.detector`; "auto" is the
        fastest.
    touching : {"include", "exclude"}
        Whether pairs that only touch are reported.
    mode : {"all", "first"}
        "first" reports at most one pair (per pose), and stops there.
    margin : float, optional
        Also report pairs that are not farther apart than this, decided exactly, as `Kind.NEAR`;
        `Collisions.distances` and `Collisions.points` then tell how far apart and where.
    poses : (m, 4, 4) array_like, optional
        Poses of `b`, world = R v + t. All of them are answered in one call.
    ignore : (k, 2) array_like of int, optional
        Pairs of faces (face of `a`, face of `b`) to leave out.
    max_pairs : int, optional
        More pairs than this, of all poses together, are an error. The default method stops as soon
        as a thread has found more; others say so in the end. Without a limit, pairs that do not
        fit in memory are a MemoryError.
    workers : int, optional
        Number of threads; None is all cores. The result does not depend on it.
    progress : callable, optional
        Called with the fraction done, from 0 to 1; cancels the query by returning False.

    Returns
    -------
    Collisions
        Sorted pairs with their kinds; where they meet is computed when it is asked for.

    Raises
    ------
    InputError
        An operand or option cannot be used.
    CapabilityError
        The detector cannot answer this question, for instance for open meshes.
    Cancelled
        `progress` returned False.
    TooManyPairsError
        There are more pairs than `max_pairs`.

    See Also
    --------
    impinge.collides : Whether they share a point at all; faster.
    impinge.self_collide : Pairs of faces within one mesh.
    impinge.Scene.collide : The same question about many bodies.

    Examples
    --------
    >>> import impinge
    >>> import numpy as np
    >>> vertices = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
    >>> faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    >>> a = impinge.Mesh(vertices, faces)
    >>> b = impinge.Mesh(vertices + 0.2, faces)
    >>> hits = impinge.collide(a, b)
    >>> hits
    Collisions(3 pairs between 2 bodies: 3 crossing)
    >>> hits.pairs.tolist()
    [[3, 0], [3, 1], [3, 2]]

    Three poses of `b`, moved along x:

    >>> poses = np.tile(np.eye(4), (3, 1, 1))
    >>> poses[:, 0, 3] = 0.0, 0.1, 0.5
    >>> impinge.collide(a, b, poses=poses).counts.tolist()
    [3, 3, 0]

    What is within a margin of the other, up to the margin itself:

    >>> c = impinge.Mesh(vertices - (1.375, 0, 0), faces)
    >>> near = impinge.collide(a, c, margin=0.375)
    >>> len(near), set(near.distances.tolist()), impinge.Kind(near.kinds[0]).name
    (9, {0.375}, 'NEAR')
    >>> len(impinge.collide(a, c, margin=0.374))
    0
    """
    meshes = two_meshes(a, b)
    options = checked(method, touching, mode, workers, progress, limit=max_pairs)
    ignored = _ignored_faces(ignore, *meshes)
    if margin is not None:
        from impinge.queries.margin import measured, with_margin

        options = with_margin(options, margin, touching)
        return measured(_of_meshes(meshes, options, ignored, poses=poses), margin)
    once = meshes[0] is not a and meshes[1] is not b
    return _of_meshes(meshes, options, ignored, poses=poses, once=once)


def self_collide(
    mesh: object,
    *,
    method: str | Detector = "bvh",
    touching: str = "include",
    mode: str = "all",
    margin: float | None = None,
    ignore_rings: int = 0,
    report_duplicates: bool = False,
    ignore: object = (),
    max_pairs: int | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Collisions:
    """All pairs of faces of one mesh that meet beyond the points they share as neighbours.

    Neighbours are faces with a common vertex; vertices with equal coordinates count as one. Such
    faces are reported only where they overlap beyond what they share, with a margin, too.

    Parameters
    ----------
    mesh : mesh-like
        See `Mesh.of`.
    method, touching, mode, margin, max_pairs, workers, progress
        As for `impinge.collide`.
    ignore_rings : int, default 0
        Leave out pairs of faces that are so close on the surface: 1 are neighbours, 2 those with
        a common neighbour, and so on.
    report_duplicates : bool, default False
        Also report faces with the same three corners.
    ignore : (k, 2) array_like of int, optional
        Pairs of faces to leave out, in either order.

    Returns
    -------
    Collisions
        Each pair once, the lower face first.

    See Also
    --------
    impinge.collide, impinge.Scene.collide

    Examples
    --------
    Two triangles of one mesh that cross:

    >>> import impinge
    >>> vertices = [(0, 0, 0), (2, 0, 0), (0, 2, 0), (0.5, 0.5, -1), (0.5, 0.5, 1), (2, 2, 0)]
    >>> hits = impinge.self_collide((vertices, [(0, 1, 2), (3, 4, 5)]))
    >>> hits.pairs.tolist()
    [[0, 1]]
    >>> impinge.Kind(hits.kinds[0]).name
    'CROSSING'

    Two sides of a strip that is folded like a U are 1 apart; all its faces have a common
    neighbour:

    >>> strip = [(0, 0, 0), (0, 1, 0), (3, 0, 0), (3, 1, 0), (3, 0, 1), (3, 1, 1), (0, 0, 1)]
    >>> fold = strip, [(0, 2, 1), (1, 2, 3), (2, 4, 3), (3, 4, 5), (5, 4, 6)]
    >>> impinge.self_collide(fold, margin=1.0).pairs.tolist()
    [[0, 3], [0, 4], [1, 4]]
    >>> len(impinge.self_collide(fold, margin=1.0, ignore_rings=2))
    0
    """
    one = Mesh.of(mesh)
    options = checked(
        method, touching, mode, workers, progress, duplicates=report_duplicates, limit=max_pairs
    )
    ignored = _ignored_faces(ignore, one, one, either_way=True)
    if margin is not None or not is_zero(ignore_rings):
        from impinge.queries.margin import measured, with_margin

        options = with_margin(options, margin, touching, ignore_rings)
        return measured(_of_meshes((one,), options, ignored, alone=_FIRST_BODY), margin)
    return _of_meshes((one,), options, ignored, alone=_FIRST_BODY)


def collisions_of(
    bodies: BodySet, options: Options, self_collision: bool, refine: str | Detector | None
) -> Collisions:
    """The question of `Scene.collide`."""
    chosen = options.detector
    if refine is not None or "pairs" not in chosen.capabilities:
        from impinge.detectors.refined import refining

        chosen = refining(chosen, refine)
    shapes = bodies.shapes()
    alone = bodies.alone if self_collision else NO_BODIES
    asked = limited_by_detector(options, bodies.ignored)
    query = SceneQuery(shapes, bodies.body_pairs, alone, *asked[1:], bodies.names)
    able = pair_detector(chosen, query, bodies.here, bodies.on_gpu)
    raw = limited(answer(able.scene, query, bodies.ignored), options.max_pairs)
    return _frozen(raw, bodies.origin(chosen.name, raw.counters, raw.shapes or shapes))


def any_collision_of(bodies: BodySet, options: Options, self_collision: bool) -> bool:
    """The question of `Scene.collides`."""
    judge = getattr(options.detector, "scene_collides", None)
    # where pairs of bodies are dropped from the answer, it must be named
    if judge is None or bodies.ignored is not None:
        return bool(collisions_of(bodies, options, self_collision, None))
    alone = bodies.alone if self_collision else NO_BODIES
    query = SceneQuery(bodies.shapes(), bodies.body_pairs, alone, *options[1:], bodies.names)
    pair_detector(options.detector, query, bodies.here, bodies.on_gpu)
    return bool(ask(options.tick, judge, query))


def poses_query(
    meshes: tuple[Mesh, ...], poses: object, options: Options, *, once: bool = False
) -> PosesQuery:
    """The question about the second mesh in each pose."""
    a, b = meshes
    placed = as_poses(poses, reach=b._farthest())
    _, touching, _, first, workers, tick, most = options
    return PosesQuery(a._shape, b._shape, placed, touching, first, workers, tick, most, once)


def limited_by_detector(options: Options, ignored: Longs | None) -> Options:
    """Where pairs are dropped from what a detector finds, it cannot know how many are too many."""
    return options if ignored is None else options._replace(max_pairs=None)


def _of_meshes(
    meshes: tuple[Mesh, ...],
    options: Options,
    ignored: Longs | None,
    *,
    poses: object = None,
    alone: Ints = NO_BODIES,
    once: bool = False,
) -> Collisions:
    # an ignored pair must not be the first one: find all, then drop
    asked = limited_by_detector(options, ignored)
    if ignored is not None:
        asked = asked._replace(first=False)
    shapes = tuple([mesh._shape for mesh in meshes])
    placed = None
    if poses is None:
        query = SceneQuery(shapes, None, alone, *asked[1:], (), once)
        raw = answer(pair_detector(asked.detector, query, meshes).scene, query, ignored, faces=True)
    else:
        moved = poses_query(meshes, poses, asked, once=once)
        raw = answer(pair_detector(asked.detector, moved, meshes).poses, moved, ignored, faces=True)
        placed = moved.poses
    if options.first and ignored is not None:
        raw = first_of_each(raw)
    raw = limited(raw, options.max_pairs)
    origin = Origin(
        asked.detector.name,
        raw.counters,
        raw.shapes or shapes,
        meshes,
        poses=placed,
        moved=None if placed is None else _SECOND_BODY,
    )
    return _frozen(raw, origin)


def _frozen(raw: RawPairs, origin: Origin) -> Collisions:
    pairs, kinds, bodies, pose, _, inside, _, warnings, complete = raw
    return Collisions(pairs, kinds, pose, bodies, origin, inside, warnings, complete=complete)


def _ignored_faces(ignore: object, a: Mesh, b: Mesh, *, either_way: bool = False) -> Longs | None:
    """One number per ignored pair of faces; None when there are none."""
    if type(ignore) is tuple and not ignore:
        return None
    rows = as_face_pairs(ignore, counts=(len(a), len(b)))
    return pair_keys(rows, ordered=not either_way) if len(rows) else None
