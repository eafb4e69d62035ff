"""`impinge check`: verdicts, tolerances, exit codes, and the table."""

from __future__ import annotations

import json

import numpy as np
import pytest

from support import mesh_files, meshes
from support.tables import cells

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


def test_two_files_that_clash(impinge, put):
    answer = impinge("check", stl(put, "one.stl", BOX), stl(put, "two.stl", CROSSING))
    assert answer.code == 1
    assert answer.err == ""
    assert cells(answer.out)[0][:5] == ["one", "two", "clash", "0.5", "0.2812"]
    assert "1 clash among 2 parts (24 triangles).\n" in answer.out


def test_two_files_that_do_not(impinge, put):
    answer = impinge("check", stl(put, "one.stl", BOX), stl(put, "two.stl", FAR))
    assert answer.code == 0
    assert answer.out.startswith("No clash among 2 parts (24 triangles).\n")


def test_clashes_come_first_and_contacts_tell_why(impinge, assembly):
    answer = impinge("check", assembly)
    assert answer.code == 1
    assert [row[:3] for row in cells(answer.out)] == [
        ["a", "b", "clash"],
        ["b", "c", "clash"],
        ["a", "c", "contact"],
    ]
    assert cells(answer.out)[2][3:7] == ["-", "-", "-", "touch"]
    assert "2 clashes and 1 contact among 4 parts (48 triangles)." in answer.out


def test_a_healthy_assembly_passes(impinge, put):
    files = stl(put, "one.stl", BOX), stl(put, "two.stl", TOUCHING)
    answer = impinge("check", *files)
    assert answer.code == 0
    assert "No clash and 1 contact among 2 parts (24 triangles).\n" in answer.out
    answer = impinge("check", *files, "--touching", "exclude")
    assert answer.code == 0
    assert answer.out.startswith("No clash among 2 parts")


@pytest.mark.parametrize(
    ("fail_on", "codes"),
    [("clash", (1, 0, 0)), ("contact", (1, 1, 0)), ("near", (1, 1, 1)), ("never", (0, 0, 0))],
)
def test_fail_on(impinge, put, fail_on, codes):
    one = stl(put, "one.stl", BOX)
    others = CROSSING, TOUCHING, meshes.moved(BOX, (1.5, 0, 0))
    for other, code in zip(others, codes, strict=True):
        two = stl(put, "two.stl", other)
        options = ("--fail-on", fail_on, "--clearance", 0.75)
        assert impinge("check", one, two, *options).code == code


def test_a_bolt_inside_a_block(impinge, put):
    bolt = meshes.box((0.4, 0.4, 0.4), (0.5, 0.5, 0.6))
    answer = impinge("check", stl(put, "block.stl", BOX), stl(put, "bolt.stl", bolt))
    assert answer.code == 1
    ((_, _, verdict, depth, volume, *_),) = cells(answer.out)
    assert (verdict, depth, volume) == ("inside", "0.5", "0.002")
    assert "\n1 part inside another among 2 parts" in answer.out


def test_the_same_box_twice(impinge, put):
    answer = impinge("check", stl(put, "one.stl", BOX), stl(put, "two.stl", BOX))
    assert answer.code == 1
    assert cells(answer.out)[0][2:5] == ["duplicate", "0.5", "1"]


def test_a_box_pushed_into_one_of_the_same_section(impinge, put):
    pushed = meshes.moved(BOX, (0.75, 0, 0))
    answer = impinge("check", stl(put, "one.stl", BOX), stl(put, "two.stl", pushed))
    assert answer.code == 1
    assert cells(answer.out)[0][2:5] == ["clash", "0.25", "0.25"]


def test_clearance_lists_gaps_by_distance(impinge, put):
    boxes = BOX, meshes.moved(BOX, (1.25, 0, 0)), meshes.moved(BOX, (0, 1.125, 0))
    path = put("three.stl", mesh_files.text_stl(*boxes, names=("a", "b", "c")))
    answer = impinge("check", path, "--clearance", "0.5")
    assert answer.code == 0
    assert [(row[0], row[1], row[2], row[5]) for row in cells(answer.out)] == [
        ("a", "c", "near", "0.125"),
        ("a", "b", "near", "0.25"),
        ("b", "c", "near", "0.2795"),
    ]
    assert "No clash and 3 gaps below the clearance among 3 parts" in answer.out


