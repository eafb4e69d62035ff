"""Where each colliding pair of faces meets."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from impinge import _core
from impinge._arrays import read_only
from impinge.results.polygons import Polygons

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from impinge._shape import Shape
    from impinge._types import Bytes, Floats, Ints, Longs
    from impinge.results.columns import Origin

# triangles are gathered in parts, to keep memory low with millions of pairs
PART = 1 << 17


class Intersections(NamedTuple):
    segments: Floats
    """(n, 2, 3) the two ends of each meeting; equal ends for a point."""
    polygons: Polygons


def intersect(
    origin: Origin, pairs: Ints, bodies: Ints, kinds: Bytes, pose: Ints | None
) -> Intersections:
    """Segments and polygons of pairs (n, 2) of faces of bodies (n, 2), in poses (n,)."""
    segments = np.zeros((len(pairs), 2, 3))
    points = [np.zeros((0, 3))]
    offsets = np.zeros(len(pairs) + 1, dtype=np.int64)
    for part, a, b in _parts(origin, pairs, bodies, pose):
        segments[part], outline, ends = _core.intersections(a, b, kinds[part])
        offsets[part.start + 1 : part.stop + 1] = ends[1:] + offsets[part.start]
        points.append(outline)
    read_only(segments)
    return Intersections(segments, Polygons(np.concatenate(points), offsets))


def separations(
    origin: Origin, pairs: Ints, bodies: Ints, pose: Ints | None
) -> tuple[Floats, Floats]:
    """Distances (n,) and closest points (n, 2, 3) of pairs (n, 2), which are as in `intersect`."""
    distances, points = np.zeros(len(pairs)), np.zeros((len(pairs), 2, 3))
    for part, a, b in _parts(origin, pairs, bodies, pose):
        distances[part], points[part] = _core.triangle_distances(a, b, 0)
    read_only(points)
    return distances, points


def _parts(
    origin: Origin, pairs: Ints, bodies: Ints, pose: Ints | None
) -> Iterator[tuple[slice, Floats, Floats]]:
    """Rows, and the triangles (n, 3, 3) of both faces of each."""
    for start in range(0, len(pairs), PART):
        part = slice(start, min(start + PART, len(pairs)))
        where = None if pose is None else pose[part]
        a = triangles(origin, bodies[part, 0], pairs[part, 0], where)
        b = triangles(origin, bodies[part, 1], pairs[part, 1], where)
        yield part, a, b


def triangles(origin: Origin, bodies: Ints, faces: Ints, pose: Ints | None) -> Floats:
    """(n, 3, 3) world coordinates of faces (n,) of bodies (n,), in poses (n,) if there are any."""
    corners = _gathered(origin.shapes, bodies, faces)
    if origin.poses is None or origin.moved is None or pose is None:
        return corners
    columns = np.full(len(origin.shapes), -1)
    columns[origin.moved] = np.arange(len(origin.moved))
    rows = np.flatnonzero(columns[bodies] >= 0)
    places = pose[rows].astype(np.int64) * len(origin.moved) + columns[bodies[rows]]
    corners[rows] = moved(corners[rows], origin.poses.reshape(-1, 4, 4), places)
    return corners


def _gathered(shapes: Sequence[Shape], bodies: Ints, faces: Ints) -> Floats:
    result = np.zeros((len(faces), 3, 3))
    # one gather per body, of runs of equal bodies
    order = np.argsort(bodies, kind="stable")
    present, starts = np.unique(bodies[order], return_index=True)
    for body, rows in zip(present, np.split(order, starts[1:]), strict=True):
        shape = shapes[body]
        result[rows] = shape.vertices[shape.faces[faces[rows]]]
    return result


def moved(corners: Floats, poses: Floats, pose: Longs) -> Floats:
    """Triangles (n, 3, 3), each moved by its pose, in the operation order of the core."""
    x, y, z = (corners[:, :, k] for k in range(3))
    result = np.zeros_like(corners)
    for k in range(3):
        rx, ry, rz, t = (poses[pose, k, column][:, None] for column in range(4))
        result[:, :, k] = ((rx * x + ry * y) + rz * z) + t
    return result
