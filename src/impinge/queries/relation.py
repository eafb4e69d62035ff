"""How two solids lie to each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

import numpy as np

from impinge import _core
from impinge._arrays import as_poses
from impinge._options import ticking, worker_count
from impinge.detectors.bvh import tree_of
from impinge.errors import InputError
from impinge.queries.path import ask, two_meshes
from impinge.results.relation import Relation

if TYPE_CHECKING:
    from impinge._types import Floats, Progress, Signs
    from impinge.mesh import Mesh

_AT_REST = np.eye(4)[None]


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
    """How."""
    meshes = two_meshes(a, b)
    threads, tick = worker_count(workers), ticking(progress)
    placed = _AT_REST if poses is None else as_poses(poses, reach=meshes[1]._farthest())

    def relate() -> Signs:
        solid_a, solid_b = (solid_of(mesh, threads) for mesh in meshes)
        return _core.relations(solid_a, solid_b, placed, threads, tick)

    found = ask(tick, relate)
    return Relation(int(found[0])) if poses is None else found


def solid_of(mesh: Mesh, workers: int) -> _core.Solid:
    shape = mesh._shape
    solid = shape.local_structures.get(
        "solid", shape.local, lambda: _core.Solid(tree_of(shape, workers), workers)
    )
    if not solid.closed:
        raise InputError("not closed")
    return solid
