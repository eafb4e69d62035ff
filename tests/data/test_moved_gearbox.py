"""The gearbox keeps its verdicts when it is moved and saved with rounded numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from impinge import load_scene
from support import moved_gearbox
from support.moved_gearbox import differences, gearbox, motion, verdicts


@pytest.fixture(scope="module")
def parts() -> moved_gearbox.Parts:
    return gearbox()


@pytest.fixture(scope="module")
def expected() -> moved_gearbox.Rows:
    found = verdicts(load_scene(moved_gearbox.path()))
    names = [verdict for verdict, _ in found.values()]
    assert (names.count("clash"), names.count("contact"), len(names)) == (6, 54, 60)
    return found


@pytest.mark.parametrize("seed", [0, 3])
def test_moved_and_saved(parts, expected, seed: int, tmp_path: Path) -> None:
    for form, scene in moved_gearbox.saved(parts, motion(seed), tmp_path):
        assert differences(verdicts(scene), expected, parts) == [], form


def test_two_parts_that_exist_twice(parts, expected, tmp_path: Path) -> None:
    twice = moved_gearbox.doubled(parts, seed=1)
    for form, scene in moved_gearbox.saved(twice, motion(1), tmp_path):
        found = verdicts(scene)
        assert [verdict for verdict, _ in found.values()].count("duplicate") == 2
        assert differences(found, expected, twice) == [], form


@pytest.mark.parametrize("name", ["cover", "idler-gear"])
def test_a_part_that_is_mirrored_back_by_its_pose(parts, expected, name, tmp_path: Path) -> None:
    scene = moved_gearbox.mirrored(parts, motion(2), name, tmp_path)
    assert differences(verdicts(scene), expected, parts) == []


def test_what_differs_is_noticed(parts, expected) -> None:
    pair = next(iter(expected))
    verdict, depth = expected[pair]
    assert differences({**expected, pair: ("apart", 0.0)}, expected, parts)
    clash = next(pair for pair, (verdict, _) in expected.items() if verdict == "clash")
    deeper = {**expected, clash: ("clash", expected[clash][1] * 1.002)}
    (line,) = differences(deeper, expected, parts)
    assert " deep instead of " in line
    assert differences(expected, expected, parts) == []
    assert (verdict, depth) == expected[pair]
