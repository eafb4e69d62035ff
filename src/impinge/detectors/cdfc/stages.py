"""The stages one by one, on plain arrays.

A query runs them all in `collide`, side by side and without keeping what lies between them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from impinge import _core
from impinge.detectors.raw import RawPairs

if TYPE_CHECKING:
    from collections.abc import Callable

    from impinge._types import AnyArray, Floats, Ints, Longs
    from impinge.detectors.cdfc.options import CdfcOptions
    from impinge.detectors.protocol import SceneQuery

# centroids the centres are found from: enough for each, the rest would only move them a little
_SAMPLE, _SAMPLE_PER_CLUSTER = 2048, 96
# a centre that moves less, by the diagonal of the scene, has arrived
_TOLERANCE = 1e-3
# everything belongs to it wherever it is
ONE_CENTRE = np.zeros((1, 3))


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


def centres(
    scene: _core.Soup, options: CdfcOptions, *, start: Floats | None = None, workers: int = 0
) -> tuple[Floats, Floats]:
    """Fuzzy C-means from a seed or from given centres: (c, 3) in the frame, J of each iteration."""
    if options.clusters_for(len(scene)) == 1:
        return ONE_CENTRE, np.zeros(0)
    points, first, tolerance = begin(scene, options, start)
    return _core.fcm(points, first, options.fuzziness, options.iterations, tolerance, workers)


def begin(
    scene: _core.Soup, options: CdfcOptions, start: Floats | None
) -> tuple[Floats, Floats, float]:
    """Points for the clustering, the first centres, and how little a centre that arrived moves."""
    count = options.clusters_for(len(scene))
    points = scene.sample(max(_SAMPLE, _SAMPLE_PER_CLUSTER * count))
    if start is None or len(start) != count:
        start = _core.fcm_seed(points, count, options.seed)
    return points, np.clip(start, -1.0, 1.0), _TOLERANCE * scene.diagonal


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
