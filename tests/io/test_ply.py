"""PLY files, text and binary."""

from __future__ import annotations

import numpy as np
import pytest

from support import mesh_files, meshes

SPHERE = meshes.sphere(5)
BOX = meshes.box()
ORDERS = ("", "<", ">")


@pytest.mark.parametrize("order", ORDERS)
def test_doubles_are_read_to_the_last_bit(load, order):
    (part,) = load("ball.ply", mesh_files.ply(SPHERE, order=order)).parts
    assert part.name == "ball"
    assert np.array_equal(part.mesh.vertices, SPHERE[0])
    assert np.array_equal(part.mesh.faces, SPHERE[1])


@pytest.mark.parametrize("order", ["<", ">"])
def test_floats(load, order):
    (part,) = load("ball.ply", mesh_files.ply(SPHERE, order=order, kind="f4")).parts
    assert np.array_equal(part.mesh.vertices, SPHERE[0].astype("f4"))


@pytest.mark.parametrize("order", ORDERS)
def test_polygons_become_fans_in_order(load, order):
    polygons = [[0, 1, 3, 2], [4, 6, 7], [0, 4, 5, 1]]
    (part,) = load("box.ply", mesh_files.ply(BOX, order=order, polygons=polygons)).parts
    expected = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [0, 4, 5], [0, 5, 1]]
    assert part.mesh.faces.tolist() == expected


HEADER = """ply
format ascii 1.0
element camera 1
property float focus
element vertex 3
property int x
property int y
property int z
property list uchar int tags
element face 1
property uchar flag
property list uchar float weights
property list int uint vertex_index
element edge 1
property int a
property int b
end_header
"""


def test_other_elements_and_properties_are_passed_over(load):
    body = "1.5\n0 0 0 0\n1 0 0 2 8 9\n0 1 0 1 5\n7 2 0.5 0.5 3 0 1 2\n0 1\n"
    (part,) = load("odd.ply", HEADER + body).parts
    assert part.mesh.faces.tolist() == [[0, 1, 2]]
    assert part.mesh.vertices.tolist() == [[0, 0, 0], [1, 0, 0], [0, 1, 0]]


def test_other_elements_in_binary(load):
    header = HEADER.replace("ascii", "binary_big_endian").replace(
        "property list uchar int tags\n", ""
    )
    body = np.array([1.5], ">f4").tobytes() + np.eye(3, dtype=">i4").tobytes()
    body += b"\7\2" + np.array([0.5, 0.5], ">f4").tobytes()
    body += np.array([3, 0, 1, 2], ">i4").tobytes() + np.array([0, 1], ">i4").tobytes()
    (part,) = load("odd.ply", header.encode() + body).parts
    assert part.mesh.faces.tolist() == [[0, 1, 2]]


def test_strips(load):
    header = HEADER.replace(
        "element face 1\nproperty uchar flag\nproperty list uchar float weights\n",
        "element tristrips 1\n",
    ).replace("int uint", "int int")
    body = "1.5\n0 0 0 0\n1 0 0 0\n0 1 0 0\n8 0 1 2 0 -1 2 1 0\n0 1\n"
    (part,) = load("strip.ply", header + body).parts
    assert part.mesh.faces.tolist() == [[0, 1, 2], [1, 0, 2], [2, 1, 0]]


@pytest.mark.parametrize("order", ORDERS)
def test_truncated_faces(refused, load, order):
    data = mesh_files.ply(BOX, order=order)
    # Binary faces are 13 bytes, text lines are 8.
    data = data[: -(13 + 6)] if order else data[: -(8 + 4)]
    message = refused("box.ply", data)
    if order:
        assert message.endswith(
            "the header declares 12 rows of element face, the file ends after 10 (truncated?)"
        )
    else:
        assert "ends after 11" in message
    model = load("box.ply", data, lenient=True)
    assert model.triangles == 10
    assert "of face" in model.warnings[0]


