"""Tetrahedra inside any closed surface."""

from __future__ import annotations

import sys

import pytest

import impinge
from impinge import simulate
from impinge.errors import MissingDependencyError
from support import meshes


def test_what_is_missing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pytetwild", None)
    with pytest.raises(MissingDependencyError, match=r"impinge\[tetrahedra\]"):
        simulate.solid_of(meshes.box())


def test_a_surface_is_filled() -> None:
    pytest.importorskip("pytetwild")
    solid = simulate.solid_of(meshes.box(), edge_length=0.5)
    assert solid.volume == pytest.approx(1.0, rel=0.02)
    assert solid.mesh.report().closed
    world = simulate.World(method=None)
    world.add(solid)
    world.step(0.01)
    with pytest.raises(impinge.InputError, match="closed"):
        simulate.solid_of(meshes.grid(2, 2))
    with pytest.raises(impinge.InputError, match="edge_length"):
        simulate.solid_of(meshes.box(), edge_length=0.0)
