"""`scripts/compare` finds nothing between a build and itself, and what is planted in another."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import impinge

PROGRAM = Path(__file__).resolve().parents[2] / "scripts" / "compare"
PACKAGE = Path(impinge.__file__).parent
CASES = ("pair/spheres-0/small/bvh", "scene/box_pile-0/small/dop", "points/boxes/ray", "mistakes")
# crossings become touches, an error says something else
PLANTED = """
from dataclasses import replace as _replace
_collide, _raycast = collide, __getattr__("raycast")


def collide(*operands, **options):
    hits = _collide(*operands, **options)
    return _replace(hits, kinds=hits.kinds + (hits.kinds == 1).astype("u1"))


def raycast(*operands, **options):
    try:
        return _raycast(*operands, **options)
    except InputError as error:
        raise InputError(f"{error}!") from None
"""


def compare(what: str, new: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(PROGRAM), what, str(PACKAGE.parent), str(new), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def planted(folder: Path) -> Path:
    """The build of the tests with other answers."""
    package = folder / "impinge"
    package.mkdir()
    for each in PACKAGE.iterdir():
        if each.name not in ("__init__.py", "__pycache__"):
            (package / each.name).symlink_to(each)
    (package / "__init__.py").write_text((PACKAGE / "__init__.py").read_text() + PLANTED)
    return folder


def test_a_build_answers_as_itself() -> None:
    found = compare("answers", PACKAGE.parent, *CASES)
    assert found.returncode == 0, found.stderr
    assert found.stdout.startswith("6 cases")
    assert found.stdout.endswith("; 0 cases differ\n")


def test_a_planted_difference_is_found(tmp_path: Path) -> None:
    found = compare("answers", planted(tmp_path), *CASES)
    assert found.returncode == 1, found.stderr
    pair, mistakes, *texts, last = found.stdout.splitlines()
    assert pair.startswith("pair/spheres-0/small/bvh: include kinds, ")
    assert "include pairs" not in pair
    assert mistakes == "mistakes: t error, direction error"
    assert [text.endswith("!") for text in texts] == [False, True, False, True]
    assert last.endswith("; 2 cases differ")


def test_the_speed_of_a_build_beside_itself() -> None:
    found = compare("speed", PACKAGE.parent, "collides-pose", "--seconds=0.01", "--sittings=1")
    assert found.returncode == 0, found.stderr
    head, row = found.stdout.splitlines()
    assert head.split()[-2:] == ["new/old", "old/old"]
    name, *figures = row.split()
    assert name == "collides-pose"
    assert all(float(figure) > 0 for figure in figures)
