"""Which faces share a point."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from impinge._arrays import as_face_pairs, as_poses
from impinge._pairs import pair_keys
from impinge.detectors.fallback import first_of_each
from impinge.detectors.protocol import NO_BODIES, PosesQuery, SceneQuery
from impinge.mesh import Mesh
from impinge.queries.capabilities import pair_detector
from impinge.queries.path import answer, checked, two_meshes
from impinge.results.collisions import Collisions
from impinge.results.columns import Origin

if TYPE_CHECKING:
    from impinge._types import Longs, Progress
    from impinge.detectors.protocol import Detector, RawPairs
    from impinge.queries.bodies import BodySet
    from impinge.queries.path import Options

_FIRST_BODY = np.zeros(1, dtype=np.int32)


def collide(
    a: object,
    b: object,
    *,
    method: str | Detector = "bvh",
    touching: str = "include",
    mode: str = "all",
    poses: object = None,
    ignore: object = (),
    workers: int | None = None,
    progress: Progress | None = None,
) -> Collisions:
    """All pairs of a face of `a` and a face of `b` that share a point.

    `a` and `b` are meshes: `Mesh`, (vertices, faces), or an object with these attributes. Make a
    `Mesh` of what is asked about more than once: its tree is kept. `method` is a detector or its
    name, "auto" being the fastest. `touching="exclude"` leaves out pairs that only touch.
    `mode="first"` gives at most one pair (per pose). `poses` (m, 4, 4) moves `b` by each pose in
    turn, world = R v + t. `ignore` (k, 2) are pairs of faces to leave out. `workers` is the
    number of threads (None: all cores). `progress` is called with a fraction from 0 to 1 and
    cancels by returning False.
    """
    meshes = two_meshes(a, b)
    options = checked(method, touching=touching, mode=mode, workers=workers, progress=progress)
    ignored = _ignored_faces(ignore, *meshes)
    first, once = _at_first(options, ignored), meshes[0] is not a and meshes[1] is not b
    query: SceneQuery | PosesQuery
    if poses is None:
        query = SceneQuery(
            (meshes[0]._shape, meshes[1]._shape),
            touching=options.touching,
            first=first,
            workers=options.workers,
            tick=options.tick,
            once=once,
        )
    else:
        query = poses_query(meshes, poses, options, first=first, once=once)
    return _of_meshes(meshes, options, query, ignored)


def self_collide(
    mesh: object,
    *,
    method: str | Detector = "bvh",
    touching: str = "include",
    mode: str = "all",
    report_duplicates: bool = False,
    ignore: object = (),
    workers: int | None = None,
    progress: Progress | None = None,
) -> Collisions:
    """All pairs of faces of one mesh that meet beyond the points they share as neighbours.

    Equal vertices count as one, by index or by coordinates. `report_duplicates` also reports
    faces with the same three corners. The other options are those of `collide`.
    """
    one = Mesh.of(mesh)
    options = checked(method, touching=touching, mode=mode, workers=workers, progress=progress)
    ignored = _ignored_faces(ignore, one, one, either_way=True)
    query = SceneQuery(
        (one._shape,),
        None,
        _FIRST_BODY,
        options.touching,
        bool(report_duplicates),
        _at_first(options, ignored),
        options.workers,
        options.tick,
    )
    return _of_meshes((one,), options, query, ignored)


def collisions_of(
    bodies: BodySet,
    options: Options,
    self_collision: bool,
    report_duplicates: bool,
    refine: str | Detector | None,
) -> Collisions:
    """The question of `Scene.collide`."""
    chosen = options.detector
    if refine is not None or "pairs" not in chosen.capabilities:
        from impinge.detectors.refine import refining

        chosen = refining(chosen, refine)
    shapes = bodies.shapes()
    query = SceneQuery(
        shapes,
        bodies.body_pairs,
        bodies.alone if self_collision else NO_BODIES,
        options.touching,
        bool(report_duplicates),
        options.first,
        options.workers,
        options.tick,
        bodies.names,
    )
    able = pair_detector(chosen, query, bodies.here, bodies.on_gpu)
    raw = answer(able.scene, query, bodies.ignored)
    return _frozen(raw, bodies.origin(chosen.name, raw.counters, raw.shapes or shapes))


def poses_query(
    meshes: tuple[Mesh, Mesh],
    poses: object,
    options: Options,
    *,
    first: bool = True,
    once: bool = False,
) -> PosesQuery:
    """The question about the second mesh in each pose."""
    a, b = meshes
    placed = as_poses(poses, reach=b._farthest())
    return PosesQuery(
        a._shape, b._shape, placed, options.touching, first, options.workers, options.tick, once
    )


def _of_meshes(
    meshes: tuple[Mesh, ...],
    options: Options,
    query: SceneQuery | PosesQuery,
    ignored: Longs | None,
) -> Collisions:
    able = pair_detector(options.detector, query, meshes)
    shapes = tuple([mesh._shape for mesh in meshes])
    poses = query.poses if isinstance(query, PosesQuery) else None
    raw = answer(able.scene if poses is None else able.poses, query, ignored, faces=True)
    if options.first and ignored is not None:
        raw = first_of_each(raw)
    origin = Origin(able.name, raw.counters, raw.shapes or shapes, meshes, poses=poses)
    return _frozen(raw, origin)


def _frozen(raw: RawPairs, origin: Origin) -> Collisions:
    pairs, kinds, bodies, pose, _, contained, _, warnings = raw
    return Collisions._of(
        pairs=pairs,
        kinds=kinds,
        pose=pose,
        _bodies=bodies,
        _origin=origin,
        contained=contained,
        warnings=warnings,
    )


def _at_first(options: Options, ignored: Longs | None) -> bool:
    """Whether the detector may stop: an ignored pair must not be the first one."""
    return options.first and ignored is None


def _ignored_faces(ignore: object, a: Mesh, b: Mesh, *, either_way: bool = False) -> Longs | None:
    """One number per ignored pair of faces; None when there are none."""
    if type(ignore) is tuple and not ignore:
        return None
    rows = as_face_pairs(ignore, counts=(len(a), len(b)))
    return pair_keys(rows, ordered=not either_way) if len(rows) else None
