"""`impinge info`."""

from __future__ import annotations

import json

import pytest

from support import mesh_files, meshes

BOX = meshes.box()


def test_closed_mesh(impinge, put):
    answer = impinge("info", put("box.obj", mesh_files.obj(BOX)))
    assert answer.code == 0
    assert answer.err == ""
    assert "box.obj: 1 part, 12 triangles" in answer.out
    assert "1 x 1 x 1" in answer.out
    assert "none" in answer.out


def test_defects_are_listed(impinge, put):
    vertices, faces = BOX
    broken = (vertices, faces[[0, 1, 2, 3, 3]])
    answer = impinge("info", put("open.obj", mesh_files.obj(broken)))
    assert "open edge" in answer.out
    assert "1 duplicate face" in answer.out


def test_several_files(impinge, put):
    one, two = put("a.obj", mesh_files.obj(BOX)), put("b.off", mesh_files.off(BOX))
    answer = impinge("info", one, two)
    assert "a.obj: 1 part" in answer.out
    assert "b.off: 1 part" in answer.out


def test_json(impinge, put):
    nodes = [{"mesh": 0, "name": "big", "scale": [2, 2, 2], "translation": [1, 0, 0]}]
    path = put("big.glb", mesh_files.glb(*mesh_files.gltf_document([BOX], nodes)))
    answer = impinge("info", path, "--json", "-")
    assert answer.code == 0
    (file,) = json.loads(answer.out)["files"]
    assert file["file"] == str(path)
    (part,) = file["parts"]
    assert (part["name"], part["faces"], part["closed"]) == ("big", 12, True)
    assert part["bounds"] == [[1, 0, 0], [3, 2, 2]]
    assert part["volume"] == pytest.approx(8)
    assert part["open_edges"] == 0


def test_lenient_empty_mesh(impinge, put):
    path = put("none.off", mesh_files.off(meshes.empty()))
    assert impinge("info", path).code == 2
    answer = impinge("info", path, "--lenient")
    assert answer.code == 0
    assert "contains no triangles" in answer.err


@pytest.mark.parametrize("turned", [False, True])
def test_a_mirrored_part_is_judged_where_it_is(impinge, put, turned):
    vertices, faces = BOX
    mesh = (vertices, faces[:, ::-1] if turned else faces)
    document = mesh_files.gltf_document([mesh], [{"mesh": 0, "scale": [-1, 1, 1]}])
    answer = impinge("info", put("mirror.glb", mesh_files.glb(*document)), "--json", "-")
    (part,) = json.loads(answer.out)["files"][0]["parts"]
    assert part["closed"] is True
    assert part["oriented"] is turned
    assert part["volume"] == pytest.approx(1 if turned else -1)
