"""Contacts of a body with itself: a ray that leaves it twice."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import impinge
from detectors.ray import reference
from detectors.ray.scenes import OVERLAPS, same, scene_of, torus, turned
from impinge import detector
from support import meshes
from support.meshes import Arrays

OCTREE = detector("ray", accelerator="octree")
TREE = detector("ray", accelerator="bvh")


def tube(turns: float, *, pitch: float = 0.0, rings: int = 60, sides: int = 12) -> Arrays:
    """A closed tube around a circle, `turns` times; a straight one for none."""
    s = np.linspace(0, 1, rings)
    around = np.arange(sides) * (2 * np.pi / sides)
    if turns:
        angle = 2 * np.pi * turns * s
        out = np.stack([np.cos(angle), np.sin(angle), np.zeros(rings)], axis=1)
        centre = out + np.outer(s * pitch, [0, 0, 1])
    else:
        out = np.broadcast_to([1.0, 0, 0], (rings, 3))
        centre = np.outer(s * 6, [0, 1.0, 0])
    up = np.array([0, 0, 1.0])
    points = centre[:, None] + 0.25 * (
        np.cos(around)[None, :, None] * out[:, None] + np.sin(around)[None, :, None] * up
    )
    faces = meshes._rings(points, close_rings=False).reshape(-1, 3)
    count = rings * sides
    ring, after = np.arange(sides), np.roll(np.arange(sides), -1)
    low = np.stack([np.full(sides, count), after, ring], axis=1)
    high = np.stack(
        [np.full(sides, count + 1), count - sides + ring, count - sides + after], axis=1
    )
    vertices = np.concatenate([points.reshape(-1, 3), centre[[0, -1]]])
    mesh = meshes.arrays(vertices, np.concatenate([faces, low, high]))
    if impinge.Mesh(*mesh).report().volume < 0:
        mesh = mesh[0], np.ascontiguousarray(mesh[1][:, ::-1])
    return mesh


def deformed(rest: Arrays, vertices: np.ndarray) -> impinge.Scene:
    scene = scene_of(rest)
    scene[0].vertices = vertices
    return scene


@pytest.mark.parametrize("method", [OCTREE, TREE])
@pytest.mark.parametrize(
    "mesh",
    [torus(), meshes.sphere(8), meshes.box(), meshes.gear(7), tube(0.8), turned(torus(), 8)],
)
def test_no_contact_with_itself(mesh: Arrays, method: impinge.detectors.Detector) -> None:
    # rays through opposite vertices and edges leave the body there once, not once for each face
    contacts = scene_of(mesh).contact_points(method=method, self_collision=True)
    assert len(contacts) == 0
    assert contacts.suspicious is not None
    assert contacts.stats["rays_shot"] + contacts.stats["rays_unreliable"] == len(mesh[0])


def test_ends_of_a_tube_in_each_other() -> None:
    rest, bent = tube(0), tube(1.1, pitch=0.3)
    scene = deformed(rest, bent[0])
    contacts = scene.contact_points(method=OCTREE, self_collision=True, workers=1)
    for method in (OCTREE, TREE):
        for workers in (1, 2):
            again = scene.contact_points(method=method, self_collision=True, workers=workers)
            assert same(contacts, again)
    assert len(contacts) > 20
    assert (contacts.bodies == 0).all()
    # where contacts start the body covers space twice, and nowhere else
    inward = bent[0] - 1e-5 * reference.vertex_normals(bent)
    twice = np.flatnonzero(reference.winding(bent, inward) > 1.5)
    assert contacts.vertices[:, 0].tolist() == twice.tolist()
    inside = reference.winding(bent, contacts.points[:, 1] * 0.999 + contacts.points[:, 0] * 0.001)
    assert (inside > 1.5).all()
    assert not contacts.suspicious.all()


def two_balls(offset: float, size: float) -> Arrays:
    small = meshes.moved(meshes.sphere(8, radius=size), (offset, 0.03, 0.02))
    return meshes.merge(meshes.sphere(12), small)


def test_too_deep_is_suspicious() -> None:
    rest = two_balls(3.0, 0.4)
    shallow = deformed(rest, two_balls(1.25, 0.4)[0]).contact_points(self_collision=True)
    assert len(shallow) > 5
    assert not shallow.suspicious.any()
    deep = deformed(rest, two_balls(0.3, 0.4)[0]).contact_points(self_collision=True)
    small = deep.vertices[:, 0] >= len(meshes.sphere(12)[0])
    assert small.any()
    # the rays of the small ball leave it itself first
    assert deep.suspicious[small].all()


def test_self_and_others_in_one_answer() -> None:
    bent = tube(1.1, pitch=0.3)
    ball = meshes.moved(meshes.sphere(8, radius=0.3), (-1, 0.1, 0.1))
    scene = scene_of(tube(0), ball)
    scene[0].vertices = bent[0]
    every = scene.contact_points(self_collision=True)
    alone = scene.contact_points()
    assert alone.suspicious is None
    own = every.bodies[:, 0] == every.bodies[:, 1]
    assert own.any()
    np.testing.assert_array_equal(every.points[~own], alone.points)
    scene.ignore(0, 0)
    np.testing.assert_array_equal(scene.contact_points(self_collision=True).points, alone.points)


def test_bodies_that_overlap_each_other_only() -> None:
    scene = scene_of(*OVERLAPS["tori deep"])
    np.testing.assert_array_equal(
        scene.contact_points(self_collision=True).points, scene.contact_points().points
    )


@settings(max_examples=20)
@given(st.integers(0, 2**32 - 1))
def test_crumpled_bodies(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rest = meshes.torus(14, 8)
    scene = deformed(rest, rest[0] + rng.normal(0, 0.08, rest[0].shape))
    by_octree = scene.contact_points(method=OCTREE, self_collision=True, workers=1)
    assert same(by_octree, scene.contact_points(method=TREE, self_collision=True, workers=2))
    assert np.isfinite(by_octree.points).all()
    assert ((by_octree.weights > 0) & (by_octree.weights <= 1)).all()
