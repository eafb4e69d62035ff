"""Pairs of closed bodies for the tests of contacts."""

from __future__ import annotations

import numpy as np

import impinge
from support import meshes
from support.meshes import Arrays


def torus() -> Arrays:
    """The torus of the paper: 1,600 faces."""
    return meshes.torus(40, 20, major=1.0, minor=0.35)


def turned(mesh: Arrays, seed: int, offset: object = (0, 0, 0)) -> Arrays:
    rotation = meshes.rotation(np.random.default_rng(seed))
    return meshes.arrays(mesh[0] @ rotation.T + np.asarray(offset), mesh[1])


def bumpy(mesh: Arrays, seed: int, size: float = 0.01) -> Arrays:
    """So that no two hits are equally far away."""
    rng = np.random.default_rng(seed)
    return meshes.arrays(mesh[0] + rng.normal(0, size, mesh[0].shape), mesh[1])


OVERLAPS: dict[str, tuple[Arrays, Arrays]] = {
    "tori side by side": (torus(), meshes.moved(torus(), (2.4, 0.1, 0.05))),
    "tori on each other": (torus(), meshes.moved(torus(), (0.05, 0.02, 0.5))),
    "tori deep": (torus(), turned(torus(), 3, (0.4, 0.2, 0.1))),
    "tori linked": (torus(), turned(torus(), 5, (1.1, 0.1, 0.2))),
    "bumpy tori": (bumpy(torus(), 1), bumpy(turned(torus(), 4, (0.7, 0.2, 0.1)), 2)),
    "balls": (meshes.sphere(12), meshes.moved(meshes.sphere(12), (1.2, 0.3, 0.1))),
    "ball in box": (meshes.sphere(8), meshes.box((-0.4, -3, -3), (3, 3, 3))),
    "boxes": (meshes.box(), meshes.box((0.7, 0.6, 0.5), (1.8, 1.9, 1.7))),
    "gears": (meshes.gear(9), meshes.moved(meshes.gear(9), (1.9, 0.05, 0.02))),
}


def scene_of(*bodies: Arrays) -> impinge.Scene:
    scene = impinge.Scene()
    for mesh in bodies:
        scene.add(*mesh)
    return scene


def same(
    a: impinge.results.contact_points.ContactPoints, b: impinge.results.contact_points.ContactPoints
) -> bool:
    """Every array, to the last bit."""
    left, right = a.to_dict(), b.to_dict()
    for key in ("stats", "method"):
        del left[key], right[key]
    return left == right