def test_tolerance(impinge, put):
    """An overlap of 1e-3: a clash, unless the tolerance says otherwise."""
    files = stl(put, "one.stl", BOX), stl(put, "two.stl", meshes.moved(BOX, (0.999, 0, 0)))
    assert impinge("check", *files).code == 1
    answer = impinge("check", *files, "--tolerance", "0.01")
    assert answer.code == 0
    assert cells(answer.out)[0][2:4] == ["contact", "0.001"]
    assert cells(answer.out)[0][6] == "precision"
    assert answer.out.endswith("Tolerance 0.01.\n")
    answer = impinge("check", *files, "--tolerance", "0")
    assert answer.code == 1
    assert answer.out.endswith("Tolerance 0: exact for the numbers as they are.\n")


def test_the_default_tolerance_is_the_precision_of_the_files(impinge, put):
    """The overlap is the rounding of float32: a contact, and the output says by which numbers."""
    single = np.float32(100 / 3)
    third = meshes.box((0, 0, 0), (single, 1, 1))
    beyond = meshes.box((np.nextafter(single, np.float32(0)), 0, 0), (50, 1, 1))
    one, two = stl(put, "one.stl", third), put("two.obj", mesh_files.obj(beyond))
    answer = impinge("check", one, two)
    assert answer.code == 0
    assert cells(answer.out)[0][6] == "precision"
    assert f"  {one}: off by up to 2e-06 (float32 coordinates up to 33.3)\n" in answer.out
    assert f"  {two}: off by up to 3e-06 (float32 coordinates up to 50)\n" in answer.out
    assert impinge("check", one, two, "--tolerance", 0).code == 1


def test_the_least_precise_of_many_files_are_told(impinge, put):
    files = [stl(put, f"{i}.stl", meshes.moved(BOX, (2.0 * i, 0, 0))) for i in range(6)]
    told = impinge("check", *files).out.splitlines()
    assert [line.split(":")[0].rpartition("/")[2] for line in told[2:6]] == [
        "5.stl",
        "4.stl",
        "3.stl",
        "2.stl",
    ]
    assert told[6] == "  and 2 more files, none less precise"


def test_facets(impinge, put):
    """A peg of 48 sides in a hole of 32: a contact, unless facets are to be clashes."""
    peg, plate = meshes.prism(48, radius=5.0), meshes.holed_plate(32, radius=5.0)
    files = stl(put, "peg.stl", peg), stl(put, "plate.stl", plate)
    answer = impinge("check", *files)
    ((_, _, verdict, depth, _, _, reason, *_),) = cells(answer.out)
    assert (answer.code, verdict, reason) == (0, "contact", "facets")
    assert 0.01 < float(depth) < 0.03
    assert impinge("check", *files, "--facets", "clash").code == 1


