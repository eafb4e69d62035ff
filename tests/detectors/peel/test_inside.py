"""Rays see a body within another one, although no faces meet."""

from __future__ import annotations

import numpy as np
import pytest

import impinge
from support import meshes


@pytest.fixture(params=["cpu", "gpu"])
def device(request: pytest.FixtureRequest) -> str:
    if request.param == "gpu":
        request.getfixturevalue("gpu_device")
    return str(request.param)


def scene_of(*bodies: meshes.Arrays) -> impinge.Scene:
    scene = impinge.Scene()
    for body in bodies:
        scene.add(*body)
    return scene


def test_a_sphere_in_a_sphere(device: str) -> None:
    scene = scene_of(meshes.sphere(10, radius=2.0), meshes.sphere(6, radius=0.5))
    rays = impinge.detector("peel", device=device, conservative=False, resolution=64)
    hits = scene.collide(method=rays)
    assert hits.stats["rays"] > 0
    assert len(hits) == 0
    assert hits.inside.tolist() == [[1, 0]]
    # whole pixels compare depths of faces, and see no body at all
    exact = scene.collide(method=impinge.detector("peel", device=device, resolution=64))
    assert len(exact) == 0
    assert exact.inside is None


def test_three_deep_beside_one_that_crosses(device: str) -> None:
    scene = scene_of(
        *(meshes.sphere(8, radius=radius) for radius in (1.0, 4.0, 2.0)),
        meshes.moved(meshes.sphere(8), (4.0, 0.1, 0.2)),
    )
    rays = impinge.detector("peel", device=device, conservative=False, resolution=64)
    hits = scene.collide(method=rays)
    assert hits.inside.tolist() == [[0, 1], [0, 2], [2, 1]]
    assert [(pair.a, pair.b) for pair in hits.body_pairs] == [(1, 3)]
    scene.ignore(0, 1)
    assert scene.collide(method=rays).inside.tolist() == [[0, 2], [2, 1]]


def test_many_poses_do_not_look_for_it() -> None:
    hits = impinge.collide(
        meshes.sphere(6),
        meshes.sphere(3, radius=0.2),
        method=impinge.detector("peel", device="cpu", conservative=False, resolution=32),
        poses=np.eye(4)[None],
    )
    assert len(hits) == 0
    assert hits.inside is None
