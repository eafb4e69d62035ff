"""What an SRDF adds to a robot."""

from __future__ import annotations

from pathlib import Path

import pytest

from impinge.robots import Robot
from support.urdf_files import BOX, joint, link
from support.urdf_files import robot as document

# a - b - c - d in a row, and e fixed to b over a link without geometry
FIVE = document(
    link("a", BOX),
    link("b", BOX),
    link("c", BOX),
    link("d", BOX),
    link("x"),
    link("e", BOX),
    joint("ab", "a", "b"),
    joint("bc", "b", "c"),
    joint("cd", "c", "d"),
    joint("bx", "b", "x", "fixed"),
    joint("xe", "x", "e", "fixed"),
)


@pytest.fixture
def with_srdf(robot, put):
    def load(inside: str) -> Robot:
        srdf = f'<?xml version="1.0"?><robot name="tested">{inside}</robot>'
        return robot(FIVE, srdf=put("robot.srdf", srdf.encode()))

    return load


def test_adjacent_links_are_ignored_without_an_srdf(robot) -> None:
    assert robot(FIVE).ignored == (("a", "b"), ("b", "c"), ("b", "e"), ("c", "d"))


def test_siblings_on_a_link_without_geometry_are_checked(robot) -> None:
    made = robot(
        document(
            link("root"),
            link("a", BOX),
            link("b", BOX),
            joint("i", "root", "a"),
            joint("j", "root", "b"),
        )
    )
    assert made.ignored == ()


def test_links_that_only_fixed_joints_part_are_ignored(robot) -> None:
    made = robot(
        document(
            link("root"),
            link("a", BOX),
            link("b", BOX),
            link("c", BOX),
            joint("i", "root", "a", "fixed"),
            joint("j", "root", "b", "fixed"),
            joint("k", "b", "c"),
        )
    )
    assert made.ignored == (("a", "b"), ("b", "c"))


def test_disabled_pairs_join_the_adjacent_ones_and_enabled_ones_leave(with_srdf) -> None:
    made = with_srdf(
        '<disable_collisions link1="d" link2="a" reason="Never"/>'
        '<disable_collisions link1="x" link2="a"/>'
        '<enable_collisions link1="c" link2="b"/>'
    )
    assert made.ignored == (("a", "b"), ("a", "d"), ("b", "e"), ("c", "d"))
    assert made.warnings == ()


def test_a_link_with_its_collisions_disabled_is_only_checked_where_enabled(with_srdf) -> None:
    made = with_srdf(
        '<disable_default_collisions link="e"/><enable_collisions link1="e" link2="d"/>'
    )
    assert made.ignored == (("a", "b"), ("a", "e"), ("b", "c"), ("b", "e"), ("c", "d"), ("c", "e"))


def test_groups_of_joints_links_chains_and_groups(with_srdf) -> None:
    made = with_srdf(
        '<group name="all"><group name="tip"/><group name="low"/></group>'
        '<group name="low"><chain base_link="a" tip_link="c"/></group>'
        '<group name="tip"><link name="d"/><joint name="xe"/></group>'
        '<group name="round"><group name="wheel"/></group>'
        '<group name="wheel"><group name="round"/></group>'
        '<group_state name="up" group="tip"><joint name="cd" value="0.5"/></group_state>'
    )
    assert made.groups == {
        "all": ("ab", "bc", "cd"),
        "low": ("ab", "bc"),
        "tip": ("cd",),
        "round": (),
        "wheel": (),
    }
    assert {name: q.tolist() for name, q in made.states.items()} == {"up": [0.0, 0.0, 0.5]}
    assert made.group("low").joints == ("ab", "bc")


def test_what_does_not_exist_is_left_out_and_told(with_srdf) -> None:
    made = with_srdf(
        '<disable_collisions link1="a" link2="nobody"/><group name="g"><joint name="none"/></group>'
    )
    assert made.ignored == (("a", "b"), ("b", "c"), ("b", "e"), ("c", "d"))
    assert made.groups == {"g": ()}
    assert made.warnings == (
        "line 1: there is no link 'nobody'; left out <disable_collisions>",
        "line 1: there is no joint 'none'; left out <joint>",
    )


@pytest.mark.parametrize(
    ("srdf", "message"),
    [
        ("", "is empty"),
        ("<robot", "line 1: is not valid XML"),
        ("<!DOCTYPE r [<!ENTITY a 'b'>]><robot/>", "declares a document type"),
        ("<group/>", "begins with <group>, expected <robot>"),
        (
            '<robot><disable_collisions link1="a"/></robot>',
            "line 1: <disable_collisions> has no attribute 'link2'",
        ),
        ("<robot><group/></robot>", "<group> has no attribute 'name'"),
        ('<robot><group name="g"/><group name="g"/></robot>', "a second group is called 'g'"),
        (
            '<robot><group name="g"><chain base_link="c" tip_link="a"/></group></robot>',
            "the chain does not lead up from 'a' to 'c'",
        ),
        (
            '<robot><group_state name="s"><joint name="ab" value="nan"/></group_state></robot>',
            "'value' of <joint> must be a finite number, got 'nan'",
        ),
    ],
)
def test_a_bad_srdf_is_one_line(refused, srdf: str, message: str) -> None:
    assert message in refused(FIVE, srdf)


@pytest.mark.parametrize("name", ["fanuc", "panda"])
def test_srdf_of_moveit(shared_data: Path, name: str, tmp_path: Path) -> None:
    """Their meshes are not there, so boxes stand for them."""
    folder = shared_data / "robots"
    text = (folder / f"{name}.urdf").read_text(encoding="utf-8")
    import re

    text = re.sub(r"<mesh [^>]*/>", '<box size="0.05 0.05 0.05"/>', text)
    (tmp_path / "robot.urdf").write_text(text, encoding="utf-8")
    made = Robot.load(tmp_path / "robot.urdf", srdf=folder / f"{name}.srdf")
    pairs = set(map(frozenset, made.ignored))
    listed = re.findall(
        r'<disable_collisions link1="(\w+)" link2="(\w+)"', (folder / f"{name}.srdf").read_text()
    )
    wanted = {frozenset(pair) for pair in listed if set(pair) <= set(made.meshes)}
    assert wanted
    assert wanted <= pairs
    assert made.groups
