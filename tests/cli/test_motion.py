"""`impinge motion`, and how poses are written on the command line."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from impinge.cli.poses import pose_of_numbers
from support import mesh_files, meshes

TABLE = meshes.box((0, 0, 0), (4, 4, 1))
BLOCK = meshes.box((1, 1, 1), (2, 2, 2))


@pytest.fixture
def two(put):
    return put("table.obj", mesh_files.obj(TABLE)), put("block.obj", mesh_files.obj(BLOCK))


def test_a_contact(impinge, two):
    answer = impinge("motion", *two, "--from", "0,0,3", "--to", "0,0,-1")
    assert answer.code == 1
    assert answer.err == ""
    assert "table" in answer.out
    assert "block" in answer.out
    assert "0.75" in answer.out
    assert "Until then the motion is certainly free." in answer.out


def test_a_free_motion(impinge, two):
    answer = impinge("motion", *two, "--from", "0,0,3", "--to", "9,0,2")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out == "No contact: the motion is certainly free.\n"


def test_json(impinge, two):
    content = json.loads(
        impinge("motion", *two, "--from", "0,0,3", "--to", "0,0,-1", "--json", "-").out
    )
    assert content["schema"] == 1
    assert content["free"] is False
    assert content["certain"] is True
    assert content["start"] == "free"
    assert content["time"] == pytest.approx(0.75, abs=1e-12)
    assert content["parts"] == ["table", "block"]
    assert content["normal"] == [0, 0, 1]
    assert np.array(content["pose"])[2, 3] == pytest.approx(0.0, abs=1e-12)
    assert content["options"]["screw"] is False
    away = json.loads(
        impinge("motion", *two, "--from", "0,0,3", "--to", "0,0,9", "--json", "-").out
    )
    assert away["free"] is True
    assert [away[key] for key in ("time", "gap", "parts", "pair", "point", "normal", "pose")] == [
        None
    ] * 7


def test_without_from_it_begins_where_its_file_has_it(impinge, two):
    answer = impinge("motion", *two, "--to", "0,0,3")
    assert answer.code == 1
    assert "They are touching in the beginning." in answer.out
    answer = impinge("motion", *two, "--to", "0,0,3", "--touching", "exclude")
    assert answer.code == 0


def test_parts_of_an_assembly_are_named(impinge, put):
    nodes = [
        {"mesh": 0, "name": "near", "translation": [3, 0, 0]},
        {"mesh": 0, "name": "far", "translation": [9, 0, 0]},
    ]
    cell = put("cell.glb", mesh_files.glb(*mesh_files.gltf_document([meshes.box()], nodes)))
    tool = put("tool.obj", mesh_files.obj(meshes.box()))
    options = ("--from", "20,0,0", "--to", "6,0,0", "--json", "-")
    content = json.loads(impinge("motion", cell, tool, *options).out)
    assert content["parts"][0] == "far"
    assert content["time"] == pytest.approx(10 / 14, abs=1e-9)
    assert max(content["pair"]) < 12


def test_screws_and_poses_on_the_way(impinge, two, tmp_path):
    over = ("--from", "0,0,3", "--through", "5,0,3", "--to", "5,0,-3")
    assert impinge("motion", *two, *over).code == 0
    assert impinge("motion", *two, "--from", "0,0,3", "--to", "5,0,-3").code == 1
    goal = tmp_path / "goal.json"
    goal.write_text(json.dumps(np.eye(4).tolist()))
    answer = impinge("motion", *two, "--from", "0,0,2,0,0,90", "--screw", "--to", goal)
    assert answer.code == 1
    assert "1" in answer.out
    answer = impinge("motion", *two, "--screw", "--through", "0,0,1", "--to", "0,0,2")
    assert answer.code == 2
    assert "--screw" in answer.err


@pytest.mark.parametrize(
    ("pose", "message"),
    [
        ("1,2", "has 2 numbers; a pose has 3, 6, 12 or 16"),
        ("a,b,c", "is neither numbers with commas nor a JSON file"),
        ("nan,0,0", "has a number that is not finite"),
        ("missing.json", "cannot be read"),
        ("2 0 0 0 0 1 0 0 0 0 1 0", "is no rotation"),
        ("0,0,0,0,0,180", "half a turn apart"),
    ],
)
def test_bad_poses_are_told(impinge, two, pose, message):
    answer = impinge("motion", *two, "--to", pose)
    assert answer.code == 2
    assert message in answer.err
    assert len(answer.err.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{", "is not JSON"),
        (b'{"a": 1}', "something else"),
        (b"[true, 0, 0]", "something else"),
        (b"[" * 100_000, "is not JSON"),
        (b" " * (1 << 21), "too large"),
        (b"[[1, 2], 3, [[4]]]", "something else"),
    ],
)
def test_bad_pose_files_are_told(impinge, two, tmp_path, content, message):
    file = tmp_path / "pose.json"
    file.write_bytes(content)
    answer = impinge("motion", *two, "--to", file)
    assert answer.code == 2
    assert message in answer.err


def test_poses_in_words() -> None:
    assert pose_of_numbers([1, 2, 3]).tolist() == [
        [1, 0, 0, 1], [0, 1, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1]
    ]  # fmt: skip
    assert pose_of_numbers([0, 0, 0, 0, 0, 90])[:2, :2].tolist() == [[0, -1], [1, 0]]
    assert pose_of_numbers([0, 0, 0, 90, 0, 0])[1:3, 1:3].tolist() == [[0, -1], [1, 0]]
    # first about x, then about z
    turned = pose_of_numbers([0, 0, 0, 90, 0, 90])[:3, :3] @ [0, 1, 0]
    assert turned == pytest.approx([0, 0, 1])
    third = pose_of_numbers([0, 0, 0, 0, -30, 0])
    assert third[0, 2] == pytest.approx(-0.5)
    assert third[0, 0] == pytest.approx(math.cos(math.pi / 6))
    with pytest.raises(ValueError, match="16"):
        pose_of_numbers([1.0] * 5)