@pytest.mark.parametrize("order", ORDERS)
def test_truncated_vertices(refused, load, order):
    data = mesh_files.ply(BOX, order=order)
    cut = data[: data.index(b"end_header\n") + 60]
    message = refused("box.ply", cut)
    assert "element vertex" in message or "too few numbers" in message
    assert load("box.ply", cut, lenient=True).triangles == 0


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("index", [-1, 8, 2_000_000_000])
def test_index_out_of_range(refused, load, order, index):
    polygons = [[0, 1, 2], [2, 1, index], [1, 2, 3]]
    data = mesh_files.ply(BOX, order=order, polygons=polygons)
    message = refused("box.ply", data)
    assert message == f"element face 1: uses vertex {index}, but only 0 to 7 exist"
    model = load("box.ply", data, lenient=True)
    assert model.triangles == 2
    assert "dropped 1 face " in model.warnings[0]


@pytest.mark.parametrize("order", ORDERS)
def test_nan(refused, load, order):
    vertices = BOX[0].copy()
    vertices[3, 0] = np.nan
    data = mesh_files.ply((vertices, BOX[1]), order=order)
    message = refused("box.ply", data)
    assert message == "element vertex 3: a coordinate is not a finite number (nan, 1, 1)"
    assert load("box.ply", data, lenient=True).triangles == int((BOX[1] != 3).all(axis=1).sum())


@pytest.mark.parametrize("order", ORDERS)
def test_more_rows_than_declared(refused, load, order):
    data = mesh_files.ply(BOX, order=order).replace(b"element face 12", b"element face 11")
    assert "more than the header declares" in refused("box.ply", data)
    assert load("box.ply", data, lenient=True).triangles == 11


@pytest.mark.parametrize("order", ORDERS)
def test_face_with_two_corners(refused, load, order):
    data = mesh_files.ply(BOX, order=order, polygons=[[0, 1, 2], [0, 1], [1, 2, 3]])
    assert refused("box.ply", data) == "element face 1: has 2 corners, a face needs 3"
    assert load("box.ply", data, lenient=True).triangles == 2


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (b"ply\n", b"plx\n", "line 1: is not a PLY file"),
        (b"end_header", b"end_heder", "the header has no end_header line"),
        (b"format ascii", b"format asci", "line 2: not understood"),
        (b"vertex 8", b"vertex -8", "line 4: expected 'element NAME COUNT'"),
        (b"vertex 8", b"vertex many", "line 4: expected 'element NAME COUNT'"),
        (b"double y", b"doble y", "line 6: property not understood"),
        (b"double y", b"double why", "header: the vertex element has no property y"),
        (b"vertex_indices", b"corner_indices", "header: the face element has no list property"),
        (b"int vertex_indices", b"float vertex_indices", "header: vertex_indices is a list of f4"),
        (b"element vertex", b"element vertices", "the header declares no vertex element"),
        (b"0.0 0.0 0.0 7", b"0.0 0.0 zero 7", "line 12: 'zero' is not a number"),
        (b"0.0 0.0 0.0 7", b"0.0 0.0 0.0", "line 12: too few numbers in '0.0 0.0 0.0'"),
        (b"0.0 0.0 0.0 7", b"0.0 0.0 0.0 7 7", "line 12: too many numbers"),
        (b"\n3 0 1 3", b"\n3 0 1.5 3", "line 20: an item of vertex_indices is not an integer"),
        (b"\n3 0 1 3", b"\n-3 0 1 3", "line 20: a bad list length"),
        (b"\n3 0 1 3", b"\n4 0 1 3", "line 20: too few numbers"),
    ],
)
def test_text_that_is_not_as_it_should_be(refused, old, new, message):
    data = mesh_files.ply(BOX)
    assert old in data
    assert refused("box.ply", data.replace(old, new, 1)).startswith(message)


def test_point_cloud_has_no_triangles(refused):
    data = mesh_files.ply((BOX[0], np.zeros((0, 3), int)))
    assert refused("points.ply", data) == "contains no triangles"


def test_corrupt_list_length_does_not_allocate(refused):
    header = HEADER.replace("ascii", "binary_little_endian").replace(
        "uchar int tags", "int int tags"
    )
    body = np.array([1.5], "<f4").tobytes() + np.array([0, 0, 0, 2**31 - 1], "<i4").tobytes()
    assert refused("evil.ply", header.encode() + body)


