"""The verbs: what can be asked about meshes."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

import numpy as np

from impinge import _core
from impinge._arrays import LARGEST, as_face_pairs, as_poses
from impinge._options import includes_touching, ticking, wants_first, worker_count
from impinge.detectors.fallback import first_of_each, selected
from impinge.detectors.protocol import NO_BODIES, PosesQuery, RawPairs, SceneQuery
from impinge.detectors.registry import detector
from impinge.detectors.run import check_capabilities, collisions, run
from impinge.mesh import Mesh
from impinge.result import Collisions, Origin

if TYPE_CHECKING:
    from collections.abc import Callable

    from impinge._types import Bools, Longs, Progress
    from impinge.contacts.points import PointContacts
    from impinge.detectors import Detector

_FIRST_BODY = np.zeros(1, dtype=np.int32)
_DEFAULT_METHOD, _DEFAULT_TOUCHING, _NOTHING = "bvh", "include", ()
_YES = np.array([True])


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
    mesh_a = a if type(a) is Mesh else Mesh.of(a, argument="a")
    mesh_b = b if type(b) is Mesh else Mesh.of(b, argument="b")
    chosen = detector(method)
    touches_too, first = includes_touching(touching), wants_first(mode)
    threads, tick = worker_count(workers), ticking(progress)
    ignored = _ignored_keys(ignore, mesh_a, mesh_b)
    # ignored pairs must not be the first one: find all, then drop
    early = first and ignored is None
    shapes = (mesh_a._shape, mesh_b._shape)
    meshes = (mesh_a, mesh_b)
    once = mesh_a is not a and mesh_b is not b
    placed = None
    if poses is None:
        able = check_capabilities(chosen, meshes, needs=("first",) if early else ())
        query = SceneQuery(
            shapes, None, NO_BODIES, touches_too, False, early, threads, tick, once=once
        )
        raw = run(able.scene, query)
    else:
        needs = ("poses", "first") if early else ("poses",)
        able = check_capabilities(chosen, meshes, needs=needs)
        placed = as_poses(poses, reach=mesh_b._farthest())
        raw = run(
            able.poses,
            PosesQuery(*shapes, placed, touches_too, early, threads, tick, once),
        )
    if ignored is not None:
        raw = _without(raw, ignored, mesh_b, first)
    return collisions(raw, Origin(chosen.name, raw.counters, shapes, meshes, poses=placed))


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
    chosen = detector(method)
    touches_too, first = includes_touching(touching), wants_first(mode)
    threads, tick = worker_count(workers), ticking(progress)
    ignored = _ignored_keys(ignore, one, one, either_way=True)
    early = first and ignored is None
    able = check_capabilities(chosen, (one,), needs=("self", "first") if early else ("self",))
    query = SceneQuery(
        (one._shape,),
        None,
        _FIRST_BODY,
        touches_too,
        bool(report_duplicates),
        early,
        threads,
        tick,
    )
    raw = run(able.scene, query)
    if ignored is not None:
        raw = _without(raw, ignored, one, first)
    return collisions(raw, Origin(chosen.name, raw.counters, query.shapes, (one,)))


@overload
def touches(
    a: object,
    b: object,
    *,
    method: str | Detector = ...,
    touching: str = ...,
    poses: None = ...,
    ignore: object = ...,
    workers: int | None = ...,
    progress: Progress | None = ...,
) -> bool: ...


@overload
def touches(
    a: object,
    b: object,
    *,
    method: str | Detector = ...,
    touching: str = ...,
    poses: object,
    ignore: object = ...,
    workers: int | None = ...,
    progress: Progress | None = ...,
) -> Bools: ...


def touches(
    a: object,
    b: object,
    *,
    method: str | Detector = "bvh",
    touching: str = "include",
    poses: object = None,
    ignore: object = (),
    workers: int | None = None,
    progress: Progress | None = None,
) -> bool | Bools:
    """Whether `a` and `b` collide; with `poses` (m, 4, 4) of `b`, an array (m,) of answers.

    Stops at the first pair. The options are those of `collide`.
    """
    # One pose of meshes that were asked about before takes less time than the checks of all
    # options. Whatever is not exactly as usual, wrong or not, goes the long way below.
    if (
        method is _DEFAULT_METHOD
        and touching is _DEFAULT_TOUCHING
        and ignore is _NOTHING
        and progress is None
        and (workers is None or (type(workers) is int and workers > 0))
        and type(a) is Mesh
        and type(b) is Mesh
        and type(poses) is np.ndarray
    ):
        hit = _core.bvh_touches_one(a._tree, b._tree, poses, b._reach, LARGEST)
        if hit is not None:
            return _YES.copy() if hit else np.zeros(1, bool)
    chosen = detector(method)
    # a detector may know how to answer without naming a pair
    judge: Callable[[PosesQuery], Bools] | None = getattr(chosen, "touches", None)
    if judge is not None and poses is not None and type(ignore) is tuple and not ignore:
        mesh_a = a if type(a) is Mesh else Mesh.of(a, argument="a")
        mesh_b = b if type(b) is Mesh else Mesh.of(b, argument="b")
        check_capabilities(chosen, (mesh_a, mesh_b), needs=("poses", "first"))
        query = PosesQuery(
            mesh_a._shape,
            mesh_b._shape,
            as_poses(poses, reach=mesh_b._farthest()),
            includes_touching(touching),
            True,
            worker_count(workers),
            ticking(progress),
        )
        answers = run(judge, query)
        mesh_a._keep_tree()
        mesh_b._keep_tree()
        return answers
    hits = collide(
        a,
        b,
        method=method,
        touching=touching,
        mode="first",
        poses=poses,
        ignore=ignore,
        workers=workers,
        progress=progress,
    )
    # without poses the counts, computed when asked, are not even looked at
    if poses is None or hits.counts is None:
        return len(hits.pairs) > 0
    return hits.counts > 0


def find_contacts(
    a: object,
    b: object,
    *,
    method: str | Detector = "ray",
    workers: int | None = None,
    progress: Progress | None = None,
) -> PointContacts:
    """Where `a` and `b` press into each other: points of both, joined two by two.

    `method` is "ray" (closed meshes that overlap, however deeply), "proximity" (any meshes that
    are near each other), or an instance of a detector that finds contacts. The other arguments
    are those of `collide`. For more than two bodies, or one with itself, use `Scene.contacts`.
    """
    from impinge.scene import Scene

    meshes = (Mesh.of(a, argument="a"), Mesh.of(b, argument="b"))
    scene = Scene._of_meshes(meshes)
    return scene.contacts(method=method, workers=workers, progress=progress)


def _ignored_keys(ignore: object, a: Mesh, b: Mesh, *, either_way: bool = False) -> Longs | None:
    """One number per ignored pair of faces; None when there are none."""
    if type(ignore) is tuple and not ignore:
        return None
    rows = as_face_pairs(ignore, counts=(len(a), len(b)))
    if either_way:
        rows = np.sort(rows, axis=1)
    return rows[:, 0] * len(b) + rows[:, 1] if len(rows) else None


def _without(raw: RawPairs, ignored: Longs, b: Mesh, first: bool) -> RawPairs:
    keys = raw.pairs[:, 0].astype(np.int64) * len(b) + raw.pairs[:, 1]
    kept = selected(raw, ~np.isin(keys, ignored))
    return first_of_each(kept) if first else kept
