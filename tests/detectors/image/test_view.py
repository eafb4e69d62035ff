"""A view holds the whole scene, and snapping moves a point by half a step."""

from __future__ import annotations

import numpy as np
import pytest

from impinge.detectors.image.view import DEPTHS, SUBPIXELS, View

DIRECTIONS = [None, (0, 0, 1), (-1, 0, 0), (1, 2, 3), (1e-200, 1e100, 1e99), (-1e-9, 1, 1e-9)]
CLOUDS = {
    "cube": np.random.default_rng(0).uniform(-1, 1, (500, 3)),
    "needle": np.random.default_rng(1).uniform(-1, 1, (500, 3)) * (1e12, 1e-12, 1),
    "plate": np.random.default_rng(2).uniform(-1, 1, (500, 3)) * (1, 1, 1e-40),
    "far": np.random.default_rng(3).uniform(-1, 1, (500, 3)) + 1e9,
    "huge": np.random.default_rng(4).uniform(-1e100, 1e100, (500, 3)),
    "tiny": np.random.default_rng(5).uniform(-1e-300, 1e-300, (500, 3)),
    "smallest": np.random.default_rng(6).integers(-3, 4, (500, 3)) * 5e-324,
    "flat": np.random.default_rng(7).uniform(-1, 1, (500, 3)) * (1, 0, 1),
    "point": np.full((3, 3), 0.1),
    "none": np.zeros((0, 3)),
}


def directed(direction: tuple[float, ...] | None) -> np.ndarray | None:
    return None if direction is None else np.array(direction, dtype=float)


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("name", CLOUDS)
@pytest.mark.parametrize("resolution", [16, 1024])
def test_all_points_are_seen(
    name: str, direction: tuple[float, ...] | None, resolution: int
) -> None:
    points = CLOUDS[name]
    view = View.fit(points, resolution, directed(direction))
    snapped = view.snap(points)
    assert snapped.dtype == np.int32
    assert snapped.shape == points.shape
    assert np.isfinite([view.scale, view.depth_scale]).all()
    edge = SUBPIXELS * (resolution - 1)
    assert np.all((snapped[:, :2] >= SUBPIXELS) & (snapped[:, :2] <= edge))
    assert np.all((snapped[:, 2] >= 16) & (snapped[:, 2] <= DEPTHS - 16))


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("name", CLOUDS)
def test_snapping_moves_by_half_a_step(name: str, direction: tuple[float, ...] | None) -> None:
    """Against the same map in longer arithmetic."""
    points = CLOUDS[name]
    view = View.fit(points, 256, directed(direction))
    frame = np.array([view.right, view.down, view.forward]).astype(np.longdouble)
    scale = np.array([view.scale, view.scale, view.depth_scale], dtype=np.longdouble)
    exact = (points.astype(np.longdouble) - view.centre) @ frame.T * scale
    exact += [SUBPIXELS * 128, SUBPIXELS * 128, DEPTHS // 2]
    assert np.all(np.abs(view.snap(points) - exact) <= 0.501)


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_the_frame_is_right_handed(direction: tuple[float, ...] | None) -> None:
    view = View.fit(CLOUDS["cube"], 64, directed(direction))
    frame = np.array([view.right, view.down, view.forward])
    assert np.allclose(frame @ frame.T, np.eye(3), atol=1e-15)
    assert np.allclose(np.cross(view.right, view.down), view.forward, atol=1e-15)
    if direction is not None:
        unit = directed(direction) / np.abs(direction).max()
        assert np.allclose(view.forward, unit / np.linalg.norm(unit))


def test_it_looks_along_the_shortest_side() -> None:
    for axis in range(3):
        size = np.ones(3)
        size[axis] = 0.5
        view = View.fit(CLOUDS["cube"] * size, 64)
        assert view.forward.tolist() == np.eye(3)[axis].tolist()


def test_the_image_is_used() -> None:
    snapped = View.fit(CLOUDS["cube"] * (3, 1, 0.5), 64).snap(CLOUDS["cube"] * (3, 1, 0.5))
    width, height, depth = np.ptp(snapped, axis=0)
    assert width > SUBPIXELS * 62 * 0.999
    assert height < 0.4 * width
    assert depth > 0.999 * (DEPTHS - 64)


def test_a_gap_in_depths() -> None:
    view = View.fit(CLOUDS["cube"], 64)
    assert view.depth_steps(0.0) == 1
    assert view.depth_steps(0.1) == pytest.approx(0.05 * DEPTHS, rel=0.01)
    assert view.depth_steps(1e300) == DEPTHS + 1
