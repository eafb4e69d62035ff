"""What the questions about points have in common: the points, and the solid they are asked of."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, TypeVar

from impinge import _core
from impinge._arrays import check_coordinates, unchecked_points
from impinge._options import ticking, worker_count
from impinge.detectors.bvh import tree_of
from impinge.errors import InputError
from impinge.mesh import Mesh
from impinge.queries.path import ask

if TYPE_CHECKING:
    from collections.abc import Callable

    from impinge._types import Progress

T = TypeVar("T")

# from the call that warns up to that of the user
_USER = 6


class PointQuery:
    """Points (m, 3) and the mesh they are asked about."""

    __slots__ = ("mesh", "points", "tick", "workers")

    def __init__(
        self, mesh: object, points: object, workers: int | None, progress: Progress | None
    ) -> None:
        self.mesh = Mesh.of(mesh)
        self.points = unchecked_points(points)
        self.workers = worker_count(workers)
        self.tick = ticking(progress)

    def ask(self, work: Callable[[PointQuery], T]) -> T:
        """Do the work; numbers that are wrong are told by their row."""
        try:
            return ask(self.tick, work, self)
        except ValueError:
            # the core sees on its way that a number is wrong, and here is told which
            check_coordinates(self.points, "points", what="point")
            raise

    def tree(self) -> _core.Tree:
        return tree_of(self.mesh._shape, self.workers)

    def solid(self) -> tuple[_core.Tree, bool]:
        """The tree of a mesh that is closed, and whether it is turned, which is told."""
        tree = self.tree()
        shape = self.mesh._shape
        judged = shape.structures.get("solid", shape.vertices, lambda: _core.solid(tree))
        open_edges, turned = judged
        name = f"mesh {self.mesh.name!r}" if self.mesh.name else "mesh"
        if open_edges:
            edges = "edge is" if open_edges == 1 else "edges are"
            raise InputError(
                f"{name} is open and has no inside: {open_edges:,} {edges} not used equally often "
                "in both directions; close it (mesh.report() lists its open and flipped edges), or "
                "ask nearest(mesh, points), which takes any mesh"
            )
        if turned:
            warnings.warn(
                f"{name} is inside out, and is taken as if all its faces were turned around",
                stacklevel=_USER,
            )
        return tree, turned
