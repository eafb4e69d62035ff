"""Which faces share a point."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from impinge._arrays import as_face_pairs, as_poses
from impinge._pairs import pair_keys
from impinge.detectors.common.fallback import first_of_each
from impinge.detectors.protocol import NO_BODIES, PosesQuery, SceneQuery
from impinge.mesh import Mesh
from impinge.queries.path import answer, checked, two_meshes
from impinge.queries.plan import pair_detector
from impinge.results.collisions import Collisions
from impinge.results.columns import Origin

if TYPE_CHECKING:
    from impinge._types import Ints, Longs, Progress
    from impinge.detectors.protocol import Detector, RawPairs
    from impinge.queries.path import Options
    from impinge.queries.plan import BodySet

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
    options = checked(method, touching, mode, workers, progress)
    ignored = _ignored_faces(ignore, *meshes)
    once = meshes[0] is not a and meshes[1] is not b
    return _of_meshes(meshes, options, ignored, poses=poses, once=once)


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
    options = checked(method, touching, mode, workers, progress, duplicates=report_duplicates)
    ignored = _ignored_faces(ignore, one, one, either_way=True)
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
    query = SceneQuery(shapes, bodies.body_pairs, alone, *options[1:], bodies.names)
    able = pair_detector(chosen, query, bodies.here, bodies.on_gpu)
    raw = answer(able.scene, query, bodies.ignored)
    return _frozen(raw, bodies.origin(chosen.name, raw.counters, raw.shapes or shapes))


def poses_query(
    meshes: tuple[Mesh, ...], poses: object, options: Options, *, once: bool = False
) -> PosesQuery:
    """The question about the second mesh in each pose."""
    a, b = meshes
    placed = as_poses(poses, reach=b._farthest())
    return PosesQuery(a._shape, b._shape, placed, options.touching, *options[3:], once)


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
    asked = options if ignored is None else options._replace(first=False)
    shapes = tuple([mesh._shape for mesh in meshes])
    placed = None
    if poses is None:
        query = SceneQuery(shapes, None, alone, *asked[1:], once=once)
        raw = answer(pair_detector(asked.detector, query, meshes).scene, query, ignored, faces=True)
    else:
        moved = poses_query(meshes, poses, asked, once=once)
        raw = answer(pair_detector(asked.detector, moved, meshes).poses, moved, ignored, faces=True)
        placed = moved.poses
    if options.first and ignored is not None:
        raw = first_of_each(raw)
    origin = Origin(asked.detector.name, raw.counters, raw.shapes or shapes, meshes, poses=placed)
    return _frozen(raw, origin)


def _frozen(raw: RawPairs, origin: Origin) -> Collisions:
    pairs, kinds, bodies, pose, _, inside, _, warnings = raw
    return Collisions(pairs, kinds, pose, bodies, origin, inside, warnings)


def _ignored_faces(ignore: object, a: Mesh, b: Mesh, *, either_way: bool = False) -> Longs | None:
    """One number per ignored pair of faces; None when there are none."""
    if type(ignore) is tuple and not ignore:
        return None
    rows = as_face_pairs(ignore, counts=(len(a), len(b)))
    return pair_keys(rows, ordered=not either_way) if len(rows) else None
