"""`impinge check`."""

from __future__ import annotations

import json

import numpy as np
import pytest

from support import mesh_files, meshes

BOX = meshes.box()
CROSSING = meshes.moved(BOX, (0.5, 0.25, 0.25))
TOUCHING = meshes.moved(BOX, (1, 0, 0))
FAR = meshes.moved(BOX, (9, 0, 0))


@pytest.fixture
def assembly(put):
    """Four boxes: a and b cross, a and c touch, b and c cross, d is alone."""
    nodes = [{"mesh": i, "name": name} for i, name in enumerate("abcd")]
    boxes = [BOX, CROSSING, TOUCHING, FAR]
    return put("boxes.glb", mesh_files.glb(*mesh_files.gltf_document(boxes, nodes)))


def stl(put, name, mesh):
    return put(name, mesh_files.binary_stl(mesh))


def test_two_files_that_collide(impinge, put):
    answer = impinge("check", stl(put, "one.stl", BOX), stl(put, "two.stl", CROSSING))
    assert answer.code == 1
    assert answer.err == ""
    assert "Clashes" in answer.out
    assert "one" in answer.out
    assert "two" in answer.out
    assert answer.out.endswith("1 clash among 2 parts (24 triangles).\n")


def test_two_files_that_do_not(impinge, put):
    answer = impinge("check", stl(put, "one.stl", BOX), stl(put, "two.stl", FAR))
    assert answer == (0, "No collision among 2 parts (24 triangles).\n", "")


def test_contacts_are_told_apart_from_clashes(impinge, assembly):
    answer = impinge("check", assembly)
    assert answer.code == 1
    clashes, contacts = answer.out.split("Contacts that only touch")
    assert clashes.startswith("Clashes")
    assert "crossing" in clashes
    assert "crossing" not in contacts
    assert "2 clashes and 1 contact that only touches among 4 parts (48 triangles)." in contacts


def test_touching_is_a_collision_unless_excluded(impinge, put):
    files = stl(put, "one.stl", BOX), stl(put, "two.stl", TOUCHING)
    answer = impinge("check", *files)
    assert answer.code == 1
    assert answer.out.endswith("1 contact that only touches among 2 parts (24 triangles).\n")
    assert impinge("check", *files, "--touching", "exclude").code == 0


def test_parts_of_all_files_are_checked_against_each_other(impinge, assembly, put):
    answer = impinge("check", assembly, stl(put, "other.stl", FAR), "--json", "-")
    pairs = {(row["a"], row["b"]) for row in json.loads(answer.out)["results"]}
    assert pairs == {
        ("boxes/a", "boxes/b"),
        ("boxes/a", "boxes/c"),
        ("boxes/b", "boxes/c"),
        ("boxes/d", "other"),
    }


def test_poses_of_the_scene_count(impinge, put):
    nodes = [{"mesh": 0, "name": "a"}, {"mesh": 0, "name": "b", "translation": [1.5, 0, 0]}]
    data = mesh_files.glb(*mesh_files.gltf_document([BOX], nodes))
    assert impinge("check", put("apart.glb", data)).code == 0


def test_one_part_has_nothing_to_collide_with(impinge, put):
    path = stl(put, "one.stl", BOX)
    answer = impinge("check", path)
    assert answer.code == 2
    assert answer.out == ""
    assert answer.err.startswith(f"impinge: error: {path}: has one part and nothing to check it")
    assert "--self" in answer.err


def test_self(impinge, put):
    assert impinge("check", stl(put, "one.stl", BOX), "--self").code == 0
    answer = impinge("check", stl(put, "both.stl", meshes.merge(BOX, CROSSING)), "--self")
    assert answer.code == 1
    assert "(itself)" in answer.out


def test_self_in_an_assembly(impinge, put):
    files = stl(put, "both.stl", meshes.merge(BOX, CROSSING)), stl(put, "far.stl", FAR)
    assert impinge("check", *files).code == 0
    assert impinge("check", *files, "--self").code == 1
    assert impinge("check", *files, "--self", "--ignore", "both", "both").code == 0


def test_ignore(impinge, assembly):
    answer = impinge("check", assembly, "--ignore", "a", "b", "--ignore", "c", "b", "--json", "-")
    (left,) = json.loads(answer.out)["results"]
    assert (left["a"], left["b"], left["verdict"]) == ("a", "c", "contact")


def test_ignore_of_an_unknown_part(impinge, put):
    names = ("housing", "cover")
    path = put("two.stl", mesh_files.text_stl(BOX, CROSSING, names=names))
    answer = impinge("check", path, "--ignore", "housin", "cover")
    assert answer == (
        2,
        "",
        "impinge: error: --ignore: no part is called 'housin' (did you mean 'housing'?)\n",
    )
    answer = impinge("check", path, "--ignore", "xyz", "cover")
    assert "no part is called 'xyz'; the parts are 'housing', 'cover'" in answer.err


def test_json(impinge, assembly, tmp_path):
    target = tmp_path / "clash.json"
    answer = impinge("check", assembly, "--json", target)
    assert "Clashes" in answer.out
    found = json.loads(target.read_text())
    assert found["files"] == [str(assembly)]
    assert found["collides"] is True
    assert (found["method"], found["touching"], found["self"]) == ("bvh", "include", False)
    assert found["summary"]["parts"] == 4
    assert (found["summary"]["clashes"], found["summary"]["contacts"]) == (2, 1)
    assert found["parts"][3] == {"name": "d", "triangles": 12}
    assert found["warnings"] == []
    first = found["results"][0]
    assert (first["a"], first["b"], first["verdict"]) == ("a", "b", "clash")
    assert first["pairs"] == sum(first["kinds"].values()) == len(first["faces"])
    # The cube's corner region [0.5, 1] x [0.25, 1] x [0.25, 1] bounds the crossing curve.
    assert first["bounds"] == [[0.5, 0.25, 0.25], [1, 1, 1]]
    assert first["center"] == [0.75, 0.625, 0.625]
    assert np.isclose(first["size"], np.sqrt(0.25 + 2 * 0.75**2))
    assert first["length"] > 0


