"""What every format has in common."""

from __future__ import annotations

import json
import lzma
import os
import struct
import sys
import zlib

import numpy as np
import pytest

import impinge
from impinge.errors import InputError, MeshFileError
from impinge.io import EXTENSIONS, Model, read
from support import mesh_files, meshes

BOX = meshes.box()
WRITERS = {
    ".3mf": mesh_files.threemf,
    ".glb": mesh_files.glb_of,
    ".gltf": lambda mesh: mesh_files.gltf(*mesh_files.gltf_document([mesh])),
    ".obj": mesh_files.obj,
    ".off": mesh_files.off,
    ".ply": mesh_files.ply,
    ".stl": mesh_files.binary_stl,
}


def test_there_is_a_writer_for_every_format():
    assert sorted(WRITERS) == sorted(EXTENSIONS)


@pytest.mark.parametrize("extension", EXTENSIONS)
@pytest.mark.parametrize("case", [str.lower, str.upper])
def test_every_format(load, extension, case):
    model = load("box" + case(extension), WRITERS[extension](BOX))
    assert isinstance(model, Model)
    assert model.warnings == ()
    (part,) = model.parts
    assert np.array_equal(part.mesh.vertices[part.mesh.faces], BOX[0][BOX[1]])


@pytest.mark.parametrize("extension", EXTENSIONS)
def test_empty_file(refused, extension):
    assert refused("empty" + extension, b"") == "is empty (0 bytes)"


@pytest.mark.parametrize("extension", EXTENSIONS)
def test_no_triangles(refused, load, extension):
    data = WRITERS[extension](meshes.empty())
    assert refused("none" + extension, data) == "contains no triangles"
    model = load("none" + extension, data, lenient=True)
    assert model.triangles == 0
    assert len(model.parts) == 1


@pytest.mark.parametrize("extension", EXTENSIONS)
@pytest.mark.parametrize(
    ("start", "message"),
    [
        (b"\n<!DOCTYPE html><html><body>404</body></html>", "is an HTML page, not a mesh"),
        (b"\xef\xbb\xbf<HTML><head>", "is an HTML page, not a mesh"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0", "is a Git LFS pointer"),
        (b"\x1f\x8b\x08\x00" + bytes(90), "is gzip-compressed"),
    ],
)
def test_impostors(refused, extension, start, message):
    assert refused("x" + extension, start).startswith(message)


def test_zip_that_is_no_3mf(refused):
    assert "is a zip archive" in refused("x.stl", mesh_files.threemf(BOX))


def test_missing_file(tmp_path):
    with pytest.raises(MeshFileError, match="no such file") as caught:
        read(tmp_path / "gone.stl")
    assert caught.value.file == str(tmp_path / "gone.stl")
    assert caught.value.place == ""


def test_directory(tmp_path):
    for name in ("folder", "folder.stl"):
        (tmp_path / name).mkdir()
        with pytest.raises(MeshFileError, match="is a directory"):
            read(tmp_path / name)


def test_unknown_extension(refused):
    known = "known are .3mf, .glb, .gltf, .obj, .off, .ply, .stl"
    assert refused("x.step", b"ISO-10303") == f"unknown extension '.step'; {known}"
    assert refused("x", b"ISO-10303") == f"no extension; {known}"


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("arm.urdf", "is a robot, not a mesh: impinge.robots.Robot.load reads it"),
        ("arm.SRDF", "tells more of a robot: impinge.robots.Robot.load(urdf, srdf=...) reads it"),
        ("arm.xacro", "is a macro of a robot; run xacro first"),
        ("link.dae", "COLLADA is read for the links of robots only; convert it to GLB or OBJ"),
    ],
)
def test_what_is_no_mesh_file_is_sent_to_who_reads_it(refused, name, hint):
    assert refused(name, b"<robot/>").startswith(hint)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads everything")
def test_unreadable_file(put):
    path = put("x.stl", b"x")
    path.chmod(0)
    with pytest.raises(MeshFileError, match="cannot be read"):
        read(path)


def test_name_that_no_system_takes():
    with pytest.raises(MeshFileError, match="cannot be opened"):
        read("a\0b.stl")


