"""The geometry of a query on the GPU: filled triangles, edges, and what each is drawn with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from impinge.detectors.image.gpu.scene import Triangles, prepared
from impinge.errors import GpuLimitError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from impinge._types import AnyArray, Ints
    from impinge.detectors.cinder.colours import Colours
    from impinge.detectors.cinder.geometry import Geometry
    from impinge.gpu import Buffer, Session

_MOST_EDGES = 2**31 // 6
"""Six corners of each are counted."""


@dataclass(frozen=True)
class GpuScene:
    """What all passes read."""

    resolution: int
    frame: Buffer
    edges: int
    triangles: int
    layers: list[tuple[int, int]]
    """First triangle and number of triangles of each layer of bodies."""
    faces: Mapping[str, Buffer]
    """What the shaders of faces read, and those of edges."""
    lines: Mapping[str, Buffer]
    owners: Buffer
    """Of each edge: its body plus one."""

    @property
    def pixels(self) -> int:
        return self.resolution**2


def set_up(gpu: Session, geometry: Geometry, colours: Colours, resolution: int) -> GpuScene:
    """All bodies, those of a layer next to each other.

    Bodies of a layer have no pixel in common, so that each step of a pass over one body after the
    other is one draw for all of them; of bodies that have, the first is in an earlier layer.
    """
    count = len(geometry.edges)
    if count > _MOST_EDGES:
        raise GpuLimitError("a query in edges", count, "cinder", _MOST_EDGES, 'use device="cpu"')
    layer = layers_of(geometry)
    order = np.argsort(layer, kind="stable")
    arrays = (geometry.snapped, geometry.faces[order], geometry.body[order])
    uploaded = Triangles(len(geometry.faces), *(gpu.upload(array, np.int32) for array in arrays))
    no_flags = np.zeros(geometry.bodies, np.uint32)
    triangles = prepared(gpu, uploaded, no_flags, frame=(resolution, 0, 0))
    shared = {"frame": triangles.frame, "vertices": triangles.vertices}
    bodies = geometry.edge_body.astype(np.uint32) + 1
    owners = gpu.upload(bodies)
    same = np.array_equal(bodies, colours.edge)
    return GpuScene(
        resolution,
        triangles.frame,
        count,
        triangles.triangles,
        _runs(layer[order]),
        faces={
            **shared,
            "faces": triangles.faces,
            "planes": triangles.planes,
            "ranges": triangles.ranges,
            "labels": gpu.upload(colours.face[order]),
        },
        lines={
            **shared,
            "edges": gpu.upload(geometry.edges, np.int32),
            "labels": owners if same else gpu.upload(colours.edge),
        },
        owners=owners,
    )


def layers_of(geometry: Geometry) -> Ints:
    """(m,) layer of the body of each face."""
    starts = np.flatnonzero(np.diff(geometry.body, prepend=-1))
    if len(starts) == 0:
        return np.zeros(0, np.int32)
    pixels = geometry.snapped[geometry.faces, :2] >> 8
    low = np.minimum.reduceat(pixels.min(axis=1), starts)
    high = np.maximum.reduceat(pixels.max(axis=1), starts)
    layer = np.zeros(len(starts), np.int32)
    for k in range(1, len(starts)):
        meets = ((low[:k] <= high[k]) & (low[k] <= high[:k])).all(axis=1)
        layer[k] = np.where(meets, layer[:k] + 1, 0).max()
    return np.repeat(layer, np.diff(starts, append=len(geometry.body)))


def _runs(values: AnyArray) -> list[tuple[int, int]]:
    """Start and length of each run of equal values."""
    starts = np.flatnonzero(np.diff(values, prepend=-1))
    return list(zip(starts.tolist(), np.diff(starts, append=len(values)).tolist(), strict=True))
