"""The default: trees of bounding boxes, refitted when a body moves."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from impinge import _core
from impinge.detectors.protocol import CAPABILITIES, PosesQuery, RawPairs, SceneQuery

if TYPE_CHECKING:
    from impinge._shape import Shape


class Bvh:
    """Wide SIMD bounding box trees."""

    name = "bvh"
    capabilities = frozenset(CAPABILITIES)

    def scene(self, query: SceneQuery) -> RawPairs:
        spent: dict[str, float] = {}
        trees = [_tree(shape, query.workers, spent) for shape in query.shapes]
        pairs, bodies, kinds, counters = _core.bvh_scene(
            trees,
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
        pairs, pose, kinds, counters = _core.bvh_poses(
            _tree(query.a, query.workers, spent),
            _tree(query.b, query.workers, spent),
            query.poses,
            query.touching,
            query.first,
            query.workers,
            query.tick,
        )
        return RawPairs(pairs, kinds, None, pose, {**spent, **counters} if spent else counters)


def _tree(shape: Shape, workers: int, spent: dict[str, float]) -> _core.Tree:
    """The tree of a shape, kept from the last query, refitted or built; `spent` tells which."""

    def build() -> _core.Tree:
        start = perf_counter()
        tree = _core.Tree(shape.vertices, shape.faces, workers)
        _add(spent, build_seconds=perf_counter() - start, trees=1)
        return tree

    def refit(tree: _core.Tree) -> _core.Tree:
        start = perf_counter()
        rebuilt = tree.refit(shape.vertices, workers)
        _add(spent, refit_seconds=perf_counter() - start, refits=1, rebuilds=int(rebuilt))
        return tree

    return shape.structures.get("bvh", shape.vertices, build, refit)


def _add(spent: dict[str, float], **amounts: float) -> None:
    for name, amount in amounts.items():
        spent[name] = spent.get(name, 0) + amount