TWO_TRIANGLES = "0 0 0\n1 0 0\n0 1 0\n0 0 5\n1 0 5\n0 1 5\n"


def six_points(form, *more):
    """A header of six vertices and more, and the vertices."""
    lines = [f"ply\nformat {form} 1.0\nelement vertex 6", *[f"property float {a}" for a in "xyz"]]
    header = "\n".join([*lines, *more, "end_header\n"]).encode()
    if form == "ascii":
        return header + TWO_TRIANGLES.encode()
    order = "<" if form == "binary_little_endian" else ">"
    return header + np.array(TWO_TRIANGLES.split(), dtype=float).astype(f"{order}f4").tobytes()


def list_row(form, *items):
    if form == "ascii":
        return " ".join(map(str, (len(items), *items))).encode() + b"\n"
    order = "<" if form == "binary_little_endian" else ">"
    return np.array((len(items), *items), dtype=f"{order}i4").tobytes()


FORMS = ("ascii", "binary_little_endian", "binary_big_endian")
INT_LIST = "property list int int vertex_indices"


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("second", [3, 4])
def test_every_row_of_strips_is_a_strip(load, form, second):
    head = six_points(form, "element tristrips 2", INT_LIST)
    rows = list_row(form, 0, 1, 2) + list_row(form, *range(2, 2 + second))
    (part,) = load("two.ply", head + rows).parts
    assert part.mesh.faces.tolist() == [[0, 1, 2], [2, 3, 4], [3, 5, 4]][: second - 1]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["vertex", "face", "tristrips"])
def test_an_element_of_geometry_is_declared_once(refused, form, name):
    own = [f"property float {a}" for a in "xyz"] if name == "vertex" else [INT_LIST]
    again = () if name == "vertex" else (f"element {name} 1", *own)
    head = six_points(form, *again, f"element {name} 1", *own)
    rows = list_row(form, 0, 1, 2) + list_row(form, 3, 4, 5)
    assert refused("x.ply", head + rows) == f"header: declares the element {name} twice"


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("element", "again", "message"),
    [
        ("vertex", "property float x", "element vertex has the property x twice"),
        ("face", INT_LIST, "element face has the property vertex_indices twice"),
        (
            "face",
            INT_LIST.replace("indices", "index"),
            "the face element has both vertex_indices and vertex_index",
        ),
    ],
)
def test_a_property_of_geometry_is_declared_once(refused, form, element, again, message):
    face = ("element face 1", INT_LIST)
    more = (again, *face) if element == "vertex" else (*face, again)
    assert refused("x.ply", six_points(form, *more)) == f"header: {message}"


def test_other_elements_and_properties_may_be_there_twice(load):
    other = ("element hair 1", "property int a", "property int a")
    head = six_points("ascii", *other, "element face 1", INT_LIST, *other)
    assert load("x.ply", head + b"7 8\n3 0 1 2\n7 8\n").triangles == 1


@pytest.mark.parametrize("order", ["<", ">"])
def test_elements_without_properties_or_rows_are_passed_over(load, order):
    data = mesh_files.ply(BOX, order=order)
    changed = data.replace(b"element vertex", b"element nothing 0\nelement vertex", 1)
    assert load("x.ply", changed).triangles == 12


def test_text_keeps_all_digits_of_what_is_declared_float(load):
    """A header of text tells how the writer kept its numbers; the numbers are what it wrote."""
    data = mesh_files.ply(SPHERE, kind="f4")
    assert b"property float x" in data
    (part,) = load("ball.ply", data).parts
    assert np.array_equal(part.mesh.vertices, SPHERE[0])
    assert not np.array_equal(part.mesh.vertices, SPHERE[0].astype("f4"))


def test_a_bad_row_before_one_that_is_cut_off(refused):
    rows = TWO_TRIANGLES + "3 0 1 2 9\n3 0 1"
    data = six_points("ascii", "element face 2", INT_LIST).decode().replace(TWO_TRIANGLES, rows)
    message = refused("x.ply", data, lenient=True)
    assert message == "line 16: too many numbers in '3 0 1 2 9'"
