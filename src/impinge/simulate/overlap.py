"""How much of two closed bodies lies in each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from impinge.mesh import Mesh
from impinge.queries.raycast import raycast

if TYPE_CHECKING:
    from impinge._types import AnyArray, Floats


def overlap_volume(a: object, b: object, *, rays: int = 64) -> float:
    """Volume common to two closed meshes or bodies [length^3].

    Exact along each of rays^2 parallel lines, so the error falls with their number.

    Parameters
    ----------
    a, b : mesh-like
        Closed surfaces, see `Mesh.of`.
    rays : int
        Lines along each of two sides of the common box.

    Returns
    -------
    float

    Examples
    --------
    >>> from impinge import simulate
    >>> box = simulate.box()
    >>> simulate.overlap_volume(box.mesh, box.moved((0.5, 0, 0)).mesh)
    0.5
    """
    meshes = [Mesh.of(a), Mesh.of(b)]
    low = np.maximum(meshes[0].bounds[0], meshes[1].bounds[0])
    high = np.minimum(meshes[0].bounds[1], meshes[1].bounds[1])
    if not (low < high).all():
        return 0.0
    # not quite in the middle of the cells: there, a line could run through many edges at once
    steps = (np.arange(rays) + 0.4837) / rays
    x, y = np.meshgrid(*(low[k] + steps * (high[k] - low[k]) for k in range(2)), indexing="ij")
    bottom = min(mesh.bounds[0, 2] for mesh in meshes) - 1.0
    starts = np.stack([x.reshape(-1), y.reshape(-1), np.full(x.size, bottom)], axis=1)
    events = [_events(mesh, starts) for mesh in meshes]
    ray, height, steps_in = (np.concatenate(parts) for parts in zip(*events, strict=True))
    which = np.repeat([0, 1], [len(one[0]) for one in events])
    order = np.lexsort((height, ray))
    ray, height = ray[order], height[order]
    # how deep each body is entered after each event; all lines begin and end outside
    inside = [np.cumsum(np.where(which[order] == k, steps_in[order], 0)) > 0 for k in range(2)]
    common = inside[0][:-1] & inside[1][:-1] & (ray[1:] == ray[:-1])
    length = float(np.diff(height)[common].sum())
    return length * float(np.prod(high[:2] - low[:2])) / rays**2


def _events(mesh: Mesh, starts: Floats) -> tuple[AnyArray, Floats, AnyArray]:
    """Ray, height and +1 (into the body) or -1 (out of it) of every crossing."""
    hits = raycast(mesh, starts, (0.0, 0.0, 1.0), mode="all")
    corners = mesh.vertices[mesh.faces[hits.face]][..., :2]
    first, second = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    up = first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]
    return hits.ray, hits.t, np.where(up < 0.0, 1, -1)
