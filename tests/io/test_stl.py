"""STL files, binary and text."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from impinge.io import read
from support import mesh_files, meshes

BOX = meshes.box()
SPHERE = meshes.sphere(6)


def same_triangles(mesh, expected, *, dtype=np.float64):
    vertices, faces = expected
    corners = vertices[faces].astype(dtype).astype(np.float64)
    return np.array_equal(mesh.vertices[mesh.faces], corners)


def test_binary_keeps_every_triangle_in_order(load):
    (part,) = load("ball.stl", mesh_files.binary_stl(SPHERE)).parts
    assert part.name == "ball"
    assert same_triangles(part.mesh, SPHERE, dtype=np.float32)
    assert np.array_equal(part.pose, np.eye(4))


def test_welds_corners_with_equal_coordinates_only(load):
    (part,) = load("ball.stl", mesh_files.binary_stl(SPHERE)).parts
    assert len(part.mesh.vertices) == len(SPHERE[0])
    assert len(np.unique(part.mesh.vertices, axis=0)) == len(part.mesh.vertices)


def test_negative_zero_welds_with_zero(load):
    triangles = np.array(
        [[[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[-0.0, 0, -0.0], [0, 1, 0], [0, 0, 1]]]
    )
    (part,) = load("zero.stl", mesh_files.binary_stl(meshes.soup(triangles))).parts
    assert len(part.mesh.vertices) == 4


def test_binary_may_start_with_the_word_solid(load):
    data = mesh_files.binary_stl(BOX, header=b"solid exported by a CAD program")
    assert load("box.stl", data).triangles == 12


def test_text_is_read_to_the_last_bit(load):
    (part,) = load("ball.stl", mesh_files.text_stl(SPHERE)).parts
    assert part.name == "ball"
    assert same_triangles(part.mesh, SPHERE)


def test_solids_become_parts(load):
    data = mesh_files.text_stl(BOX, meshes.tetrahedron(), names=("left box", ""))
    model = load("two.stl", data)
    assert [part.name for part in model.parts] == ["left box", "two-2"]
    assert [len(part.mesh.faces) for part in model.parts] == [12, 4]


def test_solids_stay_together_unless_split(load):
    data = mesh_files.text_stl(BOX, meshes.tetrahedron())
    (part,) = load("two.stl", data, split=False).parts
    assert len(part.mesh.faces) == 16


@pytest.mark.parametrize(
    "change",
    [
        bytes.upper,
        lambda b: b.replace(b"\n", b"\r\n"),
        lambda b: b.replace(b"\n", b"\r"),
        lambda b: b"\n  " + b,
    ],
)
def test_text_in_other_clothes(load, change):
    (part,) = load("ball.STL", change(mesh_files.text_stl(SPHERE))).parts
    assert same_triangles(part.mesh, SPHERE)


def test_text_longer_than_a_block(load, monkeypatch):
    monkeypatch.setattr("impinge.io.stl_text._BLOCK_BYTES", 700)
    (part,) = load("ball.stl", mesh_files.text_stl(SPHERE)).parts
    assert same_triangles(part.mesh, SPHERE)


def test_line_numbers_hold_beyond_the_first_block(refused, monkeypatch):
    monkeypatch.setattr("impinge.io.stl_text._BLOCK_BYTES", 700)
    lines = mesh_files.text_stl(SPHERE).split(b"\n")
    broken = [i for i, line in enumerate(lines) if b"vertex" in line][50]
    lines[broken] = b"vertex 1 2 oops"
    message = refused("ball.stl", b"\n".join(lines))
    assert message == f"line {broken + 1}: expected a number, found 'oops'"


@pytest.mark.parametrize("normal", ["nan nan nan", "1e999 0 0", "x y z"])
def test_normals_do_not_matter(load, normal):
    data = mesh_files.text_stl(BOX).replace(b"normal 0 0 0", f"normal {normal}".encode())
    assert load("box.stl", data).triangles == 12


def test_truncated_binary(refused, load):
    data = mesh_files.binary_stl(BOX)[:-70]
    assert refused("box.stl", data) == (
        "byte 80: declares 12 triangles (684 bytes) but the file has 614 bytes, room for 10 "
        "(truncated or not an STL file)"
    )
    model = load("box.stl", data, lenient=True)
    assert model.triangles == 10
    assert "read 10 triangles" in model.warnings[0]


def test_wrong_count(refused, load):
    data = mesh_files.binary_stl(BOX, declared=3)
    assert "declares 3 triangles" in refused("box.stl", data)
    assert load("box.stl", data, lenient=True).triangles == 12


def test_no_triangles(refused, load):
    data = mesh_files.binary_stl(meshes.empty())
    assert refused("none.stl", data) == "contains no triangles"
    model = load("none.stl", data, lenient=True)
    assert model.triangles == 0
    assert len(model.parts) == 1
    assert "contains no triangles" in model.warnings[0]


def test_empty_solids_are_no_triangles_either(refused):
    assert refused("none.stl", "solid a\nendsolid a\n") == "contains no triangles"


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_coordinate_that_is_not_finite(refused, load, value):
    vertices = BOX[0].copy()
    vertices[7, 1] = value
    data = mesh_files.binary_stl((vertices, BOX[1]))
    first = int(np.flatnonzero((BOX[1] == 7).any(axis=1))[0])
    message = refused("box.stl", data)
    assert message.startswith(f"byte {84 + 50 * first}: triangle {first}: a coordinate is not a")
    dropped = int((BOX[1] == 7).any(axis=1).sum())
    model = load("box.stl", data, lenient=True)
    assert model.triangles == 12 - dropped
    assert f"dropped {dropped} triangles" in model.warnings[0]


def test_text_without_end(refused, load):
    data = mesh_files.text_stl(BOX).replace(b"endsolid solid-0\n", b"")
    assert "has no endsolid (truncated file?)" in refused("box.stl", data)
    assert load("box.stl", data, lenient=True).triangles == 12


def test_text_cut_inside_a_facet(refused, load):
    data = mesh_files.text_stl(BOX)
    cut = data[: data.rfind(b"outer loop") + 20]
    assert "truncated file?" in refused("box.stl", cut)
    assert load("box.stl", cut, lenient=True).triangles == 11


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (b"endloop", b"endlop", "line 7: expected 'endloop', found 'endlop'"),
        (b"vertex 0.0 0.0 0.0", b"vertex 0.0 0.0", "line 5: expected a number, found 'vertex'"),
        (b"vertex 0.0 0.0 0.0", b"vertex 0.0 0.0 1-2", "line 4: expected a number, found '1-2'"),
        (b"endsolid solid-0", b"endsolid solid-0\nmore", "line 87: 'more' outside of solid"),
        (b"solid solid-0\n", b"", "line 1: expected 'facet'"),
    ],
)
def test_text_that_is_not_as_it_should_be(refused, old, new, message):
    data = mesh_files.text_stl(BOX).replace(old, new, 1)
    found = refused("box.stl", data)
    if old.startswith(b"solid"):
        assert "declares" in found or "not an STL" in found
    else:
        assert found.startswith(message)


def test_garbage(refused):
    rng = np.random.default_rng(1)
    assert "declares" in refused("noise.stl", rng.bytes(500))
    assert "is not an STL file: 10 bytes" in refused("noise.stl", b"0123456789")


def test_count_that_would_not_fit_into_memory(refused):
    data = b"x".ljust(80) + struct.pack("<I", 0xFFFFFFFF) + bytes(50)
    assert "declares 4,294,967,295 triangles" in refused("huge.stl", data)


def test_float32_is_taken_exactly(put):
    vertices = np.array([[0.1, 0.2, 0.3], [1e-30, 1, 1], [3e38, 0, 1]])
    path = put("tenth.stl", mesh_files.binary_stl((vertices, np.array([[0, 1, 2]]))))
    assert np.array_equal(read(path).parts[0].mesh.vertices, vertices.astype("f4").astype("f8"))


def test_signalling_nan_is_an_error_without_a_warning(refused):
    data = bytearray(mesh_files.binary_stl(BOX))
    data[96:100] = struct.pack("<I", 0x7F800001)
    assert "byte 84: triangle 0: a coordinate is not a finite number" in refused(
        "x.stl", bytes(data)
    )
