"""Closed bodies that are mirrored, inside out, or have shells turned the wrong way round."""

from __future__ import annotations

import numpy as np
import pytest

import impinge
from detectors.ray.scenes import OVERLAPS, turned
from impinge import InputError, contact_points
from impinge.errors import CapabilityError
from impinge.results.contact_points import ContactPoints
from support import meshes
from support.meshes import Arrays

BALL = meshes.sphere(8)
MIRROR = np.diag([-1.0, 1.0, 1.0, 1.0])


def flipped(mesh: Arrays) -> Arrays:
    return mesh[0], np.ascontiguousarray(mesh[1][:, ::-1])


def alike(a: ContactPoints, b: ContactPoints) -> bool:
    """The same points, whatever the order of the corners of a face."""
    return (
        np.array_equal(a.bodies, b.bodies)
        and np.array_equal(a.vertices[:, 0], b.vertices[:, 0])
        and np.array_equal(a.faces, b.faces)
        and np.allclose(a.points, b.points, atol=1e-12)
        and np.allclose(a.normals, b.normals, atol=1e-12)
        and np.allclose(a.weights, b.weights, atol=1e-12)
    )


@pytest.mark.parametrize("name", ["balls", "tori deep", "bumpy tori"])
@pytest.mark.parametrize("accelerator", ["bvh", "octree"])
def test_a_pose_that_mirrors(name: str, accelerator: str) -> None:
    a, b = OVERLAPS[name]
    method = impinge.detector("ray", accelerator=accelerator)
    scene = impinge.Scene()
    scene.add(*a)
    body = scene.add(b[0] * (-1, 1, 1), flipped(b)[1], pose=MIRROR)
    truth = contact_points(a, b, method=method)
    found = scene.contact_points(method=method)
    assert len(truth) > 5
    assert alike(found, truth)
    assert found.warnings == ()
    # the same body, unmirrored and mirrored again: nothing of the old pose is left
    body.pose = np.eye(4)
    scene.contact_points(method=method)
    body.pose = MIRROR
    assert alike(scene.contact_points(method=method), truth)


def test_a_pose_that_mirrors_and_moves_with_self_collision() -> None:
    a, b = OVERLAPS["tori deep"]
    scene = impinge.Scene()
    scene.add(*a)
    scene.add(b[0] * (-1, 1, 1), flipped(b)[1], pose=MIRROR)
    assert len(scene.contact_points(self_collision=True)) == len(contact_points(a, b))


def test_a_flat_pose_is_named() -> None:
    scene = impinge.Scene()
    scene.add(*BALL)
    scene.add(*BALL, name="lid", pose=np.diag([1.0, 1.0, 0.0, 1.0]))
    with pytest.raises(InputError, match="pose of body 'lid' has the determinant 0"):
        scene.contact_points()


@pytest.mark.parametrize("scale", [1e-90, 1.0, 1e90])
def test_wholly_inside_out(scale: float) -> None:
    a, b = (meshes.arrays(mesh[0] * scale, mesh[1]) for mesh in OVERLAPS["balls"])
    truth = contact_points(a, b)
    found = contact_points(a, flipped(b))
    assert len(found) == len(truth) > 0
    assert found.faces.tolist() == truth.faces.tolist()
    assert found.warnings == (
        "body 'b' is inside out, and is taken as if all its faces were turned around",
    )
    assert found.to_dict()["warnings"] == list(found.warnings)
    assert "1 warning" in repr(found)
    assert truth.warnings == ()


def test_one_shell_inside_out() -> None:
    far = meshes.moved(BALL, (5, 0, 0), scale=0.8)
    other = meshes.moved(BALL, (6.4, 0, 0))
    truth = contact_points(meshes.merge(BALL, far), other)
    found = contact_points(meshes.merge(BALL, flipped(far)), other)
    assert len(truth) > 5
    assert alike(found, truth)
    assert found.warnings == (
        "1 shell of body 'a' is inside out, and is taken as if all faces there were turned around",
    )


def test_cavities_stay_cavities() -> None:
    hollow = meshes.merge(meshes.moved(BALL, (0, 0, 0), scale=2.0), flipped(BALL))
    other = meshes.moved(BALL, (2.5, 0, 0), scale=0.9)
    truth = contact_points(hollow, other)
    assert len(truth) > 0
    assert truth.warnings == ()
    found = contact_points(flipped(hollow), other)
    assert alike(found, truth)
    assert "body 'a' is inside out" in found.warnings[0]


def test_an_island_in_a_cavity_is_turned_alone() -> None:
    hollow = meshes.merge(meshes.moved(BALL, (0, 0, 0), scale=2.0), flipped(BALL))
    island = meshes.moved(BALL, (0, 0, 0), scale=0.5)
    pin = meshes.moved(BALL, (0.6, 0, 0), scale=0.2)
    truth = contact_points(meshes.merge(hollow, island), pin)
    found = contact_points(meshes.merge(hollow, flipped(island)), pin)
    assert len(truth) > 0
    assert alike(found, truth)
    assert "1 shell of body 'a'" in found.warnings[0]


def test_a_shell_inside_out_that_crosses_another_is_named() -> None:
    body = meshes.merge(BALL, flipped(meshes.moved(BALL, (0.9, 0, 0), scale=0.5)))
    with pytest.raises(CapabilityError, match=r"body 'a', but its shell at face 256 .* partly"):
        contact_points(body, meshes.moved(BALL, (1.5, 0, 0)))


def test_vertices_that_mirror_a_body() -> None:
    a, b = OVERLAPS["balls"]
    scene = impinge.Scene()
    scene.add(*a)
    body = scene.add(*turned(b, 3))
    body.vertices = b[0] * (1, 1, -1)
    truth = contact_points(a, flipped((b[0] * (1, 1, -1), b[1])))
    found = scene.contact_points()
    assert len(truth) > 5
    assert alike(found, truth)
    assert "inside out since its vertices moved" in found.warnings[0]
    body.vertices = b[0]
    assert scene.contact_points().warnings == ()
    assert alike(scene.contact_points(), contact_points(a, b))
