"""Queries about bodies that are made on the GPU: of these, only candidates are ever read back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from impinge import _core
from impinge._shape import Shape, Structures
from impinge.detectors.common.fallback import part_of
from impinge.detectors.image.geometry import Geometry
from impinge.detectors.image.gpu.scene import Triangles, uploaded
from impinge.detectors.image.pack import Candidates
from impinge.detectors.peel.exact import exact
from impinge.detectors.peel.geometry import direction_of, geometry_of
from impinge.detectors.peel.gpu.bodies_view import single_view, snap
from impinge.detectors.peel.gpu.run import stages
from impinge.detectors.peel.warnings import told
from impinge.gpu import open_device
from impinge.gpu.bodies import GpuShape, GpuVertices, ReadShape, make
from impinge.gpu.progress import transfer

if TYPE_CHECKING:
    from impinge._types import Ints, Longs, Singles
    from impinge.detectors.image.gpu.scene import GpuScene
    from impinge.detectors.image.view import View
    from impinge.detectors.peel.gpu.separate import GpuBoxes
    from impinge.detectors.peel.options import PeelOptions
    from impinge.detectors.protocol import SceneQuery
    from impinge.detectors.raw import RawPairs
    from impinge.gpu import Session

_NOTHING = Shape(np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int32), Structures())


class Read(NamedTuple):
    """What came back of one body: some faces in rising order, their corners and parts."""

    faces: Ints
    corners: Singles
    parts: Ints


class Sampled(NamedTuple):
    """What the stages on the GPU found."""

    view: View
    body: Ints
    """(k,) body of each candidate, not in order."""
    face: Ints
    """(k,) its face."""
    boxes: Ints
    """(k, 4) clipped, in subpixels."""
    read: dict[int, Read]
    """By body, of those that are made on the GPU."""
    counters: dict[str, float]


def made_pairs(
    query: SceneQuery, options: PeelOptions, tick: Callable[[float], bool] | None = None
) -> RawPairs:
    """All colliding pairs; the result's shapes have the vertices that were read, and no others.

    The exact test sees made bodies as if they had only the faces that came back, and the numbers
    of these are put right afterwards.
    """
    start = perf_counter()
    with open_device(software=True).session() as gpu:
        found = sampled(gpu, query, options, part_of(tick, 0, 2))
    packed = perf_counter()
    small, whole = list(query.shapes), list(query.shapes)
    for body, read in found.read.items():
        small[body], whole[body] = _shapes_of(query.shapes[body], read)
    less = query._replace(shapes=tuple(small))
    geometry = geometry_of(less, found.view, options)
    candidates = _renumbered(found, geometry)
    raw = exact(
        geometry,
        found.view,
        candidates,
        less,
        conservative=options.conservative,
        tick=part_of(tick, 1, 2),
    )
    pairs = raw.pairs.copy()
    for body, read in found.read.items():
        rows = raw.bodies == body
        pairs[rows] = read.faces[pairs[rows]]
    counters = {
        **transfer(found.counters, packed - start),
        **found.counters,
        "exact_seconds": perf_counter() - packed,
        **raw.counters,
    }
    raw = raw._replace(pairs=pairs, shapes=tuple(whole), counters=counters)
    if options.conservative:
        return raw
    warnings = told(query, geometry.closed, found.view.forward, counters, options)
    return raw._replace(warnings=warnings, complete=False)


def sampled(
    gpu: Session,
    query: SceneQuery,
    options: PeelOptions,
    tick: Callable[[float], bool] | None = None,
) -> Sampled:
    """The triangles that may collide, and the corners of those that are made on the GPU."""
    shapes = {b: shape for b, shape in enumerate(query.shapes) if isinstance(shape, GpuShape)}
    there = list(shapes)
    with gpu.stage("snap"):
        made = make(gpu, list(shapes.values()))
        view = _view(query, made, options)
        geometry = _geometry(query, made, there, view, options)
        triangles = _triangles(gpu, geometry, made, there, view)
    # the faces of made bodies come after all others
    first = np.cumsum([len(geometry.faces), *(len(shape.faces) for shape in made.shapes)]).tolist()
    alone = {i: first[i] for i, body in enumerate(there) if geometry.alone[body]}

    def widen(scene: GpuScene, sparse: GpuBoxes) -> None:
        if options.conservative and alone:
            _widen(gpu, scene, sparse, made, alone)

    candidates, counters = stages(
        gpu, geometry, view, options, tick=tick, triangles=triangles, widen=widen
    )
    with gpu.stage("pack"):
        here, *rows = np.split(candidates.ids, candidates.ids.searchsorted(first[:-1]))
        chosen = [own - np.int32(start) for own, start in zip(rows, first, strict=False)]
        corners = made.gather(gpu, chosen)
    read = {b: Read(own, *c) for b, own, c in zip(there, chosen, corners, strict=True)}
    bodies = [np.full_like(own.faces, body) for body, own in read.items()]
    return Sampled(
        view,
        np.concatenate([geometry.body[here], *bodies]),
        np.concatenate([geometry.face[here], *chosen]),
        candidates.boxes,
        read,
        {**gpu.counters(), **counters},
    )


def _view(query: SceneQuery, made: GpuVertices, options: PeelOptions) -> View:
    here = [shape for shape in query.shapes if not isinstance(shape, GpuShape)]
    boxes = [_core.bounds(shape.vertices, shape.faces) for shape in here if len(shape.faces)]
    boxes += [box for shape, box in zip(made.shapes, made.boxes, strict=True) if len(shape.faces)]
    points = np.concatenate([np.zeros((0, 3)), *boxes])
    faces = sum(len(shape.faces) for shape in query.shapes)
    return single_view(points, options.resolution_for(faces), direction_of(points, options))


def _geometry(
    query: SceneQuery, made: GpuVertices, there: list[int], view: View, options: PeelOptions
) -> Geometry:
    """The faces of bodies that are here, and what is known of all bodies."""
    shapes = [_NOTHING if isinstance(shape, GpuShape) else shape for shape in query.shapes]
    # nothing is left out for being far from the other bodies, since only some of them are here
    here = geometry_of(query._replace(shapes=tuple(shapes)), view, options, whole=True)
    closed = here.closed.copy()
    closed[there] = [shape.closed for shape in made.shapes]
    return replace(here, closed=closed)


def _triangles(
    gpu: Session, geometry: Geometry, made: GpuVertices, there: list[int], view: View
) -> Triangles:
    """The triangles that are here, then those of made bodies, of which nothing is sent.

    Faces of made bodies share the vertices of equal index: equal places are not known.
    """
    vertex_count, count = len(geometry.snapped), len(geometry.faces)
    total = count + sum(len(shape.faces) for shape in made.shapes)
    seen = Triangles(
        total,
        gpu.zeros(12 * vertex_count + made.vertices.nbytes),
        gpu.zeros(12 * total),
        gpu.zeros(4 * total),
    )
    if count:
        for part, whole in zip(uploaded(gpu, geometry)[1:], seen[1:], strict=True):
            gpu.copy(part, whole, part.nbytes)
    rows = [vertex_count + first for first in made.first]
    snap(gpu, made, view, seen.vertices, rows)
    for body, shape, row in zip(there, made.shapes, rows, strict=True):
        gpu.compute(
            "peel/body_faces",
            len(shape.faces),
            call=gpu.uniform(len(shape.faces), count, row, body),
            own=shape.resident.buffers(gpu).faces,
            faces=seen.faces,
            bodies=seen.bodies,
        )
        count += len(shape.faces)
    return seen


def _widen(
    gpu: Session, scene: GpuScene, sparse: GpuBoxes, made: GpuVertices, first_faces: dict[int, int]
) -> None:
    """Faces that may meet their neighbours are candidates too; rays do not look for them."""
    marked = gpu.zeros(4 * (scene.triangles // 32 + 1))
    for index, first in first_faces.items():
        made.mark_neighbours(gpu, index, marked, first)
    gpu.compute(
        "peel/body_widen",
        scene.triangles,
        {"HALF": sparse.half},
        frame=scene.frame,
        vertices=scene.vertices,
        faces=scene.faces,
        marked=marked,
        sparse=sparse.boxes,
    )


def _shapes_of(shape: Shape, read: Read) -> tuple[Shape, ReadShape]:
    """A body of the faces that were read only; and the whole one, not known elsewhere."""
    assert isinstance(shape, GpuShape)
    used, corners = np.unique(shape.faces[read.faces], return_inverse=True)
    places = np.zeros((len(used), 3))
    places[corners.reshape(-1)] = read.corners.reshape(-1, 3)
    small = Shape(places, corners.reshape(-1, 3).astype(np.int32), Structures())
    vertices = np.full((shape.resident.count, 3), np.nan)
    vertices[used] = places
    parts = np.full(len(shape.faces), -1, dtype=np.int32)
    parts[read.faces] = read.parts
    return small, ReadShape(vertices, shape.faces, parts)


def _renumbered(found: Sampled, geometry: Geometry) -> Candidates:
    """The candidates as rows of the geometry of small bodies."""
    face = found.face.copy()
    for body, read in found.read.items():
        face[found.body == body] = np.arange(len(read.faces))
    order = np.lexsort((face, found.body))
    wanted = _keys(found.body[order], face[order])
    # faces of other bodies may be left out there, far from all that came back
    known = _keys(geometry.body, geometry.face)
    rows = known.searchsorted(wanted)
    kept = rows < len(known)
    kept[kept] = known[rows[kept]] == wanted[kept]
    return Candidates(rows[kept].astype(np.int32), found.boxes[order[kept]])


def _keys(body: Ints, face: Ints) -> Longs:
    return body.astype(np.int64) << 32 | face
