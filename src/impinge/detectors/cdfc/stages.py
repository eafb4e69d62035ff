"""The stages one by one, on plain arrays.

A query runs them all in `collide`, side by side and without keeping what lies between them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from impinge import _core
from impinge.detectors.protocol import RawPairs

if TYPE_CHECKING:
    from collections.abc import Callable

    from impinge._shape import Shape
    from impinge._types import AnyArray, Floats, Ints, Longs
    from impinge.detectors.cdfc.options import CdfcOptions
    from impinge.detectors.protocol import SceneQuery

# centroids the centres are found from: enough for each, the rest would only move them a little
_SAMPLE, _SAMPLE_PER_CLUSTER = 2048, 96
# a centre that moves less, by the diagonal of the scene, has arrived
_TOLERANCE = 1e-3


class Clusters(NamedTuple):
    """Triangles of cluster l are `triangles[start[l]:start[l + 1]]`, ascending."""

    start: Longs
    triangles: Ints

    def __len__(self) -> int:
        return len(self.start) - 1

    def of(self, index: int) -> Ints:
        return self.triangles[self.start[index] : self.start[index + 1]]


class Sorted(NamedTuple):
    """The triangles of a cluster in the order in which their boxes start along the first axis."""

    triangles: Ints
    boxes: AnyArray
    """(n, 2, 3) float32."""
    overlaps: Ints
    """How many of those behind overlap each along the first axis."""
    offset: Longs
    """(n + 1,) running totals of `overlaps`."""


def soup(query: SceneQuery) -> _core.Soup:
    """All faces of the query that may collide; the id of a triangle is its row."""
    own = set(query.self_bodies.tolist())
    return _core.Soup(
        [shape.vertices for shape in query.shapes],
        [shape.faces for shape in query.shapes],
        [
            fans_of(shape, query.workers) if index in own else None
            for index, shape in enumerate(query.shapes)
        ],
        query.body_pairs,
        query.workers,
    )


def fans_of(shape: Shape, workers: int) -> _core.Fans:
    """The faces around each vertex, kept with the shape."""

    def build() -> _core.Fans:
        return _core.Fans(shape.local, shape.faces, workers)

    def update(fans: _core.Fans) -> _core.Fans:
        return fans if fans.holds(shape.local) else build()

    return shape.local_structures.get("cdfc-fans", shape.local, build, update)


def centres(
    scene: _core.Soup, options: CdfcOptions, *, start: Floats | None = None, workers: int = 0
) -> tuple[Floats, Floats]:
    """Fuzzy C-means from a seed or from given centres: (c, 3) in the frame, J of each iteration."""
    count = options.clusters_for(len(scene))
    if count == 1:
        # everything belongs to it wherever it is
        return np.zeros((1, 3)), np.zeros(0)
    points = scene.sample(max(_SAMPLE, _SAMPLE_PER_CLUSTER * count))
    if start is None or len(start) != count:
        start = _core.fcm_seed(points, count, options.seed)
    return _core.fcm(
        points,
        np.clip(start, -1.0, 1.0),
        options.fuzziness,
        options.iterations,
        _TOLERANCE * scene.diagonal,
        workers,
    )


def members(
    scene: _core.Soup, middles: Floats, options: CdfcOptions, *, workers: int = 0
) -> Clusters:
    """Overlapping lists of triangles."""
    return Clusters(
        *_core.cdfc_members(
            scene, middles, options.membership, options.least_membership, options.fuzziness, workers
        )
    )


def sort(scene: _core.Soup, triangles: Ints) -> Sorted:
    """Axes, boxes, radix sort, count and prefix sum of one cluster."""
    boxes = _core.cdfc_boxes(scene, triangles, _core.cdfc_axes(scene, triangles))
    order = _core.radix_order(np.ascontiguousarray(boxes[:, 0, 0]))
    boxes = boxes[order]
    count, offset = _core.count_overlaps(
        np.ascontiguousarray(boxes[:, 0, 0]), np.ascontiguousarray(boxes[:, 1, 0])
    )
    return Sorted(triangles[order], boxes, count, offset)


def collect(cluster: Sorted) -> tuple[Ints, int]:
    """Fill with both prunings: triangles (n, 2) whose boxes overlap; how many did along two."""
    pairs, y_pairs = _core.cdfc_collect(cluster.boxes, cluster.overlaps)
    return cluster.triangles[pairs], y_pairs


def collide(
    scene: _core.Soup,
    middles: Floats,
    query: SceneQuery,
    options: CdfcOptions,
    tick: Callable[[float], bool] | None = None,
) -> RawPairs:
    """Everything from the membership lists to the pairs, each emitted once."""
    pairs, bodies, kinds, counters = _core.cdfc_collide(
        scene,
        middles,
        options.membership,
        options.least_membership,
        options.fuzziness,
        query.touching,
        query.report_duplicates,
        query.workers,
        tick,
    )
    return RawPairs(pairs, kinds, bodies, None, counters)
