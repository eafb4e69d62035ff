"""Trees of k-DOPs, one of them descended with lists of nodes of the other."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from impinge import _core
from impinge._options import choice
from impinge.detectors.protocol import PAIR_CAPABILITIES, PosesQuery, RawPairs, SceneQuery
from impinge.errors import InputError

if TYPE_CHECKING:
    from impinge._shape import Shape
    from impinge._types import Floats

SIZES = (6, 14, 18, 24, 26)
TRAVERSALS = ("list", "classic")
KERNELS = ("exact", "unit_closed", "unit_open")

_IDENTITY = np.eye(4)


class Dop:
    """k-DOP trees (Zachmann and Knittel 2003).

    `k` is the number of directions: 6, 14, 18, 24 or 26. `traversal` is "list", which transforms
    each node of the moved tree at most once, or "classic", which descends both trees at once.
    `kernel` is the test of two faces: "exact", or in plain float64 "unit_closed" and "unit_open",
    the unit-triangle test with and without touching. These two tell that faces meet but not how,
    report every pair as crossing, and cannot judge neighbours: self-collision is asked of the
    exact kernel only.
    """

    name = "dop"

    def __init__(self, *, k: int = 24, traversal: str = "list", kernel: str = "exact") -> None:
        if isinstance(k, bool) or k not in SIZES:
            raise InputError(f"k must be one of {', '.join(map(str, SIZES))}, got {k!r}")
        self.k = int(k)
        self.traversal = choice("traversal", traversal, {name: name for name in TRAVERSALS})
        self.kernel = choice("kernel", kernel, {name: name for name in KERNELS})
        exact = self.kernel == "exact"
        self.capabilities = PAIR_CAPABILITIES - (set() if exact else {"self"})

    def scene(self, query: SceneQuery) -> RawPairs:
        spent: dict[str, float] = {}
        trees = [self.tree_of(shape, query.workers, spent) for shape in query.shapes]
        pairs, bodies, kinds, counters = _core.dop_scene(
            trees,
            _poses(query.shapes),
            query.body_pairs,
            query.self_bodies,
            self.kernel,
            self.traversal,
            query.touching,
            query.report_duplicates,
            query.first,
            query.workers,
            query.tick,
        )
        return RawPairs(pairs, kinds, bodies, None, {**spent, **counters})

    def poses(self, query: PosesQuery) -> RawPairs:
        spent: dict[str, float] = {}
        a, b = (self.tree_of(shape, query.workers, spent) for shape in (query.a, query.b))
        pairs, pose, kinds, counters = _core.dop_poses(
            a,
            b,
            query.poses,
            self.kernel,
            self.traversal,
            query.touching,
            query.first,
            query.workers,
            query.tick,
        )
        return RawPairs(pairs, kinds, None, pose, {**spent, **counters})

    def tree_of(
        self, shape: Shape, workers: int, counters: dict[str, float] | None = None
    ) -> _core.DopTree:
        """The tree of a shape before its pose, kept, refitted or built; `counters` tell which."""
        maps = self.kernel != "exact"
        spent = {} if counters is None else counters

        def build() -> _core.DopTree:
            start = perf_counter()
            tree = _core.DopTree(shape.local, shape.faces, self.k, maps, workers)
            _add(spent, build_seconds=perf_counter() - start, trees=1)
            return tree

        def refit(tree: _core.DopTree) -> _core.DopTree:
            start = perf_counter()
            rebuilt = tree.refit(shape.local, workers)
            _add(spent, refit_seconds=perf_counter() - start, refits=1, rebuilds=int(rebuilt))
            return tree

        key = f"dop-{self.k}{'-maps' if maps else ''}"
        return shape.local_structures.get(key, shape.local, build, refit)


def _poses(shapes: tuple[Shape, ...]) -> Floats | None:
    """(b, 4, 4): trees stay in local coordinates, so that moving a rigid body costs nothing."""
    if all(shape.pose is None for shape in shapes):
        return None
    return np.array([_IDENTITY if shape.pose is None else shape.pose for shape in shapes])


def _add(spent: dict[str, float], **amounts: float) -> None:
    for name, amount in amounts.items():
        spent[name] = spent.get(name, 0) + amount
