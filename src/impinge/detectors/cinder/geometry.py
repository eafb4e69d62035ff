"""All bodies of a query in one, as a view sees them: filled faces, and edges."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from impinge import _core
from impinge.detectors.cinder.clip import clip_edges, clip_faces, outside
from impinge.detectors.cinder.view import Orthographic, snap
from impinge.detectors.common.closed import is_closed
from impinge.detectors.common.shells import mirrored, turns_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from impinge._shape import Shape
    from impinge._types import Bools, Floats, Ints
    from impinge.detectors.cinder.options import CinderOptions
    from impinge.detectors.cinder.view import Projection, View


@dataclass(frozen=True, eq=False)
class Geometry:
    """What is drawn, in the order it is drawn: body by body, face by face."""

    snapped: Ints
    """(n, 3): x and y in 1/256 pixel, depth; all within the image."""
    faces: Ints
    """(m, 3) rows of `snapped`."""
    body: Ints
    """(m,) body of each face, rising."""
    face: Ints
    """(m,) its id within the body; the parts of a clipped face have one id."""
    edges: Ints
    """(e, 2) rows of `snapped`. Each edge of a body once, in the order of its last drawing."""
    edge_body: Ints
    """(e,) rising."""
    edge_face: Ints
    """(e,) the face of the body that drew it last."""
    closed: Bools
    """Per body: every edge is used once in each direction."""
    clipped: Bools
    """Per body: whether some of it is out of view."""
    first_face: Ints
    """(bodies + 1,) faces of all bodies before: global number of a face minus its id."""
    vertices: tuple[Floats, ...]
    """Of each body, in the scene's coordinates."""
    body_faces: tuple[Ints, ...]
    turned: Bools
    """Per body: whether it is inside out as given, wholly or in part; it is drawn turned around."""
    doubtful: Bools
    """Per body: whether nobody can tell which way some of it should face."""
    known: Ints = field(default_factory=lambda: np.zeros((0, 2), dtype=np.int32))
    """(k, 2) pairs of bodies that are not looked for any more."""

    def states(self) -> dict[str, Bools]:
        """What may be wrong with bodies."""
        return {
            "open": ~self.closed,
            "clipped": self.clipped,
            "turned": self.turned,
            "doubtful": self.doubtful,
        }

    @property
    def bodies(self) -> int:
        return len(self.closed)


def projection_of(shapes: Sequence[Shape], view: View, resolution: int) -> Projection:
    """The view fitted to the shapes."""
    if any(len(shape.faces) for shape in shapes):
        if view.eye is None:
            points = _core.bounds_of_bodies(*_arrays(shapes))
        else:
            points = np.concatenate([_used(shape) for shape in shapes])
    else:
        points = np.zeros((0, 3))
    return view.fitted(points, resolution)


def geometry_of(
    shapes: Sequence[Shape], view: Projection, options: CinderOptions, workers: int = 0
) -> Geometry:
    """The shapes as they are seen."""
    wires = [_wire(shape, workers) for shape in shapes]
    starts = np.cumsum([0, *(len(shape.vertices) for shape in shapes)], dtype=np.int32)
    edges = _stacked([own + start for (own, _), start in zip(wires, starts, strict=False)], 2)
    edge_face = _stacked([own for _, own in wires])
    edge_body = np.repeat(np.arange(len(shapes), dtype=np.int32), [len(own) for own, _ in wires])
    closed = closed_of(shapes, workers)
    clipped = np.zeros(len(shapes), dtype=bool)
    vertices, body_faces = _arrays(shapes)
    first_face = np.cumsum([0, *map(len, body_faces)]).astype(np.int32)
    seen = _whole(shapes, view, workers)
    if seen is None:
        snapped, faces, rows, edges, edge_rows, clipped = _clipped(shapes, view, starts, edges)
        body, face = (table[rows] for table in _names(shapes))
        edge_body, edge_face = edge_body[edge_rows], edge_face[edge_rows]
    else:
        snapped, faces, body, face = seen
    around, turned, doubtful = _turned(shapes, closed)
    if around is not None:
        flipped = around[first_face[body] + face]
        faces = np.where(flipped[:, None], faces[:, ::-1], faces)
    if options.offset:
        nearer = snapped.copy()
        nearer[:, 2] = view.depths_nearer(snapped[:, 2], options.offset)
        edges = edges + np.int32(len(snapped))
        snapped = np.concatenate([snapped, nearer])
    return Geometry(
        snapped, faces, body, face, edges, edge_body, edge_face,
        closed, clipped, first_face, tuple(vertices), tuple(body_faces), turned, doubtful,
    )  # fmt: skip


