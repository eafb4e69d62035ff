from __future__ import annotations

import copy
import pickle
import threading
from typing import Any

import numpy as np
import pytest

from impinge import Body, InputError, Mesh, _core
from support import meshes

V, F = meshes.tetrahedron()


def turned(x: float = 3) -> np.ndarray:
    pose = np.eye(4)
    pose[:3] = [[0, -1, 0, x], [1, 0, 0, 0.1], [0, 0, 1, -2]]
    return pose


def test_a_body_at_rest_uses_the_arrays_of_its_mesh() -> None:
    body = Body(Mesh(V, F), name="part")
    assert body.vertices is body.mesh.vertices
    assert body.world_vertices is body.mesh.vertices
    assert body.faces is body.mesh.faces
    np.testing.assert_array_equal(body.pose, np.eye(4))


def test_the_pose_moves_world_coordinates_only() -> None:
    body = Body(Mesh(V, F), pose=turned())
    assert body.vertices is body.mesh.vertices
    np.testing.assert_array_equal(body.world_vertices, _core.transform(V, turned()))
    np.testing.assert_array_equal(body.world_vertices[0], [2, 1.1, -1])
    assert body.world_vertices is body.world_vertices
    body.pose = np.eye(4)
    assert body.world_vertices is body.mesh.vertices


def test_the_pose_is_a_copy_that_cannot_be_written() -> None:
    pose = turned()
    body = Body(Mesh(V, F), pose=pose)
    pose[0, 3] = 99
    np.testing.assert_array_equal(body.pose, turned())
    with pytest.raises(ValueError, match="read-only"):
        body.pose[0, 3] = 99
    with pytest.raises(ValueError, match="read-only"):
        body.world_vertices[0] = 99


def test_deforming_copies_since_buffers_are_reused() -> None:
    body, buffer = Body(Mesh(V, F)), V * 2
    body.vertices = buffer
    older = body.vertices
    buffer[:] = 9
    np.testing.assert_array_equal(older, V * 2)
    body.vertices = buffer.astype(np.float32)
    np.testing.assert_array_equal(older, V * 2)
    np.testing.assert_array_equal(body.vertices, np.full((4, 3), 9.0))
    np.testing.assert_array_equal(body.mesh.vertices, V)


def test_pose_and_deformation_together() -> None:
    body = Body(Mesh(V, F), pose=turned())
    body.vertices = V * 2
    np.testing.assert_array_equal(body.world_vertices, _core.transform(V * 2, turned()))


@pytest.mark.parametrize(
    ("vertices", "message"),
    [
        (V[:3], r"must keep the shape \(4, 3\), got \(3, 3\)"),
        (np.full((4, 3), np.nan), r"vertices\[0\] .* not finite"),
        (V.ravel(), r"shape \(n, 3\)"),
        (V > 0, "dtype bool"),
    ],
)
def test_bad_vertices_are_named_and_change_nothing(vertices: Any, message: str) -> None:
    body = Body(Mesh(V, F))
    with pytest.raises(InputError, match=message):
        body.vertices = vertices
    np.testing.assert_array_equal(body.world_vertices, V)


@pytest.mark.parametrize(
    ("pose", "message"),
    [
        (np.eye(3), r"pose must have shape \(4, 4\), got \(3, 3\)"),
        (turned().T, "last column"),
        (np.full((4, 4), np.inf), "not finite"),
        ("identity", "pose must be"),
        (np.eye(4, dtype=complex), "dtype complex"),
    ],
)
def test_bad_poses_are_named_and_change_nothing(pose: Any, message: str) -> None:
    body = Body(Mesh(V, F), pose=turned())
    with pytest.raises(InputError, match=message):
        body.pose = pose
    np.testing.assert_array_equal(body.pose, turned())


@pytest.mark.parametrize(
    "other",
    [
        np.asfortranarray(turned()),
        np.stack([turned(), turned()], axis=2)[:, :, 1],
        turned().astype(">f8"),
        turned().tolist(),
        np.ma.masked_array(turned()),
    ],
)
def test_a_pose_of_any_layout(other: Any) -> None:
    body, same = Body(Mesh(V, F), pose=turned()), Body(Mesh(V, F))
    same.pose = other
    np.testing.assert_array_equal(same.pose, body.pose)
    np.testing.assert_array_equal(same.world_vertices, body.world_vertices)


def test_a_pose_that_reads_the_body_itself() -> None:
    body = Body(Mesh(V, F), pose=turned())

    class Further:
        def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
            return np.array(body.pose)

    body.pose = Further()
    np.testing.assert_array_equal(body.pose, turned())


def test_poses_and_vertices_from_many_threads() -> None:
    body = Body(Mesh(V, F))

    def move() -> None:
        for step in range(500):
            body.pose = turned(step)

    def deform() -> None:
        for step in range(500):
            body.vertices = V * (1 + step)

    threads = [threading.Thread(target=work) for work in (move, deform, move, deform)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    np.testing.assert_array_equal(body.world_vertices, _core.transform(V * 500, turned(499)))


def test_a_pose_out_of_range() -> None:
    with pytest.raises(InputError, match=r"the pose of body '.far.' moves the mesh beyond 1e100"):
        Body(Mesh(V, F), name="{far}", pose=turned(1e101))
    body = Body(Mesh(V, F), name="{far}", pose=np.diag([1e50, 1, 1, 1]))
    with pytest.raises(InputError, match=r"the pose of body '.far.'"):
        body.vertices = V * 1e60
    np.testing.assert_array_equal(body.vertices, V)


@pytest.mark.parametrize(
    "clone", [copy.copy, copy.deepcopy, lambda body: pickle.loads(pickle.dumps(body))]
)
def test_copies_and_pickles(clone: Any) -> None:
    body = Body(Mesh(V, F), name="part", pose=turned())
    body.vertices = V * 2
    again = clone(body)
    assert again != body
    assert again.name == "part"
    np.testing.assert_array_equal(again.world_vertices, body.world_vertices)
    assert not again.vertices.flags.writeable
    again.vertices = V
    np.testing.assert_array_equal(body.vertices, V * 2)


def test_repr() -> None:
    body = Body(Mesh(V, F), name="part")
    assert repr(body) == "Body('part', 4 faces)"
    body.vertices, body.pose = V, turned()
    assert repr(body) == "Body('part', 4 faces, deformed, posed)"
