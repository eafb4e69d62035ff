"""The oracle: every pair of faces with overlapping boxes, tested exactly."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from impinge import _core
from impinge._options import choice
from impinge.detectors.common.fallback import first_of_each, joined, loop_over_poses, part_of
from impinge.detectors.protocol import MARGIN_CAPABILITIES, PosesQuery, SceneQuery
from impinge.detectors.raw import RawPairs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from impinge._shape import Shape
    from impinge._types import Ints

KERNELS = ("exact", "moller", "unit_closed", "unit_open")


class Brute:
    """The oracle, ``method="brute"``: tests every pair of faces with overlapping boxes.

    Simple and obviously right; slow on large meshes. All other detectors are tested against it.

    Parameters
    ----------
    kernel : {"exact", "moller", "unit_closed", "unit_open"}
        The test of two faces of different bodies. The last three are in plain float64: "moller"
        (Möller 1997), "unit_closed" and "unit_open" (Zachmann and Knittel 2003). They tell that
        faces meet but not how, report every pair as crossing, and give no self-collision and no
        margins.

    See Also
    --------
    impinge.detectors.bvh.Bvh : The default.

    Examples
    --------
    >>> import impinge
    >>> sheet = [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]
    >>> len(impinge.collide(sheet, sheet, method=impinge.detector("brute", kernel="exact")))
    1
    """

    name = "brute"

    def __init__(self, *, kernel: str = "exact") -> None:
        self._kernel = choice("kernel", kernel, {name: name for name in KERNELS})
        exact = self._kernel == "exact"
        self.capabilities = MARGIN_CAPABILITIES - (set() if exact else {"self", "margin"})

    def scene(self, query: SceneQuery) -> RawPairs:
        start = perf_counter()
        tasks = [(int(i), int(j)) for i, j in _body_pairs(query)]
        tasks += [(int(i), int(i)) for i in query.self_bodies]
        found = joined(
            [
                self._between(query, i, j, part_of(query.tick, index, len(tasks)))
                for index, (i, j) in enumerate(tasks)
            ]
        )
        found = _sorted(found)
        if query.first:
            found = first_of_each(found)
        seconds = perf_counter() - start
        return found._replace(counters={"exact_seconds": seconds, "hits": len(found.pairs)})

    def poses(self, query: PosesQuery) -> RawPairs:
        return loop_over_poses(self.scene, query)

    def _between(
        self, query: SceneQuery, i: int, j: int, tick: Callable[[float], bool] | None
    ) -> RawPairs:
        a, b = query.shapes[i], query.shapes[j]
        if i == j:
            pairs, kinds = _core.brute_self_pairs(
                a.vertices,
                a.faces,
                query.touching,
                query.report_duplicates,
                query.workers,
                tick,
                query.margin,
            )
        else:
            pairs, kinds = _core.brute_pairs(
                a.vertices,
                a.faces,
                b.vertices,
                b.faces,
                query.touching,
                query.workers,
                tick,
                self._kernel,
                query.margin,
            )
        bodies = np.broadcast_to(np.array([i, j], dtype=np.int32), pairs.shape)
        return RawPairs(pairs, kinds, bodies, None, {})


def _body_pairs(query: SceneQuery) -> Ints:
    """(k, 2) pairs of bodies whose boxes overlap, or are within the margin."""
    if query.body_pairs is None:
        i, j = np.triu_indices(len(query.shapes), 1)
    else:
        i, j = query.body_pairs.T
    low, high = _boxes(query.shapes)
    if query.margin > 0:
        with np.errstate(over="ignore"):
            low = np.nextafter(low - query.margin, -np.inf)
    overlap = ((low[i] <= high[j]) & (low[j] <= high[i])).all(axis=1)
    return np.stack([i[overlap], j[overlap]], axis=1).astype(np.int32)


def _boxes(shapes: Sequence[Shape]) -> tuple[np.ndarray, np.ndarray]:
    # a body without faces gets an inverted box, which overlaps nothing
    low = np.full((len(shapes), 3), np.inf)
    high = np.full((len(shapes), 3), -np.inf)
    for index, shape in enumerate(shapes):
        if len(shape.faces):
            low[index] = shape.vertices.min(axis=0)
            high[index] = shape.vertices.max(axis=0)
    return low, high


def _sorted(raw: RawPairs) -> RawPairs:
    assert raw.bodies is not None
    order = np.lexsort((raw.pairs[:, 1], raw.bodies[:, 1], raw.pairs[:, 0], raw.bodies[:, 0]))
    return RawPairs(raw.pairs[order], raw.kinds[order], raw.bodies[order], None, raw.counters)
