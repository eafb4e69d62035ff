"""Two meshes that are asked about once: trees of what may meet, and none of the rest."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from impinge import _core
from impinge.detectors.protocol import NO_BODIES, PosesQuery, SceneQuery
from impinge.detectors.raw import RawPairs

if TYPE_CHECKING:
    from impinge._shape import Shape
    from impinge._types import Floats


def pairs_once(a: Shape, b: Shape, pose: Floats | None, query: SceneQuery | PosesQuery) -> RawPairs:
    """The pairs of `a` and of `b` moved by a pose, as of a scene of both; keeps nothing."""
    begin = perf_counter()
    (vertices_a, faces_a, ids_a), (vertices_b, faces_b, ids_b) = _core.near_parts(
        a.local, a.faces, b.local, b.faces, pose, query.workers
    )
    found = perf_counter()
    trees = _core.build_trees([vertices_a, vertices_b], [faces_a, faces_b], query.workers)
    built = perf_counter()
    near, bodies, kinds, counters = _core.bvh_scene(
        trees,
        None,
        None,
        NO_BODIES,
        query.touching,
        False,
        query.first,
        query.workers,
        query.tick,
        0.0,
        query.max_pairs,
    )
    # ids ascend, so that what is sorted stays sorted
    pairs = np.stack([ids_a[near[:, 0]], ids_b[near[:, 1]]], axis=1)
    spent = {
        "near_seconds": found - begin,
        "near_faces": len(ids_a) + len(ids_b),
        "build_seconds": built - found,
        "trees": len(trees),
    }
    return RawPairs(pairs, kinds, bodies, None, {**spent, **counters})
