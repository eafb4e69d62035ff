"""OFF files."""

from __future__ import annotations

import numpy as np
import pytest

from support import mesh_files, meshes

SPHERE = meshes.sphere(5)
BOX = meshes.box()


def test_read_to_the_last_bit(load):
    (part,) = load("ball.off", mesh_files.off(SPHERE)).parts
    assert np.array_equal(part.mesh.vertices, SPHERE[0])
    assert np.array_equal(part.mesh.faces, SPHERE[1])


@pytest.mark.parametrize(
    "text",
    [
        "OFF 3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
        "OFF\n3 1\n0 0 0\n1 0 0\n\n0 1 0 # a comment\n3 0 1 2 255 0 0",
        "COFF\n3 1 0\n0 0 0 255 0 0\n1 0 0 255 0 0\n0 1 0 1 2 3\n3 0 1 2\n",
        "# first\nOFF # then\r\n3 1 0\r\n0 0 0\r\n1 0 0\r\n0 1 0\r\n3 0 1 2 7\r\n",
    ],
)
def test_variants(load, text):
    (part,) = load("one.off", text).parts
    assert part.mesh.vertices.tolist() == [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    assert part.mesh.faces.tolist() == [[0, 1, 2]]


def test_polygons_with_and_without_colours(load):
    text = "OFF\n4 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3 0.5 0.5 0.5\n3 0 1 2\n"
    (part,) = load("mixed.off", text).parts
    assert part.mesh.faces.tolist() == [[0, 1, 2], [0, 2, 3], [0, 1, 2]]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (b"OFF\n", b"OF\n", "line 1: is not an OFF file"),
        (b"OFF\n", b"4OFF\n", "line 1: is not an OFF file of 3D points"),
        (b"OFF\n", b"OFF BINARY\n", "line 1: is a binary OFF file"),
        (b"8 12 0", b"8 13 0", "declares 13 faces but delivers 12 (truncated?)"),
        (b"8 12 0", b"8 11 0", "line 23: 1 line more than the 8 vertices and 11 faces"),
        (b"8 12 0", b"7 12 0", "line 23: 1 line more"),
        (b"8 12 0", b"9 12 0", "declares 12 faces but delivers 11"),
        (b"8 12 0", b"8 twelve 0", "line 3: expected the counts"),
        (b"8 12 0", b"8 -12 0", "line 3: expected the counts"),
        (b"\n3 0 1 3", b"\n3 0 1 8", "line 12: face 0: uses vertex 8, but only 0 to 7 exist"),
        (b"\n3 0 1 3", b"\n3 0 -1 3", "line 12: face 0: uses vertex -1"),
        (b"\n3 0 1 3", b"\n3 0 1.5 3", "line 12: a vertex index is not an integer"),
        (b"\n3 0 1 3", b"\n3 0 1", "line 12: fewer corners than announced"),
        (b"\n3 0 1 3", b"\n2 0 1", "line 12: a face has 2 corners"),
        (b"\n0.0 0.0 0.0", b"\n0.0 nan 0.0", "line 4: vertex 0: a coordinate is not a finite"),
        (b"\n0.0 0.0 0.0", b"\n0.0 0.0", "line 4: a vertex needs 3 numbers"),
        (b"\n0.0 0.0 0.0", b"\n0.0 0.0 x", "line 4: 'x' is not a number"),
    ],
)
def test_broken(refused, old, new, message):
    data = mesh_files.off(BOX)
    assert old in data
    assert refused("box.off", data.replace(old, new, 1)).startswith(message)


def test_lenient_drops_the_missing_tail(load):
    data = mesh_files.off(BOX)
    model = load("box.off", data[: data.rstrip().rfind(b"\n")], lenient=True)
    assert model.triangles == 11
    assert "dropped 1 face" in model.warnings[0]


def test_only_a_keyword(refused):
    assert refused("x.off", "OFF\n") == "has no line with the counts of vertices and faces"