def test_length_is_that_of_the_crossing_curve(impinge, put):
    # A square rod through a plate: the curve runs once around it on either side.
    plate = meshes.box((-2, -2, 0), (2, 2, 1))
    rod = meshes.box((-0.5, -0.25, -1), (0.5, 0.25, 2))
    files = stl(put, "plate.stl", plate), stl(put, "rod.stl", rod)
    (clash,) = json.loads(impinge("check", *files, "--json", "-").out)["results"]
    assert np.isclose(clash["length"], 2 * 2 * (1 + 0.5))
    assert clash["bounds"] == [[-0.5, -0.25, 0], [0.5, 0.25, 1]]


def test_json_on_stdout_is_nothing_but_json(impinge, assembly):
    answer = impinge("check", assembly, "--json", "-")
    assert answer.code == 1
    assert json.loads(answer.out)["collides"] is True
    assert answer.err == ""


@pytest.mark.parametrize("method", ["bvh", "brute", "auto"])
@pytest.mark.parametrize("workers", [1, 2])
def test_methods_and_workers_agree(impinge, assembly, method, workers):
    options = ("--method", method, "--workers", workers, "--json", "-")
    found = json.loads(impinge("check", assembly, *options).out)
    usual = json.loads(impinge("check", assembly, "--json", "-").out)
    assert found["results"] == usual["results"]


def test_unknown_method(impinge, assembly):
    answer = impinge("check", assembly, "--method", "magic")
    assert answer.code == 2
    assert answer.err.startswith("impinge: error: method 'magic' is unknown; choose one of")
    assert answer.err.count("\n") == 1


def test_quiet(impinge, assembly):
    assert impinge("check", assembly, "--quiet") == (1, "", "")


def test_lenient_warns_and_goes_on(impinge, put):
    broken = put("one.stl", mesh_files.binary_stl(BOX)[:-50])
    other = stl(put, "two.stl", CROSSING)
    assert impinge("check", broken, other).code == 2
    answer = impinge("check", broken, other, "--lenient", "--json", "-")
    assert answer.code == 1
    assert answer.err.startswith(f"impinge: warning: {broken}: byte 80: declares 12 triangles")
    (warning,) = json.loads(answer.out)["warnings"]
    assert "read 11 triangles" in warning


@pytest.mark.parametrize("option", ["--json", "--report", "--png"])
def test_a_mesh_is_never_written_over(impinge, put, option):
    one, two = stl(put, "one.stl", BOX), stl(put, "two.stl", FAR)
    before = two.read_bytes()
    answer = impinge("check", one, option, two)
    assert answer.code == 2
    assert "is the name of a mesh file" in answer.err
    assert two.read_bytes() == before


def test_a_picture(impinge, put, tmp_path):
    one, two = stl(put, "one.stl", BOX), stl(put, "two.stl", CROSSING)
    picture = tmp_path / "clash.png"
    assert impinge("check", one, two, "--quiet", "--png", picture) == (1, "", "")
    assert picture.read_bytes()[:4] == b"\x89PNG"


def test_output_that_cannot_be_written(impinge, assembly, tmp_path):
    target = tmp_path / "gone" / "clash.json"
    answer = impinge("check", assembly, "--json", target)
    assert answer.code == 2
    assert answer.err.startswith(f"impinge: error: {target}: cannot be written")


def test_names_from_files_cannot_paint_the_terminal(impinge, put):
    names = ("[red]evil\x1b[31m", "b")
    path = put("two.stl", mesh_files.text_stl(BOX, CROSSING, names=names))
    answer = impinge("check", path)
    assert "\x1b" not in answer.out
    assert "[red]evil [31m" in answer.out


def test_report(impinge, assembly, tmp_path):
    target = tmp_path / "clash.html"
    assert impinge("check", assembly, "--report", target).code == 1
    assert target.read_text(encoding="utf-8").lstrip().lower().startswith("<!doctype html")


def test_shipped_gearbox(impinge):
    from impinge import data

    known = json.loads(data.path("gearbox.json").read_text())
    answer = impinge("check", data.path("gearbox.glb"), "--json", "-")
    assert answer.code == 1
    found = json.loads(answer.out)["results"]

    def pairs(rows):
        return {frozenset((row["a"], row["b"])) for row in rows}

    assert pairs(row for row in found if row["verdict"] == "clash") == pairs(known["clash"])


def test_a_method_that_finds_bodies_is_refined(impinge, assembly):
    exact, seen = (
        json.loads(impinge("check", assembly, "--method", method, "--json", "-").out)
        for method in ("bvh", "cinder")
    )
    assert seen["method"] == "cinder"
    clashes = [row for row in exact["results"] if row["kinds"]["crossing"]]
    assert [row for row in seen["results"] if row["kinds"]["crossing"]] == clashes


def test_what_may_have_been_missed_is_a_warning(impinge, tmp_path):
    lid = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
    for name, shift in (("a", ""), ("b", "v 9 9 9\n")):
        (tmp_path / f"{name}.obj").write_text(shift + lid)
    answer = impinge("check", tmp_path / "a.obj", tmp_path / "b.obj", "--method", "cinder")
    assert "impinge: warning: bodies 'a', 'b' are not closed" in answer.err
