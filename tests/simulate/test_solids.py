"""Solids: closed surfaces, positive tetrahedra, the volumes of their formulas."""

from __future__ import annotations

import numpy as np
import pytest

import impinge
from impinge import simulate
from impinge.simulate.overlap import overlap_volume
from impinge.simulate.solids import volumes_of

TETRAHEDRON = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=float)
SOLIDS = {
    "box": (simulate.box((1, 2, 3), cells=(2, 3, 4)), 2 * (2 * 3 + 3 * 4 + 4 * 2) * 2, 6.0),
    "ball": (simulate.ball(2.0, frequency=6, layers=3), 20 * 36, 4 / 3 * np.pi * 8),
    "torus": (simulate.torus(), 1600, 2 * np.pi**2 * 0.09),
    "layers": (simulate.torus(layers=3, around=60), 2400, 2 * np.pi**2 * 0.09),
    "ring": (simulate.ring(), 960, np.pi * 0.04 * (2 * np.pi * 0.6 + 2 * 1.4)),
}


@pytest.mark.parametrize("name", SOLIDS)
def test_solids_are_closed_and_filled(name: str) -> None:
    solid, faces, volume = SOLIDS[name]
    report = solid.mesh.report()
    assert report.closed
    assert report.oriented
    assert len(solid.faces) == faces
    assert solid.mesh.report().volume == pytest.approx(solid.volume)
    assert solid.volume == pytest.approx(volume, rel=0.06)
    assert volumes_of(solid.vertices[solid.tetrahedra]).min() > 0.0
    np.testing.assert_array_equal(solid.mesh.vertices, solid.vertices[solid.surface])
    assert not impinge.self_collide(solid.mesh)


def test_a_ring_has_the_size_asked_for() -> None:
    solid = simulate.ring(5.0, 2.0, 0.5, around=80)
    np.testing.assert_allclose(np.ptp(solid.vertices, axis=0), [5.0, 2.0, 0.5], rtol=2e-3)


def test_either_orientation_is_taken() -> None:
    for cells in ([[0, 1, 2, 3]], [[1, 0, 2, 3]]):
        solid = simulate.Solid.of(TETRAHEDRON, cells)
        assert solid.volume == pytest.approx(1 / 6)
        assert solid.mesh.report().volume == pytest.approx(1 / 6)


def test_a_solid_is_turned_then_moved() -> None:
    solid = simulate.box((2, 4, 6), cells=1).moved((10, 0, 0), axis=(0, 0, 1), degrees=90)
    np.testing.assert_allclose(solid.mesh.bounds, [[8, -1, -3], [12, 1, 3]])


@pytest.mark.parametrize(
    ("vertices", "cells", "message"),
    [
        (TETRAHEDRON, [[0, 1, 2]], "(m, 4)"),
        (TETRAHEDRON, [[0, 1, 2, 4]], "0..3"),
        (TETRAHEDRON, [[0, 1, 2, 2]], "no volume"),
        (np.vstack([TETRAHEDRON, [[5, 5, 5]]]), [[0, 1, 2, 3]], "no tetrahedron"),
    ],
)
def test_bad_tetrahedra_are_told(vertices: np.ndarray, cells: object, message: str) -> None:
    with pytest.raises(impinge.InputError) as caught:
        simulate.Solid.of(vertices, cells)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "make",
    [
        lambda: simulate.box((1, 0, 1)),
        lambda: simulate.ball(-1.0),
        lambda: simulate.torus(1.0, 1.5),
        lambda: simulate.torus(around=2),
        lambda: simulate.ring(1.0, 2.0, 0.1),
        lambda: simulate.torus().posed(np.diag([1.0, 1.0, -1.0, 1.0])),
        lambda: simulate.torus().moved(axis=(0, 0, 0), degrees=5),
    ],
)
def test_impossible_shapes_are_told(make: object) -> None:
    with pytest.raises(impinge.InputError):
        make()


def test_overlap_of_boxes_and_tori() -> None:
    box = simulate.box((1, 1, 1), cells=1)
    for offset, common in (((0.25, 0.5, 0.75), 0.75 * 0.5 * 0.25), ((0, 0, 1.5), 0.0)):
        found = overlap_volume(box.mesh, box.moved(offset).mesh)
        assert found == pytest.approx(common, abs=1e-12)
    torus = simulate.torus()
    assert overlap_volume(torus.mesh, torus.mesh, rays=96) == pytest.approx(torus.volume, rel=0.01)
    # linked, but apart
    linked = torus.moved((1, 0, 0), axis=(1, 0, 0), degrees=90)
    assert overlap_volume(torus.mesh, linked.mesh) == 0.0
