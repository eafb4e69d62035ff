"""The default: trees of bounding boxes, refitted when a body moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from impinge import _core
from impinge.detectors.bvh.once import pairs_once
from impinge.detectors.common.trees import Trees
from impinge.detectors.protocol import (
    MARGIN_CAPABILITIES,
    ConfigurationsQuery,
    PosesQuery,
    SceneQuery,
)
from impinge.detectors.raw import RawPairs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from impinge._shape import Shape
    from impinge._types import Bools, Floats, Ints


class Bvh:
    """The default, ``method="bvh"``: wide SIMD trees of bounding boxes, refitted when a body moves.

    Takes every question about pairs of faces, exactly, and has no options.

    See Also
    --------
    impinge.detector

    Examples
    --------
    >>> import impinge
    >>> sheet = [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]
    >>> impinge.collide(sheet, sheet, method="bvh").method
    'bvh'
    """

    name = "bvh"
    capabilities = MARGIN_CAPABILITIES

    def scene(self, query: SceneQuery) -> RawPairs:
        if query.once:
            a, b = query.shapes
            return pairs_once(a, b, None, query)
        spent: dict[str, float] = {}
        trees = _TREES.of(query.shapes, query.workers, spent)
        pairs, bodies, kinds, counters = _core.bvh_scene(
            trees,
            [shape.placement for shape in query.shapes],
            query.body_pairs,
            query.self_bodies,
            query.touching,
            query.report_duplicates,
            query.first,
            query.workers,
            query.tick,
            query.margin,
            query.max_pairs,
        )
        return RawPairs(pairs, kinds, bodies, None, {**spent, **counters} if spent else counters)

    def poses(self, query: PosesQuery) -> RawPairs:
        if query.once and len(query.poses) == 1:
            found = pairs_once(query.a, query.b, query.poses[0], query)
            return found._replace(bodies=None, pose=np.zeros(len(found.pairs), dtype=np.int32))
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
            query.margin,
            query.max_pairs,
        )
        return RawPairs(pairs, kinds, None, pose, {**spent, **counters} if spent else counters)

    def scene_collides(self, query: SceneQuery) -> bool:
        """Whether any bodies of a `query` collide."""
        return _core.bvh_scene_collides(
            _TREES.of(query.shapes, query.workers),
            [shape.placement for shape in query.shapes],
            query.body_pairs,
            query.self_bodies,
            query.touching,
            query.report_duplicates,
            query.workers,
            query.tick,
            query.margin,
        )

    def configurations(self, query: ConfigurationsQuery) -> RawPairs:
        """All pairs of the bodies of a `query` in each of its configurations."""
        scene = query.scene
        spent: dict[str, float] = {}
        pairs, bodies, kinds, pose, counters = _core.bvh_configurations(
            *_placed(query, spent),
            scene.touching,
            scene.report_duplicates,
            scene.first,
            scene.workers,
            scene.tick,
            scene.margin,
            scene.max_pairs,
        )
        return RawPairs(pairs, kinds, bodies, pose, {**spent, **counters})

    def configurations_collide(self, query: ConfigurationsQuery) -> Bools:
        """Whether any bodies of a `query` collide, configuration by configuration."""
        scene = query.scene
        answers: Bools = _core.configurations_collide(
            *_placed(query, {}),
            scene.touching,
            scene.report_duplicates,
            scene.workers,
            scene.tick,
            scene.margin,
        )
        return answers

    def collides(self, query: PosesQuery) -> Bools:
        a, b = trees_of((query.a, query.b), query.workers)
        answers: Bools = _core.bvh_collides(
            a,
            b,
            query.poses,
            query.touching,
            query.workers,
            query.tick,
        )
        return answers


_TREES = Trees("bvh", _core.Tree, _core.build_trees)


def trees_of(
    shapes: Sequence[Shape], workers: int, counters: dict[str, float] | None = None
) -> list[_core.Tree]:
    """The trees of several shapes; what has none yet is built side by side."""
    return _TREES.of(shapes, workers, counters)


def _placed(
    query: ConfigurationsQuery, spent: dict[str, float]
) -> tuple[list[_core.Tree], list[bytes | None], Ints | None, Ints, Ints, tuple[Floats, ...], int]:
    """Bodies, pairs of them and configurations, as the core takes them."""
    scene = query.scene
    trees = _TREES.of(scene.shapes, scene.workers, spent)
    placements = [shape.placement for shape in scene.shapes]
    pairs, alone = scene.body_pairs, scene.self_bodies
    return trees, placements, pairs, alone, query.moved, query.poses, query.length


def tree_of(shape: Shape, workers: int) -> _core.Tree:
    """The tree of a shape before its pose, kept, refitted or built."""
    tree: _core.Tree = _TREES.of_one(shape, workers)
    return tree
