"""The detector with device="gpu": what the CPU finds, and only that is read."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import impinge
import impinge.gpu
from detectors.cinder import scenes
from impinge.detectors.cinder import View
from impinge.detectors.image.gpu import rasteriser
from impinge.errors import (
    Cancelled,
    GpuError,
    GpuLimitError,
    MissingDependencyError,
    NoAdapterError,
)
from support import meshes

pytestmark = pytest.mark.usefixtures("gpu_device")

TWO_SIDES = [View.orthographic((0, 0, 1)), View.perspective((9, 2, 1), (0, 0, 0))]
OPTIONS = {
    "plain": {},
    "packed": {"ids": "16bit", "reduce": "pack"},
    "one stage": {"reduce": "stages", "stages": 1},
    "one pixel": {"reduce": "stages", "stages": 7},
    "two stages, 16bit": {"reduce": "stages", "stages": 2, "ids": "16bit"},
    "lossless": {"reduce": "lossless"},
    "triangles": {"payload": "triangles", "reduce": "pack", "self_interference": "filter"},
    "normals": {"payload": "normals", "reference": 1, "ids": "16bit", "reduce": "lossless"},
    "offset": {"payload": "normals", "self_interference": "offset", "offset": 0.01},
    "two views": {"variant": "original", "views": TWO_SIDES},
    "printed": {"variant": "printed", "self_interference": "filter"},
}


def cinder(device="gpu", **options):
    return impinge.detector("cinder", device=device, **{"resolution": 128, **options})


def scene_of(bodies):
    scene = impinge.Scene()
    for body in bodies:
        scene.add(*body)
    return scene


@pytest.fixture(scope="module")
def twenty():
    return scene_of(scenes.many(20, 2))


@pytest.fixture(scope="module")
def apart():
    ball = meshes.sphere(4)
    return scene_of([ball, meshes.moved(ball, (3, 0, 0)), meshes.moved(ball, (0, 3, 3))])


def counted(found):
    """Counters of both devices."""
    own = ("bytes_up", "bytes_down", "line_fragments", "fill_fragments", "saturated_pixels")
    return {k: found.stats[k] for k in found.stats.keys() if k not in own}  # noqa: SIM118


@pytest.mark.parametrize("name", OPTIONS)
def test_it_does_what_the_cpu_does(twenty, name):
    options = OPTIONS[name]
    on_cpu, on_gpu = (
        twenty.overlaps(method=cinder(device, **options)) for device in ("cpu", "gpu")
    )
    assert len(on_gpu) or name == "printed"
    for column in ("pairs", "pixels", "triangles", "normals"):
        one, other = getattr(on_cpu, column), getattr(on_gpu, column)
        assert (one is None and other is None) or np.array_equal(one, other)
    assert on_cpu.warnings == on_gpu.warnings
    assert counted(on_cpu) == counted(on_gpu)


def test_only_pairs_come_back(twenty):
    # the answer of the query, four counts, and how many pixels are full
    small = 8 + 16 + 4
    whole = twenty.overlaps(method=cinder(rounds=1))
    assert whole.stats["bytes_down"] == small + 8 * 128**2
    packed = twenty.overlaps(method=cinder(reduce="pack", ids="16bit", rounds=1))
    # with a tally
    assert packed.stats["bytes_down"] == small + 16 + 4 * packed.pixels.sum()
    halved = twenty.overlaps(method=cinder(reduce="stages", stages=3, rounds=1))
    assert halved.stats["bytes_down"] == small + 8 * 16**2
    for stage in ("snap", "transfer", "edges", "count", "ids", "read"):
        assert whole.stats[f"{stage}_seconds"] > 0
    assert halved.stats["reduce_seconds"] > 0


@pytest.mark.parametrize("options", [{}, {"reduce": "lossless"}, {"reduce": "stages", "stages": 3}])
def test_nothing_is_read_of_bodies_that_are_apart(apart, options):
    on_cpu, on_gpu = (apart.overlaps(method=cinder(device, **options)) for device in ("cpu", "gpu"))
    assert len(on_gpu) == 0
    assert on_gpu.stats["bytes_down"] == 8 + 16
    assert counted(on_cpu) == counted(on_gpu)


def test_it_narrows_down_for_an_exact_detector(twenty):
    one, other = (
        twenty.collide(method=cinder(device, judge=True), refine="bvh") for device in ("cpu", "gpu")
    )
    assert np.array_equal(one.pairs, other.pairs)
    assert np.array_equal(one.bodies, other.bodies)
    for name in ("image_pairs", "image_lost", "image_invented"):
        assert one.stats[name] == other.stats[name]


def test_cancelling(apart):
    with pytest.raises(Cancelled):
        apart.overlaps(method=cinder(rounds=1), progress=lambda fraction: fraction < 0.3)
    seen: list[float] = []
    apart.overlaps(method=cinder(), progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1.0


def test_threads_share_a_detector():
    method = cinder(resolution=32)
    ball = meshes.sphere(4)
    others = [scene_of([ball, meshes.moved(ball, (0.6 * i, 0.1, 0))]) for i in range(6)]
    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(lambda scene: len(scene.overlaps(method=method)), others))
    assert found == [1, 1, 1, 1, 0, 0]


def test_auto_takes_the_cpu_without_a_real_gpu(apart, monkeypatch, gpu_device):
    monkeypatch.setattr(impinge.gpu, "find_device", lambda: None)
    assert apart.overlaps(method=cinder("auto")).stats["bytes_up"] == 0
    monkeypatch.setattr(impinge.gpu, "find_device", lambda: gpu_device)
    assert apart.overlaps(method=cinder("auto")).stats["bytes_up"] > 0


def test_without_wgpu_or_driver(apart, monkeypatch):
    from impinge.gpu import device

    monkeypatch.setattr(device, "_open", {})
    monkeypatch.setattr(device, "adapters", lambda: ())
    with pytest.raises(NoAdapterError, match="mesa-vulkan-drivers"):
        apart.overlaps(method=cinder())
    monkeypatch.setitem(sys.modules, "wgpu", None)
    with pytest.raises(MissingDependencyError, match=r"needs wgpu: pip install"):
        apart.overlaps(method=cinder())


@pytest.mark.parametrize(
    ("limit", "allowed"), [("max-texture-dimension-2d", 64), ("max-buffer-size", 1000)]
)
def test_too_large(apart, monkeypatch, gpu_device, limit, allowed):
    rasteriser.check_rasteriser(gpu_device)
    monkeypatch.setitem(gpu_device.limits, limit, allowed)
    with pytest.raises(GpuLimitError, match=f'{limit}.*device="cpu"'):
        apart.overlaps(method=cinder())


def test_a_gpu_that_draws_otherwise(apart, monkeypatch):
    drawn = rasteriser._drawn
    monkeypatch.setattr(rasteriser, "_drawn", lambda *a: drawn(*a) + 1)
    monkeypatch.setattr(rasteriser, "_good", set())
    with pytest.raises(GpuError, match=r'pixel middles; use device="cpu"'):
        apart.overlaps(method=cinder())
