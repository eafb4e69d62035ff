"""Closed meshes from loops: walls, cones and caps, welded and checked."""

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gearbox.loops import GRID, Loop, circle
from gearbox.triangulate import triangulate

# which of (u, v, w) is x, y and z; cyclic, so that counter-clockwise loops stay counter-clockwise
AXES = {"z": [0, 1, 2], "y": [1, 2, 0]}


@dataclass
class Solid:
    """Collects the faces of one part. Loops are counter-clockwise; `hole` turns a wall."""

    corners: list[NDArray[np.float64]] = field(default_factory=list)

    def cap(
        self,
        outer: Loop,
        w: float,
        *,
        holes: tuple[Loop, ...] = (),
        up: bool = True,
        axis: str = "z",
    ) -> None:
        """A planar face at height `w`, seen from above when `up`."""
        faces = triangulate(outer, holes)
        plane = np.concatenate([outer, *holes])
        points = np.column_stack([plane, np.full(len(plane), w)])
        self._add(points[faces if up else faces[:, ::-1]], axis)

    def wall(
        self,
        loop: Loop,
        low: float,
        high: float,
        *,
        hole: bool = False,
        skip: tuple[int, ...] = (),
        axis: str = "z",
    ) -> None:
        """The strip over a loop, without the edges in `skip`."""
        self.cone(loop, low, loop, high, hole=hole, skip=skip, axis=axis)

    def cone(
        self,
        lower: Loop,
        low: float,
        upper: Loop,
        high: float,
        *,
        hole: bool = False,
        skip: tuple[int, ...] = (),
        axis: str = "z",
    ) -> None:
        """The strip between two loops of equal length, at two heights or nested at the same one."""
        a = np.column_stack([lower, np.full(len(lower), low)])
        b = np.column_stack([upper, np.full(len(upper), high)])
        keep = np.setdiff1d(np.arange(len(a)), np.asarray(skip, dtype=np.int64))
        a0, a1, b0, b1 = (
            a[keep],
            np.roll(a, -1, axis=0)[keep],
            b[keep],
            np.roll(b, -1, axis=0)[keep],
        )
        quads = np.concatenate([np.stack([a0, a1, b1], axis=1), np.stack([a0, b1, b0], axis=1)])
        self._add(quads[:, ::-1] if hole else quads, axis)

    def revolve(self, profile: list[tuple[float, float]], *, sides: int = 32) -> None:
        """A closed ring of (radius, z) points, counter-clockwise with the axis at the left."""
        for (r0, z0), (r1, z1) in zip(profile, profile[1:] + profile[:1], strict=True):
            self.cone(circle(r0, sides=sides), z0, circle(r1, sides=sides), z1)

    def turn(self, profile: list[tuple[float, float]], *, sides: int = 32) -> None:
        """A turned part without a bore: (radius, z) points with z rising, ends capped."""
        for (r0, z0), (r1, z1) in pairwise(profile):
            self.cone(circle(r0, sides=sides), z0, circle(r1, sides=sides), z1)
        self.cap(circle(profile[0][0], sides=sides), profile[0][1], up=False)
        self.cap(circle(profile[-1][0], sides=sides), profile[-1][1])

    def mesh(self) -> tuple[NDArray[np.float32], NDArray[np.uint16]]:
        """Welded `(vertices, faces)`; raises when the part is not closed and turned outward."""
        corners = np.rint(np.concatenate(self.corners) * GRID).astype(np.int64)
        points, index = np.unique(corners.reshape(-1, 3), axis=0, return_inverse=True)
        faces = index.reshape(-1, 3)
        directed = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
        forward = np.unique(directed, axis=0)
        backward = np.unique(directed[:, ::-1], axis=0)
        if len(forward) != len(directed) or not np.array_equal(forward, backward):
            raise ValueError("the faces do not close: an edge lacks its neighbour")
        a, b, c = (points[faces[:, k]].astype(np.float64) for k in range(3))
        if np.einsum("ij,ij->", a, np.cross(b, c)) <= 0.0:
            raise ValueError("the faces are turned inward")
        return (points / GRID).astype(np.float32), faces.astype(np.uint16)

    def _add(self, triangles: NDArray[np.float64], axis: str) -> None:
        self.corners.append(triangles[:, :, AXES[axis]])
