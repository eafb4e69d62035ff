"""`impinge check`: the files it writes, and what other methods see."""

from __future__ import annotations

import csv
import json
import os

import numpy as np
import pytest

from impinge import data
from support import mesh_files, meshes
from support.json_schema import problems

BOX = meshes.box()
CROSSING = meshes.moved(BOX, (0.5, 0.25, 0.25))
TOUCHING = meshes.moved(BOX, (1, 0, 0))
FAR = meshes.moved(BOX, (9, 0, 0))
OUTPUTS = {"--json": ".json", "--csv": ".csv", "--report": ".html", "--png": ".png"}


@pytest.fixture
def assembly(put):
    """Three boxes, a and b cross, a and c touch, b and c cross."""
    nodes = [{"mesh": i, "name": name} for i, name in enumerate("abc")]
    boxes = [BOX, CROSSING, TOUCHING]
    return put("boxes.glb", mesh_files.glb(*mesh_files.gltf_document(boxes, nodes)))


def stl(put, name, mesh):
    return put(name, mesh_files.binary_stl(mesh))


def test_json(impinge, assembly, tmp_path):
    target = tmp_path / "clash.json"
    answer = impinge("check", assembly, "--json", target)
    assert "2 clashes" in answer.out
    found = json.loads(target.read_text())
    assert (found["schema"], found["failed"]) == (1, True)
    (file,) = found["files"]
    assert (file["file"], file["parts"]) == (str(assembly), 3)
    assert file["numbers"] == "float32 coordinates up to 2"
    assert found["options"]["tolerance"] == "precision"
    assert found["summary"]["parts"] == 3
    assert (found["summary"]["clashes"], found["summary"]["contact"]) == (2, 1)
    assert (found["parts"][2]["name"], found["parts"][2]["triangles"]) == ("c", 12)
    assert found["warnings"] == []
    first = found["rows"][0]
    assert (first["a"], first["b"], first["verdict"]) == ("a", "b", "clash")
    assert (first["relation"], first["reason"]) == ("overlapping", None)
    assert np.isclose(first["depth"], 0.5)
    assert np.isclose(first["volume"], 0.5 * 0.75 * 0.75)
    assert first["face_pairs"] == len(first["faces"]) > 0
    assert first["bounds"] == [[0.5, 0.25, 0.25], [1, 1, 1]]
    assert first["tolerance"] == found["parts"][0]["precision"] + found["parts"][1]["precision"]


def test_json_on_stdout_is_nothing_but_json(impinge, assembly):
    answer = impinge("check", assembly, "--json", "-")
    assert answer.code == 1
    assert json.loads(answer.out)["failed"] is True
    assert answer.err == ""


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--self", "--method", "peel", "--tolerance", "0"),
        ("--clearance", "20", "--ignore", "a", "b", "--fail-on", "never"),
        ("--touching", "exclude", "--facets", "clash", "--method", "cinder"),
    ],
)
def test_json_is_as_its_schema_says(impinge, put, options):
    twice = meshes.merge(FAR, meshes.moved(FAR, (0.5, 0.2, 0.1)))
    boxes = [BOX, CROSSING, TOUCHING, FAR, twice, meshes.grid(3, 3)]
    nodes = [{"mesh": i, "name": name} for i, name in enumerate("abcdef")]
    path = put("parts.glb", mesh_files.glb(*mesh_files.gltf_document(boxes, nodes)))
    found = json.loads(impinge("check", path, *options, "--json", "-").out)
    schema = json.loads(data.path("check.schema.json").read_text())
    assert problems(found, schema, schema) == []
    assert found["rows"]
    assert bool(found["self"]) == ("--self" in options)


def test_what_is_not_as_the_schema_says_is_noticed():
    schema = json.loads(data.path("check.schema.json").read_text())
    found = problems({"schema": 2, "new": 2, "rows": [{"a": 1}]}, schema, schema)
    for problem in ("$.files: missing", "$.new: unknown", "$.rows[0].a: 1 is no string"):
        assert problem in found
    assert "$.schema: 2 against const 1" in found


def test_csv(impinge, assembly, tmp_path):
    target = tmp_path / "clash.csv"
    assert impinge("check", assembly, "--csv", target).code == 1
    rows = list(csv.DictReader(target.read_text().splitlines()))
    assert [(row["a"], row["b"], row["verdict"]) for row in rows] == [
        ("a", "b", "clash"),
        ("b", "c", "clash"),
        ("a", "c", "contact"),
    ]
    assert float(rows[0]["volume"]) == pytest.approx(0.28125)
    assert impinge("check", assembly, "--csv", "-").out == target.read_text()


METHODS = ["bvh", "brute", "auto", "peel", "ray", "cinder", "proximity"]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("workers", [1, 2])
def test_verdicts_do_not_depend_on_methods_and_workers(impinge, assembly, method, workers):
    options = ("--method", method, "--workers", workers, "--json", "-")
    found = json.loads(impinge("check", assembly, *options).out)
    usual = json.loads(impinge("check", assembly, "--json", "-").out)
    assert found["rows"] == usual["rows"]
    assert found["missed"] == (None if method in ("auto", "bvh") else [])


def test_a_method_says_what_it_saw(impinge, assembly):
    answer = impinge("check", assembly, "--method", "brute")
    assert answer.out.endswith(
        "brute found 3 of the 3 pairs of parts whose faces meet; the verdicts above do not depend "
        "on it.\n"
    )
    answer = impinge("check", assembly, "--method", "cinder")
    assert "cinder found 2 of the 2 overlapping pairs;" in answer.out


