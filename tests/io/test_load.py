"""Files straight into meshes and scenes."""

from __future__ import annotations

import numpy as np
import pytest

import impinge
from impinge.errors import InputError, MeshFileError
from support import mesh_files, meshes

BOX = meshes.box()
TETRAHEDRON = meshes.tetrahedron()


def test_load_mesh(put):
    mesh = impinge.load_mesh(put("box.obj", mesh_files.obj(BOX)))
    assert mesh.name == "box"
    assert np.array_equal(mesh.faces, BOX[1])


def test_load_mesh_joins_an_assembly_in_world_coordinates(put):
    nodes = [{"mesh": 0}, {"mesh": 1, "translation": [5, 0, 0]}]
    data = mesh_files.glb(*mesh_files.gltf_document([BOX, TETRAHEDRON], nodes))
    mesh = impinge.load_mesh(put("two.glb", data))
    assert np.array_equal(mesh.vertices[8:], TETRAHEDRON[0] + [5, 0, 0])
    assert np.array_equal(mesh.faces[12:], TETRAHEDRON[1] + 8)


def test_load_scene_of_one_file(put):
    scene = impinge.load_scene(put("two.glb", mesh_files.glb_of(BOX, TETRAHEDRON)))
    assert [body.name for body in scene.bodies] == ["part-0", "part-1"]


def test_load_scene_of_several_files(put):
    one = put("one.stl", mesh_files.binary_stl(BOX))
    two = put("two.glb", mesh_files.glb_of(BOX, TETRAHEDRON))
    scene = impinge.load_scene(one, two, str(one))
    assert [body.name for body in scene.bodies] == ["one", "two/part-0", "two/part-1", "one-2"]


def test_load_scene_keeps_poses(put):
    nodes = [{"mesh": 0, "name": "a"}, {"mesh": 0, "name": "b", "translation": [3, 0, 0]}]
    data = mesh_files.glb(*mesh_files.gltf_document([BOX], nodes))
    scene = impinge.load_scene(put("two.glb", data))
    assert scene["b"].pose[:3, 3].tolist() == [3, 0, 0]
    assert scene["a"].mesh is scene["b"].mesh
    assert not scene.collide()


def test_lenient_warns(put):
    path = put("box.stl", mesh_files.binary_stl(BOX)[:-50])
    with pytest.warns(UserWarning, match="box.stl: byte 80: declares 12 triangles"):
        assert len(impinge.load_mesh(path, lenient=True).faces) == 11


def test_a_scene_needs_a_file():
    with pytest.raises(InputError, match="at least one path"):
        impinge.load_scene()


def test_instances_that_would_be_too_large_as_one_mesh(put, monkeypatch):
    nodes = [{"mesh": 0} for _ in range(100)]
    data = mesh_files.glb(*mesh_files.gltf_document([BOX], nodes))
    path = put("many.glb", data)
    assert len(impinge.load_mesh(path).faces) == 1200
    monkeypatch.setattr("impinge.io.load._MOST_JOINED", 10_000)
    with pytest.raises(MeshFileError, match="its 100 parts would take 33,600 bytes as one mesh"):
        impinge.load_mesh(path)
    assert len(impinge.load_scene(path)) == 100
    # what is as large in the file is no surprise
    monkeypatch.setattr("impinge.io.load._MOST_JOINED", 100)
    apart = put("two.glb", mesh_files.glb_of(BOX, TETRAHEDRON))
    assert len(impinge.load_mesh(apart).faces) == 16
