"""Broken files on the command line: one clear line on stderr, nothing on stdout, exit code 2."""

from __future__ import annotations

import json

import pytest

from support import mesh_files, meshes

BOX = meshes.box()
OUT_OF_RANGE = (BOX[0], BOX[1] + 1)
NAN = (BOX[0] * float("nan"), BOX[1])


def gltf_with_buffer(uri: str) -> bytes:
    document, _ = mesh_files.gltf_document([BOX])
    document["buffers"][0]["uri"] = uri
    return json.dumps(document).encode()


def bomb() -> bytes:
    return mesh_files.threemf_archive(b" " * (64 << 20))


BROKEN = {
    "truncated.stl": (mesh_files.binary_stl(BOX)[:300], "byte 80: declares 12 triangles"),
    "count.stl": (mesh_files.binary_stl(BOX, declared=5), "byte 80: declares 5 triangles"),
    "text.stl": (mesh_files.text_stl(BOX)[:900], "has no endsolid (truncated file?)"),
    "word.stl": (mesh_files.text_stl(BOX).replace(b"endloop", b"end", 1), "line 7: expected 'end"),
    "empty.stl": (b"", "is empty (0 bytes)"),
    "none.stl": (mesh_files.binary_stl(meshes.empty()), "contains no triangles"),
    "garbage.stl": (bytes(range(256)) * 3, "byte 80: declares"),
    "page.stl": (b"<!DOCTYPE html><html></html>", "is an HTML page, not a mesh"),
    "nan.stl": (mesh_files.binary_stl(NAN), "a coordinate is not a finite number"),
    "index.obj": (mesh_files.obj(OUT_OF_RANGE), "uses vertex 9, but 1 to 8 exist"),
    "nan.obj": (mesh_files.obj(NAN), "line 2: a coordinate is not a finite number"),
    "index.ply": (mesh_files.ply(OUT_OF_RANGE), "uses vertex 8, but only 0 to 7 exist"),
    "negative.ply": (mesh_files.ply((BOX[0], BOX[1] - 1), order="<"), "uses vertex -1, but only"),
    "truncated.ply": (mesh_files.ply(BOX, order="<")[:-9], "the file ends after 11 (truncated?)"),
    "lines.off": (mesh_files.off(BOX)[:-30], "declares 12 faces but delivers"),
    "index.glb": (mesh_files.glb_of(OUT_OF_RANGE), "uses vertex 8, but only 0 to 7 exist"),
    "truncated.glb": (mesh_files.glb_of(BOX)[:-30], "(truncated?)"),
    "missing.gltf": (gltf_with_buffer("gone.bin"), "the buffer file 'gone.bin' is missing"),
    "outside.gltf": (gltf_with_buffer("../../etc/passwd"), "lies outside of the file's folder"),
    "network.gltf": (gltf_with_buffer("http://a.b/c"), "it is not fetched"),
    "bomb.3mf": (bomb(), "3D/3dmodel.model: unpacked to 67,108,864 bytes"),
    "truncated.3mf": (mesh_files.threemf(BOX)[:-40], "is not a whole zip archive"),
    "shape.step": (b"ISO-10303-21;", "unknown extension '.step'; known are .3mf, .glb"),
}


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("command", ["check", "info"])
def test_broken(impinge, put, name, command):
    data, message = BROKEN[name]
    path = put(name, data)
    good = put("good.off", mesh_files.off(BOX))
    answer = impinge(command, good, path)
    assert answer.code == 2
    assert answer.out == ""
    assert answer.err.startswith(f"impinge: error: {path}: ")
    assert message in answer.err
    assert answer.err.count("\n") == 1


def test_missing_file(impinge, tmp_path):
    path = tmp_path / "gone.stl"
    assert impinge("check", path) == (2, "", f"impinge: error: {path}: no such file\n")


def test_directory(impinge, tmp_path):
    message = f"impinge: error: {tmp_path}: is a directory, not a regular file\n"
    assert impinge("check", tmp_path) == (2, "", message)
