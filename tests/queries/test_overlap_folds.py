"""Pieces of faces lie beside each other: none is folded over, however flush the faces are."""

from __future__ import annotations

import numpy as np
import pytest

import impinge
from support import meshes, moved_gearbox


def single(mesh: meshes.Arrays) -> meshes.Arrays:
    return mesh[0].astype(np.float32).astype(float), mesh[1]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    "names", [("cover", "bearing-idler-front"), ("housing", "cover"), ("cover", "idler-shaft")]
)
def test_pieces_are_as_large_as_they_cover(names: tuple[str, str], seed: int) -> None:
    """Faces of solids that are flush but for the rounding of float32 are cut along curves that run
    to and fro through their corners."""
    parts = moved_gearbox.gearbox()
    pose = moved_gearbox.motion(seed)
    scene = impinge.Scene()
    for name in names:
        scene.add(*single(meshes.posed(parts[name], pose)), name=name)
    (row,) = scene.check()
    pieces = row.overlap()
    if pieces is None:
        assert not row.depth
        return
    corners = pieces.vertices[pieces.faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    for surface, body in enumerate(scene):
        own = (pieces.surfaces == surface) & (pieces.parents >= 0)
        face = body.world_vertices[body.faces[pieces.parents[own]]]
        unit = np.cross(face[:, 1] - face[:, 0], face[:, 2] - face[:, 0])
        unit /= np.linalg.norm(unit, axis=1)[:, None]
        areas = (normals[own] * unit).sum(axis=1) / 2
        assert -areas[areas < 0].sum() <= 1e-9 * areas.sum()
