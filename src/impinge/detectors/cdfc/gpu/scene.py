"""The soup of a query on the GPU."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from impinge import _core
    from impinge.gpu import Buffer, Session

_UNITS = 2.0**24
"""Of a coordinate in the frame, as in cdfc/points.wgsl."""


@dataclass(frozen=True)
class GpuSoup:
    """Buffers that the stages read."""

    triangles: int
    balls: Buffer
    """Centroid and radius of each triangle."""
    points: Buffer
    """Vertices, in whole numbers."""
    corners: Buffer
    """Three points and the body of each triangle."""

    def __len__(self) -> int:
        return self.triangles


def uploaded(gpu: Session, soup: _core.Soup) -> GpuSoup:
    balls = np.column_stack([soup.centroids, soup.radii])
    corners = np.column_stack([soup.corners, soup.owners[:, 0]])
    # vertices without a face may be far outside
    inside = np.clip(soup.points, -1, 1)
    points = np.rint(inside * np.float64(_UNITS)).astype(np.int32)
    return GpuSoup(
        len(soup), gpu.upload(balls, np.float32), gpu.upload(points), gpu.upload(corners, np.int32)
    )
