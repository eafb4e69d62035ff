"""OBJ files."""

from __future__ import annotations

import numpy as np
import pytest

from support import mesh_files, meshes

SPHERE = meshes.sphere(5)
BOX = meshes.box()
TETRAHEDRON = meshes.tetrahedron((3, 0, 0))
TRIANGLE = "v 0 0 0\nv 1 0 0\nv 0 1 0\n"


def test_read_to_the_last_bit(load):
    (part,) = load("ball.obj", mesh_files.obj(SPHERE)).parts
    assert part.name == "ball"
    assert np.array_equal(part.mesh.vertices, SPHERE[0])
    assert np.array_equal(part.mesh.faces, SPHERE[1])


@pytest.mark.parametrize(
    "face",
    [
        "f 1 2 3", "f 1/1 2/2 3/3", "f 1//1 2//2 3//3", "f 1/1/1 2/2/2 3/3/3", "f -3 -2 -1",
        "  f\t1  2 3  # here", "f 1 2 \\\n  3", "f 1 2 3\ng\ns off\nusemtl red",
        "vt 0 0\nvn 0 0 1\nf 1/1/1 2/1/1 3/1/1", "f 1 2 3\r",
    ],
)  # fmt: skip
def test_faces_in_all_notations(load, face):
    (part,) = load("one.obj", f"# comment\nmtllib x.mtl\n{TRIANGLE}{face}\n").parts
    assert part.mesh.faces.tolist() == [[0, 1, 2]]


def test_negative_indices_count_from_where_they_stand(load):
    text = f"{TRIANGLE}f -3 -2 -1\nv 0 0 5\nf -4 -3 -1\n"
    (part,) = load("one.obj", text).parts
    assert part.mesh.faces.tolist() == [[0, 1, 2], [0, 1, 3]]


def test_vertices_may_carry_weights_and_colours(load):
    text = "v 0 0 0 1\nv 1 0 0 0.5 0.5 0.5\nv 0 1 0\nf 1 2 3\n"
    (part,) = load("one.obj", text).parts
    assert part.mesh.vertices.tolist() == [[0, 0, 0], [1, 0, 0], [0, 1, 0]]


@pytest.mark.parametrize("keyword", ["o", "g"])
def test_objects_or_groups_become_parts(load, keyword):
    data = mesh_files.obj(BOX, TETRAHEDRON, names=("the box #1", "tetra"), keyword=keyword)
    model = load("two.obj", data)
    assert [part.name for part in model.parts] == ["the box #1", "tetra"]
    assert np.array_equal(model.parts[0].mesh.vertices, BOX[0])
    assert np.array_equal(model.parts[1].mesh.vertices, TETRAHEDRON[0])
    assert np.array_equal(model.parts[1].mesh.faces, TETRAHEDRON[1])


def test_objects_win_over_groups(load):
    text = f"o one\ng a\n{TRIANGLE}f 1 2 3\ng b\nf 1 3 2\no two\nf 2 1 3\n"
    assert [part.name for part in load("two.obj", text).parts] == ["one", "two"]


def test_a_group_that_is_taken_up_again_is_one_part(load):
    text = f"{TRIANGLE}g a\nf 1 2 3\ng b\nf 1 3 2\ng a\nf 2 1 3\n"
    model = load("two.obj", text)
    assert [(part.name, len(part.mesh.faces)) for part in model.parts] == [("a", 2), ("b", 1)]
    (whole,) = load("two.obj", text, split=False).parts
    assert whole.mesh.faces.tolist() == [[0, 1, 2], [0, 2, 1], [1, 0, 2]]


def test_one_object_keeps_the_name_of_the_file(load):
    (part,) = load("bracket.obj", mesh_files.obj(BOX, names=("Cube.001",))).parts
    assert part.name == "bracket"


def test_polygons(load):
    (part,) = load("quad.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n").parts
    assert part.mesh.faces.tolist() == [[0, 1, 2], [0, 2, 3]]


def test_leading_counts_must_hold(load, refused):
    assert load("counted.obj", f"3 1\n{TRIANGLE}f 1 2 3\n").triangles == 1
    message = refused("counted.obj", f"3 2\n{TRIANGLE}f 1 2 3\n")
    assert message.startswith("line 1: unknown statement '3'")


