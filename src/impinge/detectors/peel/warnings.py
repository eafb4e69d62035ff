"""Why rays may have missed pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from impinge._shape import Shape
    from impinge._types import Bools, Floats
    from impinge.detectors.peel.options import PeelOptions
    from impinge.detectors.protocol import SceneQuery

# below this cosine between a ray and the normal of a face, few rays meet it
_EDGE_ON = 0.02


def told(
    query: SceneQuery,
    closed: Bools,
    forward: Floats,
    counters: Mapping[str, float],
    options: PeelOptions,
) -> tuple[str, ...]:
    """One sentence for each reason."""
    result = ["rays through the middles of pixels miss pairs that are smaller than a pixel"]
    layers = options.layers
    if layers is not None and options.deeper == "ignore" and counters["layers"] > layers:
        result.append(
            f"only the first {layers:,} of {counters['layers']:,.0f} layers were looked at"
        )
    for index, shape in enumerate(query.shapes):
        if closed[index] or shape.on_gpu:
            continue
        count = _edge_on(shape, forward)
        if count:
            name = f"body {query.names[index]!r}" if query.names else f"mesh {index}"
            result.append(
                f"{name} is open, and {count:,} of its faces are edge-on, where no ray meets them; "
                "give another direction"
            )
    return tuple(result)


def _edge_on(shape: Shape, forward: Floats) -> int:
    a, b, c = shape.vertices[shape.faces].transpose(1, 0, 2)
    normals = np.cross(b - a, c - a)
    length = np.sqrt((normals**2).sum(axis=1))
    return int(np.count_nonzero((np.abs(normals @ forward) < _EDGE_ON * length) & (length > 0)))
