"""`impinge show-layers`."""

from __future__ import annotations

from impinge.data import path as shipped
from support import mesh_files, meshes

BALL = meshes.sphere(8)


def test_files(impinge, put, tmp_path):
    one = put("one.obj", mesh_files.obj(BALL))
    two = put("two.off", mesh_files.off(meshes.moved(BALL, (1.5, 0, 0))))
    out = tmp_path / "layers.png"
    answer = impinge("show-layers", one, two, "--out", out, "--resolution", 64)
    assert (answer.code, answer.err) == (0, "")
    assert out.read_bytes()[:4] == b"\x89PNG"
    assert "64 x 64 rays" in answer.out
    assert "pairs found" in answer.out


def test_an_assembly_with_open_parts(impinge, tmp_path):
    out = tmp_path / "gearbox.png"
    answer = impinge("show-layers", shipped("gearbox.glb"), "--out", out, "--resolution", 128)
    assert answer.code == 0
    assert out.stat().st_size > 1000


def test_a_scene_by_name(impinge, tmp_path):
    out = tmp_path / "cloth.png"
    answer = impinge("show-layers", "cloth", "--time", 1, "--out", out, "--resolution", 64)
    assert answer.code == 0
    assert "4,928 triangles" in answer.out


def test_neither_a_file_nor_a_scene(impinge, tmp_path):
    answer = impinge("show-layers", "dragoon", "--out", tmp_path / "a.png")
    assert answer.code == 2
    assert "no such file, and no scene of this name" in answer.err
    assert "did you mean 'dragon'" in answer.err


def test_the_picture_goes_nowhere_else(impinge, put, tmp_path):
    ball = put("one.obj", mesh_files.obj(BALL))
    answer = impinge("show-layers", ball, "--out", ball)
    assert answer.code == 2
    assert "is the name of a mesh file" in answer.err
    nowhere = tmp_path / "no" / "such" / "folder.png"
    answer = impinge("show-layers", ball, "--out", nowhere, "--resolution", 64)
    assert answer.code == 2
    assert "cannot be written" in answer.err
