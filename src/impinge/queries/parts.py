"""The bodies of a scene as parts of an assembly: in world coordinates, closed where they can be."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from impinge import _core
from impinge._arrays import reach_of, read_only
from impinge._shape import Shape, Structures
from impinge._text import counted
from impinge.detectors.bvh import trees_of
from impinge.queries.solids import check_poses
from impinge.results.check_row import OverlapPieces

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from impinge._types import Bools, Floats, Ints

ROUNDING = 2.0**-40
"""Seams up to this width, in sizes of the largest coordinate, are welded without a stated
precision: what some thousand roundings of float64 leave."""
SMALL_HOLE = 0.05
"""Holes with an outline up to this length, in diagonals of the part, are filled."""


class Closing(NamedTuple):
    """A mesh with seams welded and small holes filled; as it was when that does not close it."""

    vertices: Floats
    faces: Ints
    """Those that fill holes come last."""
    open_edges: int
    """That are left."""
    holes: int
    """That were filled."""


class Part(NamedTuple):
    """A body in its place."""

    shape: Shape
    """In world coordinates, without a pose."""
    face_count: int
    """Of the mesh as it was given."""
    closing: Closing


class SceneParts:
    """The bodies of a scene as they are now; what is asked about is made into a part."""

    def __init__(
        self, shapes: Sequence[Shape], names: tuple[str, ...], precisions: Floats, workers: int
    ) -> None:
        self._shapes, self.names, self.workers = tuple(shapes), names, workers
        self.precisions = precisions
        self._parts: dict[int, Part] = {}
        self._solids: dict[int, _core.Solid] = {}

    def prepare(self, bodies: Iterable[int]) -> None:
        """Make parts of these bodies, and solids of them."""
        new = [body for body in bodies if body not in self._parts]
        poses = [self._shapes[body].pose for body in new]
        placed = [np.eye(4) if pose is None else pose for pose in poses]
        check_poses(np.array(placed).reshape(-1, 4, 4), "the pose of bodies")
        for body in new:
            self._parts[body] = part_of(self._shapes[body], self.precisions[body], self.workers)
        shapes = [self._parts[body].shape for body in new]
        for body, solid in zip(new, _solids(shapes, self.workers), strict=True):
            self._solids[body] = solid

    def shape(self, body: int) -> Shape:
        """As a part if it was prepared, else as it was."""
        part = self._parts.get(body)
        return self._shapes[body] if part is None else part.shape

    @property
    def shapes(self) -> tuple[Shape, ...]:
        return tuple(self.shape(body) for body in range(len(self._shapes)))

    def solid(self, body: int) -> _core.Solid:
        self.prepare([body])
        return self._solids[body]

    def is_solid(self, body: int) -> bool:
        """Whether it is closed, and encloses something."""
        solid = self.solid(body)
        return bool(solid.closed and not solid.empty)

    def are_solids(self, pairs: Ints) -> Bools:
        """(k,) whether both parts of a pair are."""
        known = np.zeros(len(self._shapes), dtype=bool)
        used = np.unique(pairs).tolist()
        known[used] = [self.is_solid(body) for body in used]
        both: Bools = np.asarray(known[pairs].all(axis=1))
        return both

    def sagittas(self, body: int) -> Floats:
        """(faces,) how far each face of a part may be from a round surface."""
        shape = self.shape(body)
        make = partial(_core.sagittas, shape.local, shape.faces, self.workers)
        return shape.local_structures.get("sagittas", shape.local, make)

    def boxes(self) -> Floats:
        """(n, 2, 3) in world coordinates; inside out for bodies without faces."""
        boxes = np.array([_box(shape) for shape in self._shapes]).reshape(-1, 2, 3)
        boxes[np.isnan(boxes[:, 0, 0])] = [[np.inf] * 3, [-np.inf] * 3]
        return boxes

    def face_limits(self) -> Ints:
        """(n,) faces of each body as it was given; a part may have more."""
        counts = [len(shape.faces) for shape in self._shapes]
        return np.array(counts, dtype=np.int32)

    def warnings(self) -> list[str]:
        """What was done to parts, and what cannot be told of them."""
        told = []
        for body, part in sorted(self._parts.items()):
            name, solid, closing = f"body {self.names[body]!r}", self._solids[body], part.closing
            if closing.open_edges:
                edges = "edge is" if closing.open_edges == 1 else "edges are"
                told.append(
                    f"{name} is open, and is taken as a surface without an inside: "
                    f"{closing.open_edges:,} {edges} not used equally often in both directions; "
                    "close it (Mesh.report() lists them) to have depths and volumes"
                )
            elif not self.is_solid(body):
                told.append(
                    f"{name} encloses nothing, and is taken as a surface; "
                    "give it an inside to have depths and volumes"
                )
            elif solid.turned:
                told.append(
                    f"{name} is inside out, and is taken as if all its faces were turned around"
                )
            if closing.holes:
                told.append(
                    f"{name} had {counted(closing.holes, 'small hole')}, and is taken as if "
                    f"{'it was' if closing.holes == 1 else 'they were'} filled"
                )
        return told

    def overlap(self, a: int, b: int) -> OverlapPieces:
        """The boundary of what two solids have in common."""
        vertices, faces, surfaces, parents = _core.overlap_pieces(
            self.solid(a), self.solid(b), self.workers, None
        )
        filled = parents >= self.face_limits()[[a, b]][surfaces]
        return OverlapPieces(vertices, faces, surfaces, np.where(filled, -1, parents))

    def __getstate__(self) -> dict[str, Any]:
        # what is made of the shapes is made again when asked
        return {
            "shapes": self._shapes,
            "names": self.names,
            "precisions": self.precisions,
            "workers": self.workers,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state)  # type: ignore[misc]


def part_of(shape: Shape, precision: float, workers: int) -> Part:
    """The part that a body is, with the precision of its mesh before the pose."""
    make = partial(_placed, shape, precision, workers)
    return shape.structures.get(f"part {precision!r}", shape.vertices, make)


def _placed(shape: Shape, precision: float, workers: int) -> Part:
    make = partial(_closed, shape, precision, workers)
    closing = shape.local_structures.get(f"closed {precision!r}", shape.local, make)
    vertices, faces, pose = closing.vertices, closing.faces, shape.pose
    unmoved = vertices is shape.local
    if pose is None:
        # a body that deforms refits its tree later, when a check still needs that of this moment
        if unmoved and faces is shape.faces and not shape.deformed:
            return Part(shape, len(faces), closing)
    else:
        vertices = shape.vertices if unmoved else _core.transform(vertices, pose)
        if np.linalg.det(pose[:3, :3]) < 0:
            # seen from outside they run around as before
            faces = np.ascontiguousarray(faces[:, ::-1])
    for array in (vertices, faces):
        read_only(array)
    return Part(Shape(vertices, faces, Structures()), len(shape.faces), closing)


def _closed(shape: Shape, precision: float, workers: int) -> Closing:
    vertices, faces = shape.local, shape.faces
    # each of two vertices that are one may be off by the precision
    seam = max(2 * precision, ROUNDING * reach_of(vertices))
    low, high = _bounds(shape.local_structures, vertices, faces)
    hole = SMALL_HOLE * float(np.linalg.norm(high - low)) if len(faces) else 0.0
    moved, filled, _, left, _, holes = _core.close_surface(vertices, faces, seam, hole, workers)
    if len(moved):
        vertices = moved
    if len(filled):
        faces = np.concatenate((faces, filled))
    return Closing(vertices, faces, left, holes)


def _solids(shapes: Sequence[Shape], workers: int) -> list[_core.Solid]:
    """What each shape, which has no pose, encloses; what is new is made side by side."""
    trees = trees_of(shapes, workers)
    kept = [shape.local_structures.kept("pair_solid", shape.local) for shape in shapes]
    new = {id(shape.local_structures): row for row, shape in enumerate(shapes) if kept[row] is None}
    rows = list(new.values())
    for row, solid in zip(rows, _core.build_solids([trees[i] for i in rows], workers), strict=True):
        shape = shapes[row]
        shape.local_structures.get("pair_solid", shape.local, partial(_same, solid))
    return [shape.local_structures.kept("pair_solid", shape.local) for shape in shapes]


def _same(solid: _core.Solid) -> _core.Solid:
    return solid


def _box(shape: Shape) -> Floats:
    return _bounds(shape.structures, shape.vertices, shape.faces)


def _bounds(structures: Structures, vertices: Floats, faces: Ints) -> Floats:
    return structures.get("bounds", vertices, partial(_core.bounds, vertices, faces))
