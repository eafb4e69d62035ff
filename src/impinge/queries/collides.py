"""Whether two meshes share a point."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

import numpy as np

from impinge import _core
from impinge._arrays import LARGEST
from impinge.detectors.registry import detector
from impinge.mesh import Mesh
from impinge.queries.collide import collide, poses_query
from impinge.queries.path import ask, checked, two_meshes
from impinge.queries.plan import pair_detector

if TYPE_CHECKING:
    from impinge._types import Bools, Progress
    from impinge.detectors.protocol import Detector

_DEFAULT_METHOD, _DEFAULT_TOUCHING, _NOTHING = "bvh", "include", ()
_YES = np.array([True])


@overload
def collides(
    a: object,
    b: object,
    *,
    method: str | Detector = ...,
    touching: str = ...,
    margin: float | None = ...,
    poses: None = ...,
    ignore: object = ...,
    workers: int | None = ...,
    progress: Progress | None = ...,
) -> bool: ...


@overload
def collides(
    a: object,
    b: object,
    *,
    method: str | Detector = ...,
    touching: str = ...,
    margin: float | None = ...,
    poses: object,
    ignore: object = ...,
    workers: int | None = ...,
    progress: Progress | None = ...,
) -> Bools: ...


def collides(
    a: object,
    b: object,
    *,
    method: str | Detector = "bvh",
    touching: str = "include",
    margin: float | None = None,
    poses: object = None,
    ignore: object = (),
    workers: int | None = None,
    progress: Progress | None = None,
) -> bool | Bools:
    """Whether `a` and `b` share a point, or are within a margin.

    Stops at the first pair of faces. Exact, as `impinge.collide`.

    Parameters
    ----------
    a, b : mesh-like
        See `Mesh.of`.
    poses : (m, 4, 4) array_like, optional
        Poses of `b`, world = R v + t: m questions in one call.
    method, touching, margin, ignore, workers, progress
        As for `impinge.collide`.

    Returns
    -------
    bool or (m,) ndarray of bool
        One answer, or one for each pose.

    See Also
    --------
    impinge.collide : Which faces share a point.
    impinge.distance : How far apart two meshes are.

    Examples
    --------
    >>> import impinge
    >>> import numpy as np
    >>> vertices = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    >>> mesh = impinge.Mesh(vertices, [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
    >>> poses = np.tile(np.eye(4), (3, 1, 1))
    >>> poses[:, 0, 3] = 0.5, 1.0, 1.5
    >>> impinge.collides(mesh, mesh, poses=poses).tolist()
    [True, True, False]
    >>> impinge.collides(mesh, mesh, poses=poses, touching="exclude").tolist()
    [True, False, False]
    >>> impinge.collides(mesh, mesh, poses=poses, margin=0.5).tolist()
    [True, True, True]
    """
    # One pose of meshes that were asked about before takes less time than the checks of all
    # options. Whatever is not exactly as usual, wrong or not, goes the long way below.
    if (
        margin is None
        and method is _DEFAULT_METHOD
        and touching is _DEFAULT_TOUCHING
        and ignore is _NOTHING
        and progress is None
        and (workers is None or (type(workers) is int and workers > 0))
        and type(a) is Mesh
        and type(b) is Mesh
        and type(poses) is np.ndarray
    ):
        hit = _core.bvh_collides_one(a._tree, b._tree, poses, b._reach, LARGEST)
        if hit is not None:
            return _YES.copy() if hit else np.zeros(1, bool)
    # a detector may know how to answer without naming a pair
    judge = getattr(detector(method), "collides", None) if margin is None else None
    if judge is not None and poses is not None and type(ignore) is tuple and not ignore:
        meshes = two_meshes(a, b)
        options = checked(method, touching, "first", workers, progress)
        query = poses_query(meshes, poses, options)
        pair_detector(options.detector, query, meshes)
        answers: Bools = ask(options.tick, judge, query)
        for mesh in meshes:
            if mesh._tree is None:
                mesh._keep_tree()
        return answers
    hits = collide(
        a,
        b,
        method=method,
        touching=touching,
        mode="first",
        margin=margin,
        poses=poses,
        ignore=ignore,
        workers=workers,
        progress=progress,
    )
    counts = None if poses is None else hits.counts
    return bool(hits) if counts is None else counts > 0
