"""How far apart two meshes are."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, overload

import numpy as np

from impinge import _core
from impinge._arrays import as_poses
from impinge._options import checked_bool, number, ticking, worker_count
from impinge.detectors.bvh import trees_of
from impinge.detectors.protocol import NO_BODIES
from impinge.errors import InputError
from impinge.queries.distance_gradient import distance_gradients
from impinge.queries.path import ask, two_meshes
from impinge.queries.plan import check_here
from impinge.results.distances import BodyDistances, Distance, Distances

if TYPE_CHECKING:
    from impinge._types import Floats, Ints, Progress
    from impinge.mesh import Mesh
    from impinge.queries.path import Options
    from impinge.queries.plan import BodySet

_AT_REST = np.eye(4)[None]
_NO_PAIR = (-1, -1)


@overload
def distance(
    a: object,
    b: object,
    *,
    poses: None = ...,
    upper_bound: float | None = ...,
    hint: Distance | None = ...,
    gradient: bool = ...,
    workers: int | None = ...,
    progress: Progress | None = ...,
) -> Distance: ...


@overload
def distance(
    a: object,
    b: object,
    *,
    poses: object,
    upper_bound: float | None = ...,
    hint: Distance | Distances | None = ...,
    gradient: bool = ...,
    workers: int | None = ...,
    progress: Progress | None = ...,
) -> Distances: ...


def distance(
    a: object,
    b: object,
    *,
    poses: object = None,
    upper_bound: float | None = None,
    hint: Distance | Distances | None = None,
    gradient: bool = False,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Distance | Distances:
    """The smallest distance between a point of `a` and a point of `b`, and where it is.

    Meshes are surfaces: one that lies inside the other is as far away as its wall. Of several
    closest pairs of faces the smallest (face of `a`, face of `b`) is given; of colliding meshes,
    some pair that shares a point, with that point.

    Parameters
    ----------
    a, b : mesh-like
        See `Mesh.of`.
    poses : (m, 4, 4) array_like, optional
        Poses of `b`, world = R v + t: m questions, shared out among the threads.
    upper_bound : float, optional
        Do not search beyond this distance: the answer is then inf. Shortens the search.
    hint : Distance or Distances, optional
        An earlier answer about these meshes in nearly the same place; with poses, one for all or
        one for each. Shortens the search and never changes the answer.
    gradient : bool, default False
        Also tell how the distance changes when vertices move, and when `b` moves: its first
        derivatives, see `impinge.results.Gradient`.
    workers, progress
        As for `impinge.collide`.

    Returns
    -------
    Distance or Distances
        One answer, or one for each pose. To float64 rounding; 0.0 exactly when they collide.

    See Also
    --------
    impinge.collides
    impinge.Scene.distances : All pairs of bodies of a scene.
    impinge.penetration : How deep they are in each other, with gradients where this has none.

    Notes
    -----
    The gradient is that of the distance of the two closest points, each fixed to its place on its
    face. That is the derivative wherever there is one pair of closest points. Where several are
    equally close, as over parallel faces, there are only derivatives in a direction, and this is
    one of theirs: that of the pair that is given. Where the meshes cross the distance is 0.0 all
    around, and so is its gradient; where they only touch it has a kink, and zero is a subgradient.
    To part meshes that collide, follow the gradients of `impinge.penetration`.

    Examples
    --------
    >>> import impinge
    >>> import numpy as np
    >>> vertices = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
    >>> faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    >>> d = impinge.distance((vertices, faces), (vertices + (3, 0, 0), faces))
    >>> d.value
    2.0
    >>> d.points.tolist()
    [[1.0, 0.0, 0.0], [3.0, 0.0, 0.0]]
    >>> d = impinge.distance((vertices, faces), (vertices + (3, 0, 0), faces), gradient=True)
    >>> d.gradient.translation.tolist()
    [1.0, 0.0, 0.0]
    """
    meshes = two_meshes(a, b)
    threads, tick = worker_count(workers), ticking(progress)
    bound = distance_bound(upper_bound)
    placed = _AT_REST if poses is None else as_poses(poses, reach=meshes[1]._farthest())
    hints = None if hint is None else _hints(hint, poses is not None, len(placed), *meshes)

    def search() -> tuple[Floats, Floats, Ints, dict[str, float]]:
        tree_a, tree_b = trees_of((meshes[0]._shape, meshes[1]._shape), threads)
        return _core.bvh_distances(tree_a, tree_b, placed, bound, hints, threads, tick)

    values, points, pairs, _ = ask(tick, search)
    found = Distances(values, points, pairs)
    if checked_bool("gradient", gradient):
        found = replace(found, gradients=distance_gradients(*meshes, placed, found))
    return found[0] if poses is None else found


def distance_bound(upper_bound: float | None) -> float:
    if upper_bound is None:
        return math.inf
    return number("upper_bound", upper_bound, "None or a number of at least 0", least=0.0)


def distances_of(bodies: BodySet, options: Options, bound: float) -> BodyDistances:
    """The question of `Scene.distances`."""
    check_here(bodies, "distances")
    shapes = bodies.shapes()
    placements = [shape.placement for shape in shapes]

    def search() -> tuple[Ints, Floats, Floats, Ints]:
        trees = trees_of(shapes, options.workers)
        return _core.scene_distances(
            trees, placements, bodies.body_pairs, NO_BODIES, bound, options.workers, options.tick
        )

    pairs, values, points, faces = bodies.kept(*ask(options.tick, search))
    return BodyDistances(pairs, values, points, faces, bodies.names)


def _hints(hint: object, batch: bool, count: int, a: Mesh, b: Mesh) -> Ints:
    """(count, 2) int32 pairs of faces to begin with, -1 for none."""
    if isinstance(hint, Distance):
        pair = _NO_PAIR if hint.pair is None else hint.pair
        pairs = np.tile(np.array(pair, dtype=np.int32), (count, 1))
    elif isinstance(hint, Distances) and batch:
        if len(hint) != count:
            raise InputError(f"hint has {len(hint)} distances for {count} poses; give one for each")
        pairs = hint.pairs
    elif isinstance(hint, Distances):
        raise InputError("hint must be one Distance when there are no poses; pass hint[i]")
    else:
        raise InputError(
            f"hint must be what impinge.distance returned earlier, got {type(hint).__name__}"
        )
    if len(pairs) and np.any(pairs.max(axis=0) >= (len(a), len(b))):
        raise InputError(
            f"hint names faces up to {tuple(pairs.max(axis=0).tolist())}, but the meshes have "
            f"{len(a)} and {len(b)} faces; it belongs to other meshes"
        )
    return pairs