def closed_of(shapes: Sequence[Shape], workers: int = 0) -> Bools:
    """(n,) which are closed; nothing is nowhere open."""
    return np.array([not len(s.faces) or is_closed(s, workers) for s in shapes], dtype=bool)


def _turned(shapes: Sequence[Shape], closed: Bools) -> tuple[Bools | None, Bools, Bools]:
    """Which faces of all have to be turned around, None for none; and which bodies are inside out
    as given, and in doubt."""
    turned, doubtful = np.zeros((2, len(shapes)), dtype=bool)
    around = []
    for index, shape in enumerate(shapes):
        mask = np.full(len(shape.faces), mirrored(shape))
        if closed[index] and len(shape.faces):
            own = turns_of(shape)
            turned[index], doubtful[index] = own.turned.any(), own.unclear.any()
            mask ^= own.turned_faces
        around.append(mask)
    faces = np.concatenate([np.zeros(0, dtype=bool), *around])
    return (faces if faces.any() else None), turned, doubtful


def _whole(
    shapes: Sequence[Shape], view: Projection, workers: int
) -> tuple[Ints, Ints, Ints, Ints] | None:
    """Snapped vertices, faces, their bodies and ids; None when something is out of view."""
    vertices, faces = _arrays(shapes)
    if not isinstance(view, Orthographic) or not any(map(len, faces)):
        return None
    low, high = _core.bounds_of_bodies(vertices, faces, workers)
    corners = np.stack(np.meshgrid(*zip(low, high, strict=True)), axis=-1).reshape(-1, 3)
    if outside(view.homogeneous(corners), view.resolution).any():
        return None
    image = view.image
    welded = np.zeros(len(shapes), dtype=bool)
    return _core.gather(
        vertices, faces, welded, image.centre, image.frame, image.scales,
        image.resolution, False, workers,
    )  # fmt: skip


def _clipped(
    shapes: Sequence[Shape], view: Projection, starts: Ints, edges: Ints
) -> tuple[Ints, Ints, Ints, Ints, Ints, Bools]:
    """Snapped vertices, faces and their rows, edges and their rows, and which bodies are cut."""
    faces = _stacked([shape.faces + start for shape, start in zip(shapes, starts, strict=False)], 3)
    points = view.homogeneous(np.concatenate([np.zeros((0, 3)), *_arrays(shapes)[0]]))
    codes = outside(points, view.resolution)
    cut = codes[faces].any(axis=1)
    clipped = np.zeros(len(shapes), dtype=bool)
    clipped[_names(shapes)[0][cut]] = True
    points, faces, rows = clip_faces(points, faces, view.resolution)
    points, edges, edge_rows = clip_edges(points, edges, view.resolution)
    # vertices out of view are not used any more, and some have no place in the image
    points[: len(codes)][codes != 0] = (0, 0, 0, 1)
    return snap(view, points), faces, rows, edges, edge_rows, clipped


def _names(shapes: Sequence[Shape]) -> tuple[Ints, Ints]:
    """The body of each face of all bodies, and its id there."""
    counts = [len(shape.faces) for shape in shapes]
    body = np.repeat(np.arange(len(shapes), dtype=np.int32), counts)
    return body, _stacked([np.arange(count, dtype=np.int32) for count in counts])


def _wire(shape: Shape, workers: int) -> tuple[Ints, Ints]:
    """Edges (e, 2) of a shape and the face (e,) that draws each last, kept for the next query."""
    return shape.local_structures.get(
        "edges", shape.local, lambda: _core.edges(shape.local, shape.faces, workers)
    )


def _used(shape: Shape) -> Floats:
    used = np.zeros(len(shape.vertices), dtype=bool)
    used[shape.faces] = True
    return shape.vertices[used]


def _arrays(shapes: Sequence[Shape]) -> tuple[list[Floats], list[Ints]]:
    return [shape.vertices for shape in shapes], [shape.faces for shape in shapes]


def _stacked(parts: list[Ints], *width: int) -> Ints:
    return np.concatenate([np.zeros((0, *width), dtype=np.int32), *parts]).astype(
        np.int32, copy=False
    )
