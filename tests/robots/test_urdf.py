"""What a URDF may say, and the line that answers what it may not."""

from __future__ import annotations

import numpy as np
import pytest

from impinge.errors import InputError, MeshFileError
from impinge.robots import Robot
from support import meshes
from support.mesh_files import binary_stl
from support.urdf_files import BOX, joint, link
from support.urdf_files import robot as document

TWO = link("a", BOX), link("b", BOX)


def shape(text: str) -> str:
    return document(link("a", f"<geometry>{text}</geometry>"))


def test_links_and_joints_keep_the_order_of_the_file(robot) -> None:
    made = robot(
        document(
            link("z", BOX), link("a"), link("m", BOX), joint("j", "a", "z"), joint("b", "z", "m")
        )
    )
    assert made.links == ("z", "a", "m")
    assert tuple(made.meshes) == ("z", "m")
    assert made.joints == ("j", "b")
    assert made.name == "tested"
    assert repr(made) == "Robot('tested', 2 joints, 2 links with geometry)"


def test_several_shapes_are_one_mesh_in_the_link(robot) -> None:
    shapes = [
        (
            '<origin xyz="1 2 3" rpy="0 0 1.5707963267948966"/><geometry><box size="2 4 '
            '6"/></geometry>'
        ),
        '<geometry><box size="1 1 1"/></geometry>',
    ]
    mesh = robot(document(link("a", *shapes))).meshes["a"]
    assert len(mesh.faces) == 24
    assert mesh.report().closed
    assert np.allclose(mesh.bounds, [(-1, -0.5, -0.5), (3, 3, 6)])
    assert mesh.name == "a"


@pytest.mark.parametrize("scale", ["1 1 1", "2 2 2", "0.001 0.001 0.001", "-1 1 1", "-1 -2 -3"])
def test_a_mesh_is_scaled_and_its_inside_stays_inside(robot, put, scale: str) -> None:
    vertices, faces = meshes.box()
    put("meshes/box.stl", binary_stl((vertices, faces)))
    text = shape(f'<mesh filename="meshes/box.stl" scale="{scale}"/>')
    mesh = robot(text).meshes["a"]
    factors = np.array([float(x) for x in scale.split()])
    corners = np.unique(mesh.vertices, axis=0)
    assert np.allclose(corners, np.unique(vertices * factors, axis=0))
    a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
    volume = (np.cross(a, b) * c).sum() / 6.0
    assert volume == pytest.approx(abs(factors.prod()) * _volume(vertices, faces))
    assert mesh.precision == pytest.approx(
        np.abs(factors).max()
        * robot(shape('<mesh filename="meshes/box.stl"/>')).meshes["a"].precision
    )


def _volume(vertices: np.ndarray, faces: np.ndarray) -> float:
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    return float((np.cross(a, b) * c).sum() / 6.0)


def test_a_file_that_is_used_twice_is_one_mesh(robot, put) -> None:
    put("box.stl", binary_stl(meshes.box()))
    used = '<geometry><mesh filename="box.stl"/></geometry>'
    made = robot(document(link("a", used), link("b", used), joint("j", "a", "b")))
    assert np.shares_memory(made.meshes["a"].vertices, made.meshes["b"].vertices)


@pytest.mark.parametrize("how", ["mapping", "folder", "folders", "the package itself", "above"])
def test_packages_are_found(put, tmp_path, how: str) -> None:
    put("share/arm_description/meshes/box.stl", binary_stl(meshes.box()))
    text = shape('<mesh filename="package://arm_description/meshes/box.stl"/>').encode()
    inside = "share/arm_description/urdf/arm.urdf" if how == "above" else "elsewhere/arm.urdf"
    packages = {
        "mapping": {"arm_description": tmp_path / "share" / "arm_description"},
        "folder": tmp_path / "share",
        "folders": [str(tmp_path), str(tmp_path / "share")],
        "the package itself": tmp_path / "share" / "arm_description",
        "above": None,
    }[how]
    assert len(Robot.load(put(inside, text), packages=packages).meshes["a"].faces) == 12


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "package://nowhere/x.stl",
            (
                "line 3: 'package://nowhere/x.stl': the package 'nowhere' is not found (above "
                "the URDF); pass packages={'nowhere': folder}"
            ),
        ),
        ("package://nowhere", "names no file of a package"),
        ("package:///x/y.stl", "names no file of a package"),
        ("http://example.org/x.stl", "only package://, file:// and paths are, nothing is fetched"),
        ("file:///nowhere/x.stl", "line 3, link 'a': /nowhere/x.stl: no such file"),
        ("missing.stl", "no such file"),
        (".", "directory"),
        ("x.mesh", "unknown extension '.mesh'"),
    ],
)
def test_a_mesh_that_cannot_be_read_is_an_error_at_its_place(refused, put, name, message) -> None:
    put("x.mesh", b"mesh")
    assert message in refused(shape(f'<mesh filename="{name}"/>'))