def test_a_method_says_what_it_missed(impinge, put):
    """In an image, a part that is smaller than a pixel is not seen."""
    speck = meshes.moved(meshes.box((0, 0, 0), (1e-4, 1e-4, 1e-4)), (0.99995, 0.5, 0.5))
    files = stl(put, "block.stl", BOX), stl(put, "speck.stl", speck), stl(put, "far.stl", FAR)
    found = json.loads(impinge("check", *files, "--method", "cinder", "--json", "-").out)
    assert found["missed"] == [["block", "speck"]]
    assert [row["verdict"] for row in found["rows"]] == ["clash"]
    told = impinge("check", *files, "--method", "cinder").out
    assert "cinder found 0 of the 1 overlapping pairs, not block × speck;" in told


INSIDE = meshes.box((0.25, 0.25, 0.25), (0.75, 0.75, 0.75))
BARS = meshes.box((-2, 0.3, 0.3), (3, 0.7, 0.7)), meshes.box((0.3, -2, 0.3), (0.7, 3, 0.7))
TOUCHING = meshes.moved(BOX, (1.0, 0.0, 0.0))


@pytest.mark.parametrize(
    ("parts", "verdict", "code"),
    [
        ((BOX, INSIDE), "inside", 1),
        (BARS, "clash", 1),
        ((BOX, BOX), "duplicate", 1),
        ((BOX, TOUCHING), "contact", 0),
        ((BOX, FAR), None, 0),
    ],
)
def test_an_image_decides_no_verdict_and_no_exit_code(impinge, put, parts, verdict, code):
    """What crosses, lies within, only touches or is apart, in the image or not."""
    files = [stl(put, f"{name}.stl", part) for name, part in zip("ab", parts, strict=True)]
    for options in ((), ("--method", "cinder")):
        answer = impinge("check", *files, *options, "--json", "-")
        assert answer.code == code
        found = json.loads(answer.out)
        assert [row["verdict"] for row in found["rows"]] == ([verdict] if verdict else [])
    # nor does the image itself say otherwise
    assert found["missed"] == []
    scene = impinge_scene(*parts)
    overlaps = scene.overlaps(method="cinder").pairs.tolist()
    if code:
        assert overlaps == [[0, 1]]
    elif verdict is None:
        assert overlaps == []


def impinge_scene(*parts):
    import impinge

    scene = impinge.Scene()
    for part in parts:
        scene.add(*part)
    return scene


def test_a_method_that_cannot_tell_says_so(impinge, put):
    lid = meshes.moved(meshes.grid(3, 3), (-0.5, 0.2, 0.5))
    files = stl(put, "lid.stl", lid), stl(put, "box.stl", BOX)
    answer = impinge("check", *files, "--method", "ray")
    assert answer.code == 1
    assert "impinge: warning: ray cannot tell: " in answer.err


def test_what_a_method_may_have_missed_is_a_warning(impinge, tmp_path):
    lid = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
    for name, shift in (("a", ""), ("b", "v 9 9 9\n")):
        (tmp_path / f"{name}.obj").write_text(shift + lid)
    answer = impinge("check", tmp_path / "a.obj", tmp_path / "b.obj", "--method", "cinder")
    assert "impinge: warning: bodies 'a', 'b' are not closed" in answer.err


def test_unknown_method(impinge, assembly):
    answer = impinge("check", assembly, "--method", "magic")
    assert answer.code == 2
    assert answer.err.startswith("impinge: error: method 'magic' is unknown; choose one of")
    assert answer.err.count("\n") == 1


@pytest.mark.parametrize("option", OUTPUTS)
def test_a_mesh_is_never_written_over(impinge, put, option):
    one, two = stl(put, "one.stl", BOX), stl(put, "two.stl", FAR)
    before = two.read_bytes()
    answer = impinge("check", one, option, two)
    assert answer.code == 2
    assert "is the name of a mesh file" in answer.err
    assert two.read_bytes() == before


@pytest.mark.parametrize(("option", "extension"), OUTPUTS.items())
def test_paths_are_checked_before_the_work(impinge, tmp_path, option, extension):
    """The mesh file does not exist, and is not even looked for."""
    (tmp_path / f"folder{extension}").mkdir()
    for name, cause in (
        ("clash.pdf", f"does not end in {extension}"),
        (f"gone/clash{extension}", "cannot be written: there is no folder"),
        (f"folder{extension}", "is a folder"),
    ):
        answer = impinge("check", "missing.stl", option, tmp_path / name)
        assert answer.code == 2
        assert cause in answer.err
        assert f"Invalid value for '{option}'" in answer.err
        assert answer.err.count("\n") == 1


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_is_write_protected(impinge, tmp_path):
    tmp_path.chmod(0o555)
    answer = impinge("check", "missing.stl", "--json", tmp_path / "clash.json")
    assert "permission denied" in answer.err


@pytest.mark.skipif(os.name != "posix", reason="devices of POSIX")
def test_devices_take_anything(impinge, assembly):
    assert impinge("check", assembly, "--json", "/dev/null", "--quiet") == (1, "", "")


def test_a_picture(impinge, assembly, tmp_path):
    picture = tmp_path / "clash.png"
    assert impinge("check", assembly, "--quiet", "--png", picture) == (1, "", "")
    assert picture.read_bytes()[:4] == b"\x89PNG"


def test_report(impinge, assembly, tmp_path):
    target = tmp_path / "clash.html"
    assert impinge("check", assembly, "--report", target).code == 1
    page = target.read_text(encoding="utf-8")
    assert page.lstrip().lower().startswith("<!doctype html")
    assert "off by up to 1.5e-07 (float32 coordinates up to 2)" in page


def test_report_with_self_intersections(impinge, put, tmp_path):
    target = tmp_path / "own.html"
    path = stl(put, "both.stl", meshes.merge(BOX, CROSSING))
    assert impinge("check", path, "--self", "--report", target).code == 1
    assert "(itself)" in target.read_text(encoding="utf-8")
