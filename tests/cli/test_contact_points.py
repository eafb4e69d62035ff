"""`impinge contact-points`."""

from __future__ import annotations

import json

import numpy as np
import pytest

import impinge as package
from support import mesh_files, meshes

BALL = meshes.sphere(8)
NEAR = meshes.moved(BALL, (1.5, 0, 0))


@pytest.fixture
def two(put):
    return put("left.obj", mesh_files.obj(BALL)), put("right.obj", mesh_files.obj(NEAR))


def test_table(impinge, two):
    answer = impinge("contact-points", *two)
    assert answer.code == 0
    assert answer.err == ""
    found = package.contact_points(BALL, NEAR)
    assert "left" in answer.out
    assert "right" in answer.out
    assert f"{len(found)} contact points by ray between 1 pair of parts" in answer.out
    assert f"{found.depth.max():.4g}" in answer.out


def test_json(impinge, two):
    answer = impinge("contact-points", *two, "--json", "-")
    content = json.loads(answer.out)
    found = package.contact_points(BALL, NEAR)
    assert content["schema"] == 1
    assert content["parts"] == ["left", "right"]
    assert [file["parts"] for file in content["files"]] == [1, 1]
    rows = content["contact_points"]
    np.testing.assert_allclose([row["depth"] for row in rows], found.depth)
    np.testing.assert_allclose([row["points"] for row in rows], found.points)
    np.testing.assert_allclose([row["normal"] for row in rows], found.normals)
    assert [row["bodies"] for row in rows] == found.bodies.tolist()
    assert [row["face"] for row in rows] == found.faces.tolist()
    assert "suspicious" not in rows[0]
    (pair,) = content["pairs"]
    assert (pair["a"], pair["b"], pair["points"]) == ("left", "right", len(found))
    assert pair["depth"] == pytest.approx(found.depth.max())
    assert content["warnings"] == []


def test_proximity(impinge, two):
    options = ("--method", "proximity", "--threshold", "0.1", "--json", "-")
    content = json.loads(impinge("contact-points", *two, *options).out)
    assert content["method"] == "proximity"
    assert content["threshold"] == 0.1
    assert {row["rest"] for row in content["contact_points"]} == {0.1}
    assert all(0 <= row["depth"] <= 0.1 for row in content["contact_points"])


def test_none(impinge, put):
    far = meshes.moved(BALL, (5, 0, 0))
    files = put("a.obj", mesh_files.obj(BALL)), put("b.obj", mesh_files.obj(far))
    assert impinge("contact-points", *files) == (0, "0 contact points by ray\n", "")
    assert json.loads(impinge("contact-points", *files, "--json", "-").out)["pairs"] == []


def test_itself(impinge, put):
    path = put("a.obj", mesh_files.obj(BALL))
    answer = impinge("contact-points", path)
    assert answer.code == 2
    assert "has one part and nothing to check it against" in answer.err
    assert "--self" in answer.err
    assert impinge("contact-points", path, "--self").code == 0


def test_ignored(impinge, two):
    answer = impinge("contact-points", *two, "--ignore", "left", "right")
    assert answer.out == "0 contact points by ray\n"
    answer = impinge("contact-points", *two, "--ignore", "left", "rihgt")
    assert answer.code == 2
    assert "no part is called 'rihgt'" in answer.err


def test_inside_out_is_told(impinge, put):
    flipped = NEAR[0], NEAR[1][:, ::-1]
    files = put("a.obj", mesh_files.obj(BALL)), put("b.obj", mesh_files.obj(flipped))
    answer = impinge("contact-points", *files, "--json", "-")
    assert answer.code == 0
    assert "warning: body 'b' is inside out" in answer.err
    assert "body 'b' is inside out" in json.loads(answer.out)["warnings"][0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--threshold", "1"), "--threshold needs --method proximity"),
        (("--method", "bvh"), "Invalid value for '--method'"),
        (("--method", "proximity", "--threshold", "-1"), "is not a length of at least 0"),
        (("--method", "proximity", "--threshold", "0"), "threshold must be a finite number above"),
        (("--json", "out.stl"), "is the name of a mesh file"),
    ],
)
def test_bad_usage(impinge, two, options, message):
    answer = impinge("contact-points", *two, *options)
    assert answer.code == 2
    assert answer.out == ""
    assert message in answer.err
    assert answer.err.count("\n") == 1


def test_open_parts_are_named(impinge, put):
    files = put("a.obj", mesh_files.obj(BALL)), put("lid.obj", mesh_files.obj(meshes.grid(2, 2)))
    answer = impinge("contact-points", *files)
    assert answer.code == 2
    assert "body 'lid' is not closed" in answer.err
    assert impinge("contact-points", *files, "--method", "proximity").code == 0
