"""The shipped assembly is what its description says, pair by pair."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import impinge
from impinge import data
from impinge.errors import InputError

ROOT = Path(__file__).resolve().parents[2]
LIMITS = {"triangles": 20_000, "bytes": 400_000}


@pytest.fixture(scope="module")
def truth() -> dict[str, Any]:
    return dict(json.loads(data.path("gearbox.json").read_text()))


@pytest.fixture(scope="module")
def scene() -> impinge.Scene:
    return impinge.load_scene(data.path("gearbox.glb"))


def _pairs(truth: dict[str, Any], kind: str) -> set[frozenset[str]]:
    return {frozenset((entry["a"], entry["b"])) for entry in truth[kind]}


def test_data_names_its_files() -> None:
    shipped = "arm.srdf", "arm.urdf", "check.schema.json", "gearbox.glb", "gearbox.json"
    assert data.names() == shipped
    with pytest.raises(InputError, match=r"gearbox\.glb"):
        data.path("gearbox.stl")


def test_parts_are_those_of_the_description(scene: impinge.Scene, truth: dict[str, Any]) -> None:
    assert {body.name: len(body.mesh.faces) for body in scene.bodies} == truth["parts"]
    assert sum(truth["parts"].values()) <= LIMITS["triangles"]
    assert data.path("gearbox.glb").stat().st_size <= LIMITS["bytes"]


def test_every_part_is_closed_and_turned_outward(scene: impinge.Scene) -> None:
    for body in scene.bodies:
        report = body.mesh.report()
        assert report.closed, body.name
        assert report.oriented, body.name
        assert report.degenerate_faces == 0, body.name


def test_coordinates_are_exact_on_the_grid(scene: impinge.Scene) -> None:
    for body in scene.bodies:
        scaled = body.world_vertices * 1024.0
        assert np.array_equal(scaled, np.rint(scaled)), body.name


@pytest.mark.parametrize("method", ["bvh", "brute"])
def test_every_pair_is_what_it_must_be(
    scene: impinge.Scene, truth: dict[str, Any], method: str
) -> None:
    rows = scene.collide(method=method).body_pairs
    found = {frozenset((row.name_a, row.name_b)): bool(row.crossing) for row in rows}
    clash, touch = _pairs(truth, "clash"), _pairs(truth, "touch")
    assert not clash & touch
    for a, b in combinations(truth["parts"], 2):
        pair = frozenset((a, b))
        wanted = "clash" if pair in clash else "touch" if pair in touch else truth["otherwise"]
        got = "clean" if pair not in found else "clash" if found[pair] else "touch"
        assert got == wanted, (a, b)


def test_near_misses_are_listed_as_clean(truth: dict[str, Any]) -> None:
    clean = _pairs(truth, "clean")
    assert clean
    assert not clean & (_pairs(truth, "clash") | _pairs(truth, "touch"))


def test_excluding_touching_leaves_the_clashes(scene: impinge.Scene, truth: dict[str, Any]) -> None:
    rows = scene.collide(touching="exclude").body_pairs
    assert {frozenset((row.name_a, row.name_b)) for row in rows} == _pairs(truth, "clash")


def test_the_script_makes_the_shipped_files(tmp_path: Path) -> None:
    script = ROOT / "examples" / "make_gearbox.py"
    subprocess.run([sys.executable, str(script), str(tmp_path)], check=True, timeout=120)
    for name in ("gearbox.glb", "gearbox.json"):
        assert (tmp_path / name).read_bytes() == data.path(name).read_bytes(), name
