"""`impinge check --animation`: intervals of clashes, against what is known by hand."""

from __future__ import annotations

import json

import numpy as np
import pytest

import impinge as package
from support import animated_files, meshes

BOX = meshes.box()
WALL = meshes.box((4, -5, -5), (5, 5, 5))
SLIDE = (1, "translation", "LINEAR", (0, 10), [(0, 0, 0), (20, 0, 0)])


@pytest.fixture
def through(put):
    """A box goes through a wall: in at 1.5 seconds, out at 2.5."""
    return put("moving.glb", animated_files.glb([WALL, BOX], None, SLIDE))


def rows(impinge, *arguments):
    answer = impinge("check", *arguments, "--animation", "--json", "-")
    return json.loads(answer.out)["rows"]


def test_table(impinge, through):
    answer = impinge("check", through, "--animation")
    assert (answer.code, answer.err) == (1, "")
    for text in ("part-0", "part-1", "1.5", "2.5", "1 clash of 2 parts, 1 of them moving"):
        assert text in answer.out


def test_json(impinge, through):
    answer = impinge("check", through, "--animation", "--json", "-")
    content = json.loads(answer.out)
    assert content["schema"] == 1
    assert content["animation"] == {"name": "move", "begin": 0.0, "end": 10.0}
    assert content["summary"] == {"parts": 2, "moving": 1, "pairs": 1, "clashes": 1}
    assert content["failed"] is True
    (row,) = content["rows"]
    assert (row["a"], row["b"], row["certain"]) == ("part-0", "part-1", True)
    assert row["begin"] == pytest.approx(1.5, abs=1e-6)
    assert row["end"] == pytest.approx(2.5, abs=1e-6)
    assert row["where"][0] == pytest.approx(4, abs=1e-5)


def test_a_thin_wall_between_two_frames_is_not_missed(impinge, put):
    wall = meshes.box((4, -5, -5), (4.0001, 5, 5))
    small = meshes.box((0, 0, 0), (0.0001, 0.0001, 0.0001))
    fast = (1, "translation", "LINEAR", (0, 0.02), [(0, 0, 0), (20, 0, 0)])
    file = put("fast.glb", animated_files.glb([wall, small], None, fast))
    (row,) = rows(impinge, file, "--tolerance", "1e-6")
    assert row["begin"] == pytest.approx(0.02 * 3.9999 / 20, rel=1e-4)


def test_a_turning_arm_clashes_on_its_way_round(impinge, put):
    """Two clashes of one pair, held to samples of the exact test."""
    bar = meshes.box((0, -0.1, -0.1), (2, 0.1, 0.1))
    pins = meshes.merge(*(meshes.box((x, 1.4, -1), (x + 0.1, 1.5, 1)) for x in (-0.8, 0.7)))
    keys = [animated_files.turn(2, angle) for angle in (0, 90, 180)]
    file = put(
        "arm.glb",
        animated_files.glb([pins, bar], None, (1, "rotation", "LINEAR", (0, 1, 2), keys)),
    )
    found = rows(impinge, file)
    assert len(found) == 2
    times = np.linspace(0, 2, 2001)
    poses = np.tile(np.eye(4), (len(times), 1, 1))
    angles = times * np.pi / 2
    poses[:, 0, 0], poses[:, 0, 1] = np.cos(angles), -np.sin(angles)
    poses[:, 1, 0], poses[:, 1, 1] = np.sin(angles), np.cos(angles)
    truth = package.collides(pins, bar, poses=poses, touching="exclude")
    told = np.zeros(len(times), bool)
    for row in found:
        told |= (times >= row["begin"]) & (times <= row["end"])
    assert (truth != told).sum() <= 4


def test_jumps_are_no_motion(impinge, put):
    """What jumps over the wall does not clash with it; what jumps into it does."""
    over = (1, "translation", "STEP", (0, 1, 2), [(0, 0, 0), (9, 0, 0), (12, 0, 0)])
    assert rows(impinge, put("over.glb", animated_files.glb([WALL, BOX], None, over))) == []
    into = (1, "translation", "STEP", (0, 1, 2), [(0, 0, 0), (3.5, 0, 0), (12, 0, 0)])
    (row,) = rows(impinge, put("into.glb", animated_files.glb([WALL, BOX], None, into)))
    assert row["begin"] == 1.0
    assert row["end"] == pytest.approx(2.0)
    last = (1, "translation", "STEP", (0, 1), [(0, 0, 0), (3.5, 0, 0)])
    (row,) = rows(impinge, put("last.glb", animated_files.glb([WALL, BOX], None, last)))
    assert (row["begin"], row["end"]) == (1.0, 1.0)


def test_stretched_and_mirrored_parts(impinge, put):
    nodes = [
        {"name": "wall", "mesh": 0},
        {"name": "mover", "children": [2]},
        {"name": "part", "mesh": 1, "scale": [-2, 1, 1]},
    ]
    file = put("stretched.glb", animated_files.glb([WALL, BOX], nodes, SLIDE))
    (row,) = rows(impinge, file)
    # from -2 to 0: in when it has come 4, out at 7
    assert row["begin"] == pytest.approx(2.0, abs=1e-6)
    assert row["end"] == pytest.approx(3.5, abs=1e-6)


def test_what_grows_is_refused(impinge, put):
    grow = (1, "scale", "LINEAR", (0, 1), [(1, 1, 1), (2, 2, 2)])
    answer = impinge(
        "check", put("g.glb", animated_files.glb([WALL, BOX], None, grow)), "--animation"
    )
    assert answer.code == 2
    assert "changes the size or shape of 'part-1'" in answer.err


def test_ignored_pairs_and_exit_codes(impinge, through, put):
    assert impinge("check", through, "--animation", "--ignore", "part-0", "part-1").code == 0
    assert impinge("check", through, "--animation", "--fail-on", "never").code == 0
    away = (1, "translation", "LINEAR", (0, 1), [(0, 0, 0), (-5, 0, 0)])
    answer = impinge(
        "check", put("away.glb", animated_files.glb([WALL, BOX], None, away)), "--animation"
    )
    assert answer.code == 0
    assert answer.out == "0 clashes of 2 parts, 1 of them moving, from 0 to 1 seconds.\n"


def test_report(impinge, through, tmp_path):
    page = tmp_path / "time.html"
    assert impinge("check", through, "--animation", "--report", page).code == 1
    text = page.read_text(encoding="utf-8")
    assert "part-0 × part-1" in text
    assert 'style="left:15.000%;width:10.000%"' in text
    assert "1 clash" in text
    assert "<script" not in text


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--csv", "-"), "--csv does not go with --animation"),
        (("--self",), "--self does not go"),
        (("--clearance", "1"), "--clearance does not go"),
        (("--fail-on", "contact"), "--fail-on contact does not go"),
    ],
)
def test_options_that_make_no_sense(impinge, through, options, message):
    answer = impinge("check", through, "--animation", *options)
    assert answer.code == 2
    assert message in answer.err


def test_a_file_without_animation(impinge, put):
    from support import mesh_files

    answer = impinge("check", put("a.obj", mesh_files.obj(BOX)), "--animation")
    assert answer.code == 2
    assert "only glTF files" in answer.err
