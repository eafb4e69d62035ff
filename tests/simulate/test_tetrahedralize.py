"""Tetrahedra inside any closed surface."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import impinge
from impinge import simulate
from impinge.errors import MissingDependencyError
from impinge.simulate import tetrahedralize
from support import meshes


def test_what_is_missing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pytetwild", None)
    with pytest.raises(MissingDependencyError, match="pytetwild"):
        simulate.solid_of(meshes.box())


def test_a_surface_is_filled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pytetwild")
    monkeypatch.chdir(tmp_path)
    solid = simulate.solid_of(meshes.box(), edge_length=0.5)
    assert solid.volume == pytest.approx(1.0, rel=0.02)
    assert solid.mesh.report().closed
    assert list(tmp_path.iterdir()) == [], "the folder of the user stays as it is"
    world = simulate.World(method=None)
    world.add(solid)
    world.step(0.01)
    with pytest.raises(impinge.InputError, match="closed"):
        simulate.solid_of(meshes.grid(2, 2))
    with pytest.raises(impinge.InputError, match="edge_length"):
        simulate.solid_of(meshes.box(), edge_length=0.0)


def test_what_the_library_says_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pytetwild")
    monkeypatch.setattr(tetrahedralize, "_FILL", "raise ValueError('no \\x1b[31mroom')")
    with pytest.raises(impinge.InputError, match=r"cannot fill 'part': ValueError: no .*room"):
        simulate.solid_of(impinge.Mesh(*meshes.box(), name="part"))
