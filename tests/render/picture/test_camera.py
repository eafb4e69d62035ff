"""The camera shows what it was fitted to, upright and not mirrored."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from impinge.render.picture.camera import Camera, view_axes

CUBE = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)


@given(azimuth=st.floats(-360, 360), elevation=st.floats(-90, 90), up=st.sampled_from(["y", "z"]))
def test_axes_are_a_rotation(azimuth: float, elevation: float, up: str) -> None:
    axes = view_axes(azimuth=azimuth, elevation=elevation, up=up)
    assert np.allclose(axes @ axes.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(axes) == pytest.approx(1.0)


@pytest.mark.parametrize("up", ["y", "z"])
def test_up_is_up(up: str) -> None:
    camera = Camera.fit(CUBE, size=(200, 100), up=up)
    top = np.array({"y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}[up])
    assert camera.project(top)[1] < camera.project(np.zeros(3))[1]


@given(scale=st.floats(1e-9, 1e9), azimuth=st.floats(-180, 180))
def test_fitted_points_are_inside_the_picture(scale: float, azimuth: float) -> None:
    camera = Camera.fit(CUBE * scale, size=(300, 200), azimuth=azimuth)
    x, y, _ = camera.project(CUBE * scale).T
    assert x.min() >= 0.0
    assert x.max() <= 300.0
    assert y.min() >= 0.0
    assert y.max() <= 200.0


def test_nearer_points_have_smaller_depths() -> None:
    camera = Camera.fit(CUBE, size=(100, 100), azimuth=0.0, elevation=0.0, up="y")
    assert camera.project(np.array([0.0, 0.0, 1.0]))[2] < camera.project(np.zeros(3))[2]


def test_one_point_and_no_points_give_a_finite_camera() -> None:
    for points in (np.zeros((1, 3)), np.ones((1, 3)), np.zeros((0, 3))):
        camera = Camera.fit(points, size=(10, 10))
        assert np.isfinite(camera.project(np.ones(3))).all()
