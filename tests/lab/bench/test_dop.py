"""The turning objects, and what is measured on them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import impinge as library
from impinge.lab.bench import dop, turning


@pytest.mark.parametrize("name", turning.OBJECTS)
def test_objects(name: str) -> None:
    make, size = turning.OBJECTS[name]
    mesh = library.Mesh(*make(size))
    assert abs(len(mesh) - size) < 0.06 * size
    assert mesh.report().degenerate_faces == 0


def test_the_copy_always_just_reaches_the_object() -> None:
    mesh = library.Mesh(*turning.figure(1000))
    poses = turning.full_turn(mesh, 12)
    assert np.all(library.collides(mesh, mesh, poses=poses))
    poses[:, 0, 3] += 0.006 * np.ptp(mesh.vertices[:, 0])
    assert not np.any(library.collides(mesh, mesh, poses=poses))


def test_list_saves_transforms() -> None:
    rows = {row.method: row for row in dop.turn(quick=True, names=("lens",))}
    few, many = rows["list 24"], rows["classic 24"]
    assert few.hits == many.hits == rows["bvh"].hits > 0
    assert few.average["node_pairs"] == many.average["node_pairs"]
    assert 3 * few.average["transforms"] < many.average["transforms"]
    assert few.average["leaf_pairs"] < rows["list 6"].average["leaf_pairs"]


def test_command(impinge: Callable[..., Any], tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(turning, "OBJECTS", {"lens": (turning.lens, 3000)})
    monkeypatch.setitem(dop.turn.__kwdefaults__, "names", ("lens",))
    code, out, err = impinge("bench", "dop", "--quick", "--out", tmp_path)
    assert (code, err) == (0, "")
    assert "classic / list" in out
    assert (tmp_path / "dop.json").is_file()
