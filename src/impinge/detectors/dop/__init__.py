"""Trees of k-DOPs, one of them descended with lists of nodes of the other."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from impinge import _core
from impinge._options import checked_int, choice
from impinge.detectors.common.trees import Trees
from impinge.detectors.protocol import PAIR_CAPABILITIES, PosesQuery, SceneQuery
from impinge.detectors.raw import RawPairs
from impinge.errors import InputError

if TYPE_CHECKING:
    from impinge._types import Bools

SIZES = (6, 14, 18, 24, 26)
TRAVERSALS = ("list", "classic")
KERNELS = ("exact", "unit_closed", "unit_open")


class Dop:
    """Trees of k-DOPs, ``method="dop"`` (Zachmann and Knittel 2003).

    Parameters
    ----------
    k : {6, 14, 18, 24, 26}
        Number of directions; 24 by default.
    traversal : {"list", "classic"}
        "list" transforms each node of the moved tree at most once; "classic" descends both trees
        at once.
    kernel : {"exact", "unit_closed", "unit_open"}
        The test of two faces. The last two are in plain float64: the unit-triangle test with and
        without touching. They tell that faces meet but not how, report every pair as crossing, and
        give no self-collision.

    See Also
    --------
    impinge.lab.chip.Chip : The hardware of the same paper, emulated.

    Examples
    --------
    >>> import impinge
    >>> sheet = [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]
    >>> method = impinge.detector("dop", k=18, traversal="classic")
    >>> len(impinge.collide(sheet, sheet, method=method))
    1
    """

    name = "dop"

    def __init__(self, *, k: int = 24, traversal: str = "list", kernel: str = "exact") -> None:
        size = checked_int(k)
        if size not in SIZES:
            raise InputError(f"k must be one of {', '.join(map(str, SIZES))}, got {k!r}")
        self.k = size
        self.traversal = choice("traversal", traversal, {name: name for name in TRAVERSALS})
        self.kernel = choice("kernel", kernel, {name: name for name in KERNELS})
        maps = self.kernel != "exact"
        self.capabilities = PAIR_CAPABILITIES - ({"self"} if maps else set())
        self._trees = Trees(
            f"dop-{self.k}{'-maps' if maps else ''}",
            partial(_core.DopTree, k=self.k, maps=maps),
            partial(_build_all, k=self.k, maps=maps),
        )

    def scene(self, query: SceneQuery) -> RawPairs:
        spent: dict[str, float] = {}
        trees = self._trees.of(query.shapes, query.workers, spent)
        pairs, bodies, kinds, counters = _core.dop_scene(
            trees,
            [shape.placement for shape in query.shapes],
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
        return RawPairs(pairs, kinds, bodies, None, {**spent, **counters} if spent else counters)

    def poses(self, query: PosesQuery) -> RawPairs:
        spent: dict[str, float] = {}
        a, b = self._trees.of((query.a, query.b), query.workers, spent)
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
        return RawPairs(pairs, kinds, None, pose, {**spent, **counters} if spent else counters)

    def collides(self, query: PosesQuery) -> Bools:
        a, b = self._trees.of((query.a, query.b), query.workers)
        answers: Bools = _core.dop_collides(
            a,
            b,
            query.poses,
            self.kernel,
            self.traversal,
            query.touching,
            query.workers,
            query.tick,
        )
        return answers


def _build_all(*arrays: Any, **options: Any) -> list[_core.DopTree]:
    """A function of Python, since those of the core cannot be pickled, and detectors can."""
    return _core.build_dop_trees(*arrays, **options)