def test_packages_must_be_folders(robot, tmp_path) -> None:
    text = shape('<box size="1 1 1"/>')
    for packages, message in (
        (tmp_path / "no", "is not a folder"),
        ({"a": tmp_path / "no"}, "is not a folder"),
        ({1: tmp_path}, "names as keys"),
        ([3], "must lead to folders"),
        (5, "packages must be"),
    ):
        with pytest.raises(InputError, match=message):
            robot(text, packages=packages)


LIMITS = '<limit lower="0" upper="1"/>'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty (0 bytes)"),
        ("solid x", "line 1: is not valid XML (syntax error)"),
        ("<robot>", "line 1: is not valid XML (no element found)"),
        ("<sdf/>", "line 1: begins with <sdf>, expected <robot>"),
        (
            '<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:arm/></robot>',
            "line 1: <xacro:arm> is a macro; run xacro first",
        ),
        (
            "<!DOCTYPE r [<!ENTITY a 'b'>]><robot/>",
            "line 1: declares a document type, which is refused",
        ),
        ('<robot xmlns:x="' + "u" * 2000 + '"/>', "a namespace has 2,000 characters"),
        (
            "<robot>" + "<a>" * 100 + "</a>" * 100 + "</robot>",
            "elements stand in each other more than 64 deep",
        ),
        ("<robot>" + "<a/>" * 60_000 + "</robot>", "what the XML holds would take"),
        ('<?xml version="1.0" encoding="martian"?><robot/>', "encoding"),
        (document(), "line 2: a robot must have 1 to 1,000 links, this has 0"),
        (document(*(link(f"l{i}") for i in range(1001))), "this has 1,001"),
        (document("<link/>"), "line 3: <link> has no attribute 'name'"),
        (document('<link name=" "/>'), "has no attribute 'name'"),
        (document(f'<link name="{"n" * 300}"/>'), "a name has 300 characters; the limit is 255"),
        (document(link("a"), link("a")), "line 4: a second link is called 'a'"),
        (document(*TWO), "no joint leads to 'a', 'b'; only one link may have no parent"),
        (
            document(*TWO, joint("j", "a", "b"), joint("j", "a", "b")),
            "a second joint is called 'j'",
        ),
        (
            document(*TWO, joint("i", "a", "b"), joint("j", "a", "b")),
            "line 6: link 'b' is the child of two joints, 'i' and 'j'; loops are not supported",
        ),
        (document(*TWO, joint("j", "a", "c")), "line 5: there is no link 'c'"),
        (
            document(link("base"), link("b"), joint("j", "bass", "b")),
            "there is no link 'bass' (did you mean 'base'?)",
        ),
        (
            document(link("r"), *TWO, joint("j", "a", "b"), joint("k", "b", "a")),
            "line 7: the joints above link 'a' form a circle",
        ),
        (document(*TWO, joint("j", "a", "b"), joint("k", "b", "a")), "form a circle"),
        (document(link("a"), joint("j", "a", "a")), "form a circle"),
        (
            document(*TWO, joint("j", "a", "b", "floating")),
            (
                "joint 'j' is floating, which has no single value; make it fixed and place the "
                "robot with base="
            ),
        ),
        (document(*TWO, joint("j", "a", "b", "planar")), "joint 'j' is planar"),
        (
            document(*TWO, joint("j", "a", "b", "revolut")),
            (
                "joint 'j' has the type 'revolut'; known are revolute, continuous, prismatic, "
                "fixed (did you mean 'revolute'?)"
            ),
        ),
        (
            document(*TWO, joint("j", "a", "b", axis=(0, 0, 0))),
            "an axis of (0, 0, 0) has no direction",
        ),
        (
            document(*TWO, joint("j", "a", "b", xyz=(0, np.nan, 0))),
            "'xyz' of <origin> must be 3 finite numbers, got '0.0 nan 0.0'",
        ),
        (
            document(*TWO, joint("j", "a", "b", rpy=(0, np.inf, 0))),
            "'rpy' of <origin> must be 3 finite numbers",
        ),
        (
            document(*TWO, joint("j", "a", "b", xyz=(0, 1e101, 0))),
            "'xyz' of <origin> must be 3 finite numbers",
        ),
        (
            document(*TWO, joint("j", "a", "b", more='<limit lower="2" upper="1"/>')),
            "joint 'j' has the limits 2 to 1, the lower one above",
        ),
        (
            document(*TWO, joint("j", "a", "b", more='<limit lower="1_0" upper="20"/>')),
            "'lower' of <limit> must be a finite number, got '1_0'",
        ),
        (
            document(
                *TWO, '<joint name="j" type="revolute"><parent link="a"/><child link="b"/></joint>'
            ),
            "joint 'j' is revolute and has no <limit>",
        ),
        (
            document(*TWO, '<joint name="j" type="fixed"><parent link="a"/></joint>'),
            "<joint> has no <child>",
        ),
        (document(*TWO, joint("j", "a", "b", more="<axis/>")), "<joint> has a second <axis>"),
        (
            document(*TWO, joint("j", "a", "b", more='<mimic joint="k"/>')),
            "joint 'j' mimics 'k', which does not exist",
        ),
        (
            document(*TWO, joint("j", "a", "b", more='<mimic joint="j"/>')),
            "joint 'j' mimics itself in a circle",
        ),
        (
            document(
                *TWO,
                link("c"),
                joint("j", "a", "b", more='<mimic joint="k"/>'),
                joint("k", "b", "c", "fixed"),
            ),
            "joint 'j' mimics 'k', which is fixed",
        ),
        (document(link("a", "")), "line 3: <collision> has no <geometry>"),
        (document(link("a", "<geometry/>")), "line 3: <geometry> must hold one shape, got 0"),
        (shape('<box size="1 1 1"/><box size="1 1 1"/>'), "<geometry> must hold one shape, got 2"),
        (
            shape("<cone/>"),
            "the shape <cone> is not known; known are mesh, box, cylinder, sphere, capsule",
        ),
        (shape('<box size="1 1"/>'), "'size' of <box> must be 3 finite numbers, got '1 1'"),
        (shape('<box size="1 1 0"/>'), "all sizes of a box must be above 0"),
        (shape("<box/>"), "<box> has no attribute 'size'"),
        (shape('<sphere radius="-1"/>'), "'radius' of <sphere> must be above 0, got -1"),
        (
            shape('<sphere radius="1e99"/>'),
            "primitive_error 0.001 is too small for a radius of 1e+99",
        ),
        (shape('<cylinder radius="1" length="0"/>'), "'length' of <cylinder> must be above 0"),
        (shape("<mesh/>"), "<mesh> has no attribute 'filename'"),
        (
            shape('<mesh filename="x.stl" scale="0 1 1"/>'),
            "a scale of 0 leaves nothing of the mesh",
        ),
    ],
)
def test_what_is_wrong_is_told_in_one_line(refused, text: str, message: str) -> None:
    assert message in refused(text)


