"""Principal axes of the clusters: the sums on the GPU, the 3 x 3 eigenvectors here."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from impinge.detectors.cdfc.gpu.fuzzy import padded

if TYPE_CHECKING:
    from impinge._types import Floats, Singles
    from impinge.detectors.cdfc.gpu.members import Rows
    from impinge.detectors.cdfc.gpu.scene import GpuSoup
    from impinge.gpu import Session

_PARTS = 16
"""Workgroups of a cluster."""


def axes(gpu: Session, soup: GpuSoup, rows: Rows, centres: Floats) -> Singles:
    """(c, 3, 3) row by row, as `_core.cdfc_axes` has them."""
    return _turned(_covariances(gpu, soup, rows, centres))


def _covariances(gpu: Session, soup: GpuSoup, rows: Rows, centres: Floats) -> Floats:
    clusters = len(centres)
    moments = gpu.zeros(48 * _PARTS * clusters)
    gpu.compute(
        "cdfc/spread",
        clusters,
        {"PARTS": _PARTS},
        groups=(_PARTS, clusters),
        balls=soup.balls,
        triangles=rows.triangles,
        starts=rows.starts,
        centres=gpu.upload(padded(centres)),
        moments=moments,
    )
    parts = gpu.read(moments, np.float32).reshape(clusters, _PARTS, 12)
    x, y, z, count, xx, xy, xz, yy, yz, zz, _, _ = parts.sum(axis=1, dtype=np.float64).T
    first = np.stack([x, y, z], axis=1)
    second = np.stack([xx, xy, xz, xy, yy, yz, xz, yz, zz], axis=1).reshape(-1, 3, 3)
    mean = first / np.maximum(count, 1)[:, None]
    covariances: Floats = second - first[:, :, None] * mean[:, None, :]
    return covariances


def _turned(covariances: Floats) -> Singles:
    _, vectors = np.linalg.eigh(covariances)
    longest = vectors.transpose(0, 2, 1)[:, ::-1]
    two = longest[:, :2]
    largest = np.take_along_axis(two, np.abs(two).argmax(axis=2)[:, :, None], axis=2)
    two = two * np.where(largest < 0, -1.0, 1.0)
    third = np.cross(two[:, 0], two[:, 1])
    return np.concatenate([two, third[:, None]], axis=1).astype(np.float32)
