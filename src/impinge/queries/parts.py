"""The bodies of a scene as parts: solids in world coordinates where they are closed."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from impinge import _core
from impinge._shape import Shape
from impinge.queries.solids import check_poses
from impinge.results.check_row import OverlapPieces

if TYPE_CHECKING:
    from collections.abc import Sequence

    from impinge._types import Bools, Floats


class Part:
    """One body in its place: a tree, the solid it encloses, and what a user should know of it."""

    def __init__(self, shape: Shape, workers: int) -> None:
        faces, pose = shape.faces, shape.pose
        if pose is not None and np.linalg.det(pose[:3, :3]) < 0:
            faces = np.ascontiguousarray(faces[:, ::-1])
        self.tree = _core.Tree(shape.vertices, faces, workers=workers)
        self.solid = _core.Solid(self.tree, workers)
        self.open_edges = int(self.solid.open_edges)
        self.is_solid = bool(self.solid.closed and not self.solid.empty)


class SceneParts:
    """The parts of a scene as they were at the moment of a query."""

    def __init__(self, shapes: Sequence[Shape], names: tuple[str, ...], workers: int = 0) -> None:
        self._shapes, self._names, self._workers = tuple(shapes), names, workers
        poses = [shape.pose for shape in shapes if shape.pose is not None]
        check_poses(np.array(poses).reshape(-1, 4, 4), "the pose of bodies")

    @cached_property
    def parts(self) -> list[Part]:
        return [
            shape.structures.get("part", shape.vertices, partial(Part, shape, self._workers))
            for shape in self._shapes
        ]

    @property
    def trees(self) -> list[_core.Tree]:
        return [part.tree for part in self.parts]

    @cached_property
    def solids(self) -> Bools:
        """(n,) which parts are solids."""
        return np.array([part.is_solid for part in self.parts], dtype=bool)

    @cached_property
    def boxes(self) -> Floats:
        """(n, 2, 3) in world coordinates; NaN of a part without faces."""
        from impinge.mesh import bounds_of

        boxes = [bounds_of(shape.vertices, shape.faces) for shape in self._shapes]
        return np.array(boxes).reshape(-1, 2, 3)

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        told = []
        for name, part in zip(self._names, self.parts, strict=True):
            if part.open_edges:
                edges = "edge is" if part.open_edges == 1 else "edges are"
                told.append(
                    f"body {name!r} is open, and is taken as a surface without an inside: "
                    f"{part.open_edges:,} {edges} not used equally often in both directions; "
                    "close it (Mesh.report() lists them) to have depths and volumes"
                )
            elif not part.is_solid:
                told.append(f"body {name!r} encloses nothing, and is taken as a surface")
            elif part.solid.turned:
                told.append(
                    f"body {name!r} is inside out, and is taken as if all its faces were "
                    "turned around"
                )
        return tuple(told)

    def overlap(self, a: int, b: int) -> OverlapPieces:
        """The boundary of what two solids have in common."""
        found = _core.overlap_pieces(self.parts[a].solid, self.parts[b].solid, self._workers, None)
        return OverlapPieces(*found)

    def __getstate__(self) -> dict[str, Any]:
        return {"shapes": self._shapes, "names": self._names, "workers": self._workers}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._shapes, self._names = state["shapes"], state["names"]
        self._workers = state["workers"]
