"""Views and whole numbers of bodies that are made on the GPU."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain

import numpy as np
import pytest

from impinge import Body
from impinge.detectors.image.view import DEPTHS
from impinge.detectors.peel.gpu.bodies_view import single_view, snap
from impinge.gpu import open_device
from impinge.gpu.bodies import make

pytestmark = pytest.mark.usefixtures("gpu_device")

STILL = """
fn deform(rest: vec3<f32>, vertex: u32, part: u32, t: f32) -> vec3<f32> { return rest; }
"""


def clouds() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(3)
    cloud = rng.uniform(-1, 1, (400, 3))
    return {
        "around zero": cloud,
        "flat": cloud * [1, 1, 0],
        "far away": cloud * 1e-2 + [1000, -2000, 500],
        "huge": cloud * 1e37,
        "tiny": cloud * 1e-37,
        "one point": np.full((3, 3), 0.1),
        "zero": np.zeros((3, 3)),
    }


def snapped_on_gpu(points: np.ndarray, view: object) -> np.ndarray:
    body = Body.from_shader(STILL, [[0, 1, 2]], rest=points)
    with open_device(software=True).session() as session:
        made = make(session, [body._current()])
        buffer = session.zeros(12 * (len(points) + 2))
        snap(session, made, view, buffer, [1])
        rows = session.read(buffer, np.int32).reshape(-1, 3)
    assert not rows[[0, -1]].any()
    return rows[1:-1]


def exact_places(points: np.ndarray, view: object) -> list[list[Fraction]]:
    """Where the view has each point, without any rounding."""
    axes = [[Fraction(x) for x in axis] for axis in (view.right, view.down, view.forward)]
    centre = [Fraction(x) for x in view.centre]
    scales = [Fraction(view.scale), Fraction(view.scale), Fraction(view.depth_scale)]
    middles = [128 * view.resolution, 128 * view.resolution, DEPTHS // 2]
    result = []
    for point in points:
        away = [Fraction(x) - c for x, c in zip(point.tolist(), centre, strict=True)]
        result.append(
            [
                sum(a * x for a, x in zip(axis, away, strict=True)) * scale + middle
                for axis, scale, middle in zip(axes, scales, middles, strict=True)
            ]
        )
    return result


@pytest.mark.parametrize("name", clouds())
@pytest.mark.parametrize("direction", [None, (1, 2, -3)])
@pytest.mark.parametrize("resolution", [16, 4096])
def test_snapping_keeps_its_bounds(name: str, direction: object, resolution: int) -> None:
    points = clouds()[name].astype(np.float32).astype(np.float64)
    along = None if direction is None else np.array(direction, dtype=float)
    view = single_view(points, resolution, along)
    for found in (snapped_on_gpu(points, view), view.snap(points)):
        places = exact_places(points, view)
        both = zip(found.ravel().tolist(), chain(*places), strict=True)
        off = np.array([float(x - place) for x, place in both]).reshape(-1, 3)
        assert np.abs(off[:, :2]).max() <= 0.67
        assert np.abs(off[:, 2]).max() <= 1.75
        assert found[:, :2].min() >= 256
        assert found[:, :2].max() <= 256 * (resolution - 1)
        assert found[:, 2].min() >= 16
        assert found[:, 2].max() <= DEPTHS - 16
