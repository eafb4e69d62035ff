"""The same triangles as an independent reader, where that one can be trusted."""

from __future__ import annotations

import numpy as np
import pytest

from impinge.io import load_mesh
from support import mesh_files, meshes

trimesh = pytest.importorskip("trimesh")

SHAPES = (meshes.sphere(4), meshes.moved(meshes.torus(8, 5), (4, 0, 0)))


def corners(scene_or_mesh):
    """(n, 3, 3) triangles in world coordinates, sorted."""
    mesh = scene_or_mesh
    if isinstance(mesh, trimesh.Scene):
        mesh = mesh.to_mesh()
    return sort(np.asarray(mesh.vertices)[np.asarray(mesh.faces)])


def sort(triangles):
    flat = np.round(triangles.reshape(-1, 9), 5) + 0.0
    return flat[np.lexsort(flat.T[::-1])]


def placed_scene():
    scene = trimesh.Scene()
    turn = trimesh.transformations.rotation_matrix(0.7, [1, 2, 3], [0.5, 0, 0])
    for i, (vertices, faces) in enumerate(SHAPES):
        mesh = trimesh.Trimesh(vertices, faces, process=False)
        scene.add_geometry(mesh, node_name=f"n{i}", transform=turn if i else None)
    second = trimesh.transformations.scale_and_translate(0.5, [9, 9, 9]) @ turn
    scene.graph.update("again", geometry=next(iter(scene.geometry)), matrix=second)
    return scene


@pytest.mark.parametrize("extension", ["glb", "gltf", "3mf"])
def test_scenes_written_by_trimesh(put, extension):
    scene = placed_scene()
    if extension == "gltf":
        for name, data in scene.export(file_type="gltf").items():
            put(name, data)
        path = put("model.gltf", scene.export(file_type="gltf")["model.gltf"])
    else:
        path = put(f"scene.{extension}", scene.export(file_type=extension))
    mesh = load_mesh(path)
    assert np.allclose(sort(mesh.vertices[mesh.faces]), corners(scene), atol=2e-5)


@pytest.mark.parametrize("extension", ["stl", "ply", "off", "obj"])
def test_meshes_written_by_trimesh(put, extension):
    vertices, faces = SHAPES[1]
    data = trimesh.Trimesh(vertices, faces, process=False).export(file_type=extension)
    mesh = load_mesh(put(f"mesh.{extension}", data))
    assert np.allclose(mesh.vertices[mesh.faces], vertices[faces], atol=1e-6)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.stl", mesh_files.binary_stl(SHAPES[0])),
        ("a.ply", mesh_files.ply(SHAPES[0], order=">")),
        ("a.off", mesh_files.off(SHAPES[0])),
        ("a.obj", mesh_files.obj(SHAPES[0])),
        ("a.glb", mesh_files.glb_of(*SHAPES)),
        ("a.3mf", mesh_files.threemf(*SHAPES)),
    ],
)
def test_our_files_read_by_trimesh(put, name, data):
    path = put(name, data)
    mesh = load_mesh(path)
    theirs = corners(trimesh.load_scene(path, process=False))
    assert np.allclose(sort(mesh.vertices[mesh.faces]), theirs, atol=2e-5)
