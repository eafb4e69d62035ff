"""The default: trees of bounding boxes, refitted when a body moves."""

from __future__ import annotations

from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from impinge import _core
from impinge.detectors.protocol import PAIR_CAPABILITIES, PosesQuery, RawPairs, SceneQuery

if TYPE_CHECKING:
    from collections.abc import Sequence

    from impinge._shape import Shape
    from impinge._types import Bools, Floats

_IDENTITY = np.eye(4)


class Bvh:
    """Wide SIMD bounding box trees."""

    name = "bvh"
    capabilities = PAIR_CAPABILITIES

    def scene(self, query: SceneQuery) -> RawPairs:
        spent: dict[str, float] = {}
        trees = trees_of(query.shapes, query.workers, spent)
        pairs, bodies, kinds, counters = _core.bvh_scene(
            trees,
            _poses(query.shapes),
            query.body_pairs,
            query.self_bodies,
            query.touching,
            query.report_duplicates,
            query.first,
            query.workers,
            query.tick,
        )
        return RawPairs(pairs, kinds, bodies, None, {**spent, **counters} if spent else counters)

    def poses(self, query: PosesQuery) -> RawPairs:
        spent: dict[str, float] = {}
        a, b = trees_of((query.a, query.b), query.workers, spent)
        pairs, pose, kinds, counters = _core.bvh_poses(
            a,
            b,
            query.poses,
            query.touching,
            query.first,
            query.workers,
            query.tick,
        )
        return RawPairs(pairs, kinds, None, pose, {**spent, **counters} if spent else counters)

    def touches(self, query: PosesQuery) -> Bools:
        a, b = trees_of((query.a, query.b), query.workers)
        answers: Bools = _core.bvh_touches(
            a,
            b,
            query.poses,
            query.touching,
            query.workers,
            query.tick,
        )
        return answers


def trees_of(
    shapes: Sequence[Shape], workers: int, counters: dict[str, float] | None = None
) -> list[_core.Tree]:
    """The trees of several shapes; what has none yet is built side by side."""
    kept = [shape.local_structures.kept("bvh", shape.local) for shape in shapes]
    if None not in kept:
        return kept
    spent = {} if counters is None else counters
    # shapes of one mesh share their structures
    new = {
        id(shape.local_structures): shape
        for shape in shapes
        if not shape.local_structures.holds("bvh")
    }
    if len(new) > 1:
        start = perf_counter()
        built = _core.build_trees(
            [shape.local for shape in new.values()],
            [shape.faces for shape in new.values()],
            workers,
        )
        _add(spent, build_seconds=perf_counter() - start, trees=len(new))
        for shape, tree in zip(new.values(), built, strict=True):
            shape.local_structures.get("bvh", shape.local, partial(_same, tree))
    return [tree_of(shape, workers, spent) for shape in shapes]


def tree_of(shape: Shape, workers: int, counters: dict[str, float] | None = None) -> _core.Tree:
    """The tree of a shape before its pose, kept, refitted or built; `counters` tell which."""
    kept: _core.Tree | None = shape.local_structures.kept("bvh", shape.local)
    if kept is not None:
        return kept
    spent = {} if counters is None else counters

    def build() -> _core.Tree:
        start = perf_counter()
        tree = _core.Tree(shape.local, shape.faces, workers)
        _add(spent, build_seconds=perf_counter() - start, trees=1)
        return tree

    def refit(tree: _core.Tree) -> _core.Tree:
        start = perf_counter()
        rebuilt = tree.refit(shape.local, workers)
        _add(spent, refit_seconds=perf_counter() - start, refits=1, rebuilds=int(rebuilt))
        return tree

    return shape.local_structures.get("bvh", shape.local, build, refit)


def _same(tree: _core.Tree) -> _core.Tree:
    return tree


def _poses(shapes: tuple[Shape, ...]) -> Floats | None:
    """(b, 4, 4): trees stay in local coordinates, so that moving a rigid body costs nothing."""
    poses = [shape.pose for shape in shapes if shape.pose is not None]
    if not poses:
        return None
    return np.array([_IDENTITY if shape.pose is None else shape.pose for shape in shapes])


def _add(spent: dict[str, float], **amounts: float) -> None:
    for name, amount in amounts.items():
        spent[name] = spent.get(name, 0) + amount