def test_bytes_that_are_no_text_are_refused(refused) -> None:
    for data in (b"\0\0\0\0", b"\xff\xfe<\0", b"<robot name='\xff'/>", b"\x1f\x8b...."):
        assert refused(data)


def refusal(path) -> str:
    """What is wrong with a file; empty when it is read."""
    try:
        Robot.load(path)
    except MeshFileError as error:
        return str(error)
    return ""


def test_every_cut_and_many_changed_bytes_are_an_error_or_a_robot(put) -> None:
    text = document(
        link("a", BOX),
        link("b", '<geometry><sphere radius="0.1"/></geometry>'),
        joint("j", "a", "b", more='<mimic joint="k" multiplier="2"/>'),
        link("c"),
        joint("k", "b", "c", "prismatic"),
    ).encode()
    rng = np.random.default_rng(0)
    damaged = [text[:end] for end in range(0, len(text), 7)]
    for _ in range(300):
        changed = bytearray(text)
        for at in rng.integers(0, len(text), rng.integers(1, 4)):
            changed[at] = rng.integers(256)
        damaged.append(bytes(changed))
    outcomes = set()
    for data in damaged:
        message = refusal(put("robot.urdf", data))
        outcomes.add("refused" if message else "read")
        assert "\n" not in message
        assert "is damaged (" not in message
    assert outcomes == {"read", "refused"}


def test_a_small_document_cannot_fill_the_memory(refused, put) -> None:
    put("box.stl", binary_stl(meshes.grid(60, 60)))
    placed = '<origin xyz="1 0 0"/><geometry><mesh filename="box.stl"/></geometry>'
    many = document(link("a", *[placed] * 2000))
    assert "its geometry would take" in refused(many)


def test_what_is_not_a_path_is_refused() -> None:
    with pytest.raises(InputError, match="path must be a path, got int"):
        Robot.load(3)
    with pytest.raises(MeshFileError, match=r"nowhere\.urdf: no such file"):
        Robot.load("nowhere.urdf")
