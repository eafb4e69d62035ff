"""How two solids lie to each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

import numpy as np

from impinge import _core
from impinge._arrays import as_poses
from impinge._options import ticking, worker_count
from impinge.detectors.protocol import NO_BODIES
from impinge.queries.path import ask, two_meshes
from impinge.queries.plan import check_here
from impinge.queries.solids import AT_REST, check_poses, named, solids_of
from impinge.results.relation import Relation, Relations

if TYPE_CHECKING:
    from impinge._types import Progress, Signs
    from impinge.queries.path import Options
    from impinge.queries.plan import BodySet


@overload
def relation(
    a: object,
    b: object,
    *,
    poses: None = ...,
    workers: int | None = ...,
    progress: Progress | None = ...,
) -> Relation: ...


@overload
def relation(
    a: object,
    b: object,
    *,
    poses: object,
    workers: int | None = ...,
    progress: Progress | None = ...,
) -> Signs: ...


def relation(
    a: object,
    b: object,
    *,
    poses: object = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Relation | Signs:
    """How solid `a` lies to solid `b`: apart, touching, overlapping, inside, or equal.

    Exact for the float64 coordinates, those after the pose when there is one: aligned faces,
    common edges and corners, cavities, shells that are glued together or overlap, and solids that
    are equal but cut into other faces are decided as by arithmetic that never rounds. A solid is
    where the winding number of a closed mesh is above 0, and its boundary belongs to it.

    Parameters
    ----------
    a, b : Mesh, (vertices, faces), or objects with these attributes
        Closed: every edge is used equally often in both directions, vertices with equal
        coordinates counting as one. A mesh that is wholly inside out is taken the other way
        round, with a warning. Make a `Mesh` of what is asked about more than once: what is found
        out about it is kept.
    poses : (m, 4, 4) array_like, optional
        Of `b`, world = R v + t. Poses may mirror; none may have the determinant 0.
    workers : int, optional
        Number of threads; all cores by default.
    progress : callable, optional
        Called with a fraction from 0 to 1; cancels by returning False.

    Returns
    -------
    Relation, or (m,) int8 with `poses`
        The numbers of a `Relation`.

    Raises
    ------
    InputError
        When a mesh is open or encloses nothing, or a pose has the determinant 0.

    See Also
    --------
    penetration : How much they overlap.
    collide : Which faces meet, of any meshes.
    Scene.relations : The same for many bodies.

    Examples
    --------
    >>> import impinge
    >>> vertices = [(0, 0, 0), (4, 0, 0), (0, 4, 0), (0, 0, 4)]
    >>> corner = impinge.Mesh(vertices, [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)])
    >>> impinge.relation(corner, corner)
    <Relation.EQUAL: 5>
    >>> import numpy as np
    >>> poses = np.tile(np.eye(4), (3, 1, 1))
    >>> poses[:, 0, 3] = 4, 4.5, 1
    >>> [impinge.Relation(found).name for found in impinge.relation(corner, corner, poses=poses)]
    ['TOUCHING', 'APART', 'OVERLAPPING']
    """
    meshes = two_meshes(a, b)
    threads, tick = worker_count(workers), ticking(progress)
    placed = AT_REST
    if poses is not None:
        placed = as_poses(poses, reach=meshes[1]._farthest())
        check_poses(placed, "poses")
    called = [named(one, mesh.name) for one, mesh in zip("ab", meshes, strict=True)]
    solids = solids_of([mesh._shape for mesh in meshes], called, threads, 2)
    found = ask(tick, _core.relations, *solids, placed, threads, tick)
    return Relation(int(found[0])) if poses is None else found


def relations_of(bodies: BodySet, options: Options) -> Relations:
    """The question of `Scene.relations`."""
    check_here(bodies, "relations")
    shapes = bodies.shapes()
    called = [f"body {name!r}" for name in bodies.names]
    # from here up: the scene, its method, and who called that
    solids = solids_of(shapes, called, options.workers, 4)
    at_rest = np.eye(4)
    poses = [at_rest if shape.pose is None else shape.pose for shape in shapes]
    placed = np.array(poses).reshape(-1, 4, 4)
    check_poses(placed, "the pose of bodies")
    arguments = (solids, placed, bodies.body_pairs, NO_BODIES, options.workers, options.tick)
    pairs, relations = ask(options.tick, _core.scene_relations, *arguments)
    if bodies.ignored is not None:
        from impinge._pairs import pair_keys

        kept = ~np.isin(pair_keys(pairs), bodies.ignored)
        pairs, relations = pairs[kept], relations[kept]
    return Relations(pairs, relations, bodies.names)
