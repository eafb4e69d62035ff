"""All bodies of a query in one: snapped vertices and the faces that are sampled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from impinge import _core
from impinge.detectors.peel.view import View
from impinge.mesh import bounds_of

if TYPE_CHECKING:
    from impinge._types import Bools, Ints
    from impinge.detectors.peel.options import PeelOptions
    from impinge.detectors.protocol import SceneQuery


@dataclass(frozen=True, eq=False)
class Geometry:
    """What is sampled. The id of a triangle is its row in `faces`; ids rise with body and face."""

    snapped: Ints
    """(n, 3) vertices of all bodies, see `View.snap`."""
    faces: Ints
    """(m, 3) rows of `snapped`; equal vertices of a body that is `alone` have one row."""
    body: Ints
    """(m,) body of each face."""
    face: Ints
    """(m,) its id within the body."""
    closed: Bools
    """Per body: every edge is used once in each direction. False when nobody asks."""
    alone: Bools
    """Per body: whether it is checked against itself."""


def view_of(query: SceneQuery, options: PeelOptions) -> View:
    """The view that all bodies are seen in."""
    faces = sum(len(shape.faces) for shape in query.shapes)
    corners = [bounds_of(shape.vertices, shape.faces) for shape in query.shapes if len(shape.faces)]
    points = np.concatenate([np.zeros((0, 3)), *corners])
    return View.fit(points, options.resolution_for(faces), options.direction)


def geometry_of(query: SceneQuery, view: View, options: PeelOptions) -> Geometry:
    """The bodies of the query as they are seen."""
    shapes = query.shapes
    alone = np.zeros(len(shapes), dtype=bool)
    alone[query.self_bodies] = True
    counts = [len(shape.faces) for shape in shapes]
    offsets = np.cumsum([0, *(len(shape.vertices) for shape in shapes)])
    nothing = np.zeros((0, 3))
    parts = []
    for shape, offset, asked in zip(shapes, offsets, alone, strict=False):
        faces = _core.weld(shape.vertices)[shape.faces] if asked else shape.faces
        parts.append(faces.reshape(-1, 3) + np.int32(offset))
    return Geometry(
        snapped=view.snap(np.concatenate([nothing, *(shape.vertices for shape in shapes)])),
        faces=np.concatenate([nothing.astype(np.int32), *parts]),
        body=np.repeat(np.arange(len(shapes), dtype=np.int32), counts),
        face=np.concatenate([np.arange(count, dtype=np.int32) for count in (0, *counts)]),
        closed=np.zeros(len(shapes), dtype=bool),
        alone=alone,
    )
