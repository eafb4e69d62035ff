"""A GPU that draws otherwise is told apart."""

from __future__ import annotations

import numpy as np
import pytest

import impinge
from detectors.peel import reference
from impinge.detectors.image.gpu import rasteriser
from impinge.errors import GpuError
from support import meshes


def test_what_is_expected_is_the_rule():
    geometry, expected = rasteriser._edges()
    found = np.zeros((32, 32), dtype=int)
    for setup in reference.setups(geometry.snapped, geometry.faces):
        px, py = reference.centres(setup, 32)
        found[py, px] += 1
    assert np.array_equal(found.ravel(), expected)


@pytest.mark.parametrize("step", [2, 16])
@pytest.mark.parametrize("up", [0, 1])
def test_coarse_corners_are_noticed(gpu_device, monkeypatch, step, up):
    drawn = rasteriser._drawn

    def coarse(device, geometry):
        places = (geometry.snapped[:, :2] + step // 2 - 1 + up) // step * step
        geometry.snapped[:, :2] = places
        return drawn(device, geometry)

    monkeypatch.setattr(rasteriser, "_drawn", coarse)
    monkeypatch.setattr(rasteriser, "_good", set())
    a = meshes.sphere(4)
    method = impinge.detector("peel", device="gpu", conservative=False)
    with pytest.raises(GpuError, match=r"use conservative=True or device=\"cpu\""):
        impinge.collide(a, a, method=method)
    assert len(impinge.collide(a, a, method=impinge.detector("peel", device="gpu")).pairs)


def test_it_is_checked_once(gpu_device, monkeypatch):
    calls = []
    drawn = rasteriser._drawn
    monkeypatch.setattr(rasteriser, "_drawn", lambda *a: calls.append(1) or drawn(*a))
    monkeypatch.setattr(rasteriser, "_good", set())
    for _ in range(3):
        rasteriser.check_rasteriser(gpu_device)
    assert calls == [1]