@pytest.mark.parametrize(
    ("face", "message"),
    [
        ("f 1 2 4", "line 4: uses vertex 4, but 1 to 3 exist"),
        ("f 1 2 0", "line 4: uses vertex 0, but 1 to 3 exist"),
        ("f 1 2 -4", "line 4: uses vertex -4, but 1 to 3 exist"),
        ("f 1 2 99999999999999999999", "line 4: uses vertex 9223372036854775807"),
        ("f 1 2", "line 4: a face has 2 corners"),
        ("f", "line 4: a face has 0 corners"),
        ("f 1 2 x", "line 4: 'x' is not a vertex index"),
        ("f 1 2 3.5", "line 4: '3.5' is not a vertex index"),
        ("f 1 2 /3", "line 4: '/3' is not a vertex index"),
        ("v 1 nan 0\nf 1 2 4", "line 4: a coordinate is not a finite number (1, nan, 0)"),
        ("v 1 inf 0\nf 1 2 3", "line 4: a coordinate is not a finite number"),
        ("v 1 1e200 0\nf 1 2 4", "line 4: a coordinate is larger than 1e+100"),
        ("v 1 2\nf 1 2 3", "line 4: a vertex needs 3 coordinates, found 2 numbers"),
        ("v 1 2 3,5\nf 1 2 3", "line 4: '3,5' is not a number"),
        ("fx 1 2 3", "line 4: unknown statement 'fx'"),
        ("surf 0 1 0 1 1 2 3", "line 4: 'surf' is a free-form curve or surface"),
        ("", "contains no triangles"),
        ("\\\n\nf 1 2 \\\n\\\n7\nf 1 2 3", "line 6: uses vertex 7"),
    ],
)
def test_broken(refused, face, message):
    assert refused("broken.obj", f"{TRIANGLE}{face}\n").startswith(message)


def test_garbage(refused):
    assert "unknown statement" in refused("x.obj", b"\x00\x01\x02\xff\n" * 50)
    assert "unknown statement 'solid'" in refused("x.obj", mesh_files.text_stl(BOX))


def test_lenient_counts_what_it_drops(load):
    text = f"{TRIANGLE}v nan 0 0\nf 1 2 3\nf 1 2 9\nf 1 2\nf 1 2 4\nfoo\nbar\n"
    model = load("broken.obj", text, lenient=True)
    assert model.triangles == 1
    told = " | ".join(model.warnings)
    assert "ignored 2 lines" in told
    assert "dropped 1 face with fewer than 3 corners" in told
    assert "dropped 1 face with an index out of range" in told
    assert "dropped 1 vertex and 1 face using them" in told


def test_many_vertices_between_faces(load):
    model = load("two.obj", mesh_files.obj(BOX, TETRAHEDRON))
    (part,) = model.parts
    assert np.array_equal(part.mesh.faces[12:], TETRAHEDRON[1] + 8)


def test_a_file_that_calls_another_is_refused(refused, load):
    text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\ncall other.obj\n"
    message = "line 5: 'call' includes another file, which is not read"
    assert refused("call.obj", text) == message
    model = load("call.obj", text, lenient=True)
    assert model.warnings == (f"{message}; ignored 1 line",)


def test_a_lone_sign_is_no_index(refused):
    text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf - 1 1-2\n"
    assert refused("x.obj", text) == "line 5: '-' is not a vertex index"


def test_lines_of_begin_and_end(refused, load):
    """`end` closes a free-form body; `begin` is no statement of this format."""
    text = "v 0 0 0\nv 1 0 0\nv 0 1 0\n{}f 1 2 3\nend\n"
    assert load("end.obj", text.format("")).triangles == 1
    message = refused("begin.obj", text.format("begin\n"))
    assert message.startswith("line 4: unknown statement 'begin'")
    assert load("begin.obj", text.format("begin\n"), lenient=True).triangles == 1


def test_lines_are_counted_through_continuations(refused):
    text = "v 0 0 0\nv 1 \\\n 0 \\ \t\r\n 0\nv 0 1 0\n# C:\\x\nf 1 \\\n2 3\nf 1 2 x\n"
    assert refused("x.obj", text) == "line 9: 'x' is not a vertex index"


def test_a_continuation_at_the_end(load):
    assert load("x.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 \\\n3\\\n").triangles == 1


def test_parts_hold_their_own_vertices_in_order(load):
    """Small parts of many vertices and large ones are cut out in two ways."""
    n = 400
    rows = [f"v {i} {i * i % 7} {i % 3}" for i in range(n)]
    rows += [
        "g small",
        "f 399 7 3",
        "g large",
        *[f"f {i} {i + 1} {i + 2}" for i in range(1, n - 1)],
    ]
    small, large = load("two.obj", "\n".join(rows)).parts
    assert small.mesh.vertices[:, 0].tolist() == [2, 6, 398]
    assert small.mesh.faces.tolist() == [[2, 1, 0]]
    assert np.array_equal(large.mesh.vertices[:, 0], np.arange(n))


def test_the_corners_of_a_face_are_limited(refused, load):
    def outline(n):
        turns = np.linspace(0, 2 * np.pi, n, endpoint=False)
        rows = [f"v {x:.9f} {y:.9f} 0" for x, y in zip(np.cos(turns), np.sin(turns), strict=True)]
        return "\n".join([*rows, "f " + " ".join(map(str, range(1, n + 1)))])

    assert load("large.obj", outline(20_000)).triangles == 19_998
    message = refused("huge.obj", outline(100_001))
    assert message == "line 100002: a face has 100,001 corners; the limit is 100,000"


def test_groups_are_told_apart_by_their_whole_names(load):
    names = tuple("n" * 300 + end for end in "ab")
    model = load("two.obj", mesh_files.obj(meshes.box(), meshes.box(), names=names))
    assert [part.name for part in model.parts] == ["n" * 255] * 2