def test_parts_of_all_files_are_checked_against_each_other(impinge, assembly, put):
    answer = impinge("check", assembly, stl(put, "other.stl", FAR), "--json", "-")
    pairs = {(row["a"], row["b"]): row["verdict"] for row in json.loads(answer.out)["rows"]}
    assert pairs == {
        ("boxes/a", "boxes/b"): "clash",
        ("boxes/a", "boxes/c"): "contact",
        ("boxes/b", "boxes/c"): "clash",
        ("boxes/d", "other"): "duplicate",
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
    assert answer.out.startswith("Self-intersections\n")
    assert "(itself)" in answer.out
    assert "No clash and 1 part that meets itself among 1 part (24 triangles)." in answer.out


def test_self_in_an_assembly(impinge, put):
    files = stl(put, "both.stl", meshes.merge(BOX, CROSSING)), stl(put, "far.stl", FAR)
    assert impinge("check", *files).code == 0
    assert impinge("check", *files, "--self").code == 1
    assert impinge("check", *files, "--self", "--fail-on", "never").code == 0
    assert impinge("check", *files, "--self", "--ignore", "both", "both").code == 0


def test_a_part_that_only_touches_itself(impinge, put):
    beside = meshes.moved(BOX, (1, 0.5, 0.25))
    files = stl(put, "both.stl", meshes.merge(BOX, beside)), stl(put, "far.stl", FAR)
    assert impinge("check", *files, "--self").code == 0
    assert impinge("check", *files, "--self", "--fail-on", "contact").code == 1


def test_ignore(impinge, assembly):
    answer = impinge("check", assembly, "--ignore", "a", "b", "--ignore", "c", "b", "--json", "-")
    (left,) = json.loads(answer.out)["rows"]
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


def test_quiet(impinge, assembly):
    assert impinge("check", assembly, "--quiet") == (1, "", "")


def test_lenient_warns_and_goes_on(impinge, put):
    broken = put("one.stl", mesh_files.binary_stl(BOX)[:-50])
    other = stl(put, "two.stl", CROSSING)
    assert impinge("check", broken, other).code == 2
    answer = impinge("check", broken, other, "--lenient", "--json", "-")
    assert answer.code == 1
    assert answer.err.startswith(f"impinge: warning: {broken}: byte 80: declares 12 triangles")
    assert "read 11 triangles" in json.loads(answer.out)["warnings"][0]


def test_an_open_part_is_a_surface(impinge, put):
    """Its crossing is a clash without a depth, and what would help is a warning."""
    lid = meshes.moved(meshes.grid(3, 3), (-0.5, 0.2, 0.5))
    answer = impinge("check", stl(put, "lid.stl", lid), stl(put, "box.stl", BOX))
    assert answer.code == 1
    assert cells(answer.out)[0][2:5] == ["clash", "?", "?"]
    assert cells(answer.out)[0][6] == "open part"
    assert "'lid' is open" in answer.err


def test_numbers_coarser_than_the_file_tells_are_suspected(impinge, put):
    """Faces of float64 that overlap by a rounding of float32."""
    third = meshes.box((0, 0, 0), (1 / 3, np.pi, np.e))
    beyond = meshes.box((1 / 3 - 3e-8, 0, 0), (1, np.pi, np.e))
    files = put("one.obj", mesh_files.obj(third)), put("two.obj", mesh_files.obj(beyond))
    answer = impinge("check", *files)
    assert answer.code == 1
    assert "1 clash is at most 3e-08 deep: the numbers may have been rounded more" in answer.err
    assert "--tolerance 1e-07 takes" in answer.err
    answer = impinge("check", *files, "--tolerance", "1e-7")
    assert (answer.code, answer.err) == (0, "")


def test_many_warnings_are_cut_with_a_word(impinge, put):
    lids = [meshes.moved(meshes.grid(2, 2), (0.1 * i, 0, 0.1 * i)) for i in range(13)]
    path = put("lids.stl", mesh_files.text_stl(*lids))
    answer = impinge("check", path, "--quiet", "--clearance", "5")
    assert len(answer.err.splitlines()) == 11
    assert answer.err.endswith("and 3 more warnings; --json FILE.json has all\n")


def test_many_rows_are_cut_with_a_word(impinge, put):
    row = [meshes.moved(BOX, (i, 0, 0)) for i in range(206)]
    path = put("row.stl", mesh_files.text_stl(*row))
    answer = impinge("check", path)
    assert len(cells(answer.out)) == 200
    assert "Shown are 200 of 205 rows; --csv FILE.csv writes all.\n" in answer.out
    assert len(impinge("check", path, "--csv", "-").out.splitlines()) == 206


def test_names_from_files_cannot_paint_the_terminal(impinge, put):
    names = ("[red]evil\x1b[31m", "b")
    path = put("two.stl", mesh_files.text_stl(BOX, CROSSING, names=names))
    answer = impinge("check", path)
    assert "\x1b" not in answer.out
    assert "[red]evil [31m" in answer.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--tolerance", "-1"), "-1 is not a length of at least 0"),
        (("--tolerance", "nan"), "is not a length"),
        (("--clearance", "wide"), "'wide' is not a valid float"),
        (("--fail-on", "near"), "--fail-on near needs --clearance"),
        (("--fail-on", "contact", "--touching", "exclude"), "needs the contacts"),
        (("--json", "-", "--csv", "-"), "cannot both go to stdout"),
    ],
)
def test_options_that_make_no_sense(impinge, assembly, arguments, message):
    answer = impinge("check", assembly, *arguments)
    assert answer.code == 2
    assert message in answer.err
    assert answer.err.count("\n") == 1


def test_shipped_gearbox(impinge):
    from impinge import data

    known = json.loads(data.path("gearbox.json").read_text())
    answer = impinge("check", data.path("gearbox.glb"), "--json", "-")
    assert answer.code == 1
    found = json.loads(answer.out)["rows"]

    def pairs(rows):
        return {frozenset((row["a"], row["b"])) for row in rows}

    assert pairs(row for row in found if row["verdict"] == "clash") == pairs(known["clash"])
    depths = [row["depth"] for row in found]
    assert depths == sorted(depths, reverse=True)
