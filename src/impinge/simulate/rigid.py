"""Mass, middle and inertia of closed surfaces."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from impinge.errors import InputError

if TYPE_CHECKING:
    from impinge._types import Floats
    from impinge.mesh import Mesh


class MassProperties(NamedTuple):
    mass: float
    center: Floats
    """(3,)"""
    inertia: Floats
    """(3, 3) about the center."""


def mass_properties(mesh: Mesh, density: float) -> MassProperties:
    """Of the volume inside a closed, outward surface, filled evenly."""
    report = mesh.report()
    if not (report.closed and report.oriented):
        raise InputError(
            f"a rigid body needs a closed mesh with faces turned outward, {mesh.name!r} is not; "
            "see mesh.report()"
        )
    corners = mesh.vertices[mesh.faces]
    origin = corners.mean(axis=(0, 1))
    corners = corners - origin
    # tetrahedra from the origin to the faces; those seen from behind count negative
    volumes = np.einsum("nk,nk->n", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6.0
    volume = float(volumes.sum())
    if not volume > 0.0:
        raise InputError(f"the faces of {mesh.name!r} are turned inward; turn them around")
    sums = corners.sum(axis=1)
    center = np.einsum("n,nk->k", volumes, sums) / (4.0 * volume)
    squares = np.einsum("nia,nib->nab", corners, corners) + sums[:, :, None] * sums[:, None]
    second = np.einsum("n,nab->ab", volumes, squares) / 20.0
    second -= volume * np.outer(center, center)
    inertia = density * (np.trace(second) * np.eye(3) - second)
    return MassProperties(density * volume, origin + center, inertia)