def test_parts_without_triangles_are_told(load):
    model = load("two.stl", mesh_files.text_stl(BOX, meshes.empty(), names=("box", "ghost")))
    assert [part.name for part in model.parts] == ["box"]
    assert model.warnings == ("1 of 2 parts have no triangles ('ghost')",)


def test_memory_is_an_error_like_any_other(put, monkeypatch):
    def explode(*_):
        raise MemoryError

    monkeypatch.setattr("impinge.io.stl.read_parts", explode)
    with pytest.raises(MeshFileError, match="does not fit into memory"):
        read(put("x.stl", b"x"))


@pytest.mark.parametrize(
    "error",
    [LookupError("x"), ValueError("x"), TypeError("x"), RecursionError("x"), OverflowError("x"),
     KeyError("x"), struct.error("x"), zlib.error("x"), lzma.LZMAError("x"), AssertionError("x"),
     UnicodeDecodeError("utf-8", b"x", 0, 1, "x"), InputError("x"), ZeroDivisionError("x")],
)  # fmt: skip
def test_whatever_a_reader_stumbles_over_is_an_error_of_the_file(put, monkeypatch, error):
    def stumble(*_):
        raise error

    monkeypatch.setattr("impinge.io.stl.read_parts", stumble)
    path = put("x.stl", b"x")
    with pytest.raises(MeshFileError) as caught:
        read(path)
    assert str(caught.value).startswith(f"{path}: is damaged ({type(error).__name__}: ")
    # a bug of the reader stays findable
    assert caught.value.__cause__ is error


def test_ctrl_c_is_no_error_of_the_file(put, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("impinge.io.stl.read_parts", interrupt)
    with pytest.raises(KeyboardInterrupt):
        read(put("x.stl", b"x"))


ESCAPES = "\x1b]0;pwn\x07\n\u202e\x9b"


def test_nothing_in_a_message_commands_a_terminal(put):
    document, data = mesh_files.gltf_document([BOX])
    document["extensionsRequired"] = [ESCAPES]
    path = put(f"{ESCAPES.replace(chr(10), '')}.glb", mesh_files.glb(document, data))
    with pytest.raises(MeshFileError) as caught:
        read(path)
    assert str(caught.value).isprintable()
    assert caught.value.cause.isprintable()
    assert caught.value.file == str(path)
    with pytest.warns(UserWarning, match="needs the extension") as warned:
        impinge.load_mesh(path, lenient=True)
    assert all(str(row.message).isprintable() for row in warned)
    assert all(text.isprintable() for text in read(path, lenient=True).warnings)


def test_halves_of_characters_in_names_are_replaced(put):
    document, data = mesh_files.gltf_document([BOX, BOX])
    document["nodes"][0]["name"] = "\ud800x"
    document["meshes"][1]["name"] = "y\udfff"
    del document["nodes"][1]["name"]
    first, second = read(put("two.glb", mesh_files.glb(document, data))).parts
    assert (first.name, second.name) == ("\ufffdx", "y\ufffd")
    assert second.mesh.name == "y\ufffd"
    assert json.dumps([first.name, second.name], ensure_ascii=False).encode()


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are bytes there")
@pytest.mark.parametrize("extension", EXTENSIONS)
def test_the_name_of_a_file_that_is_not_utf_8(tmp_path, extension):
    path = tmp_path / os.fsdecode(b"\xff" + extension.encode())
    path.write_bytes(WRITERS[extension](BOX))
    scene = impinge.load_scene(path, path)
    assert all(body.name.encode() for body in scene)
    assert impinge.load_mesh(path).name.encode() is not None
    path.write_bytes(b"")
    with pytest.raises(MeshFileError) as caught:
        read(path)
    assert str(caught.value).encode()


LONG = " " + "n" * 300


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("x.obj", mesh_files.obj(BOX, BOX, names=(LONG, "b"))),
        ("x.stl", mesh_files.text_stl(BOX, BOX, names=(LONG, "b"))),
        ("x.glb", mesh_files.glb(*mesh_files.gltf_document([BOX], [{"mesh": 0, "name": LONG}]))),
        ("x.3mf", mesh_files.threemf(BOX, name=LONG)),
    ],
)
def test_long_names_are_cut(put, name, data):
    """Thousands of instances may share one, and each gets a number behind it."""
    assert read(put(name, data)).parts[0].name == "n" * 255
