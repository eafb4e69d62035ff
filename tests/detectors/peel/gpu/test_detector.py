"""The detector with device="gpu": what the CPU finds, and what brute force finds."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import impinge
import impinge.gpu
from families import PAIRS, SCENES, SELVES, cases
from impinge.errors import Cancelled, MissingDependencyError, NoAdapterError
from support import meshes, oracle
from support.compare import answer, assert_same

pytestmark = pytest.mark.usefixtures("gpu_device")

OPTIONS = [
    {},
    {"precision": "fp16", "packing": "sweep"},
    {"conservative": False, "dilate": 2},
    {"conservative": False, "sampling": "peel", "packing": "sweep"},
    {"conservative": False, "sampling": "peel", "layers": 2, "deeper": "mark", "gap": 0.01},
    {"conservative": False, "ties": "separate", "dilate": 0, "layers": 3},
]
CLOSED = ["spheres", "linked_tori", "boxes_posed", "identical"]


def peel(device="gpu", **options):
    return impinge.detector("peel", device=device, **options)


def counted(found):
    """All counters but those of the way to the GPU and back, and of passes, which only it draws."""
    return {k: found.stats[k] for k in found.stats.keys() if not k.startswith(("bytes", "passes"))}  # noqa: SIM118


@pytest.mark.parametrize(("name", "seed"), cases(PAIRS, 1))
def test_pairs(name, seed):
    a, b = PAIRS[name].build("small", seed)
    for touching in ("include", "exclude"):
        truth = oracle.collide(a, b, touching=touching)
        assert_same(truth, answer(impinge.collide(a, b, method=peel(), touching=touching)), a, b)


@pytest.mark.parametrize(("name", "seed"), cases(SELVES, 1))
def test_selves(name, seed):
    mesh = SELVES[name].build("small", seed)
    truth = oracle.self_collide(mesh, report_duplicates=True)
    found = impinge.self_collide(mesh, method=peel(resolution=16), report_duplicates=True)
    assert_same(truth, answer(found), mesh)


@pytest.mark.parametrize(("name", "seed"), cases(SCENES, 1))
def test_many_bodies(name, seed):
    scene = impinge.Scene()
    for body in SCENES[name].build("small", seed):
        scene.add(*body)
    truth, found = (scene.collide(method=method) for method in ("brute", peel()))
    assert np.array_equal(truth.pairs, found.pairs)
    assert np.array_equal(truth.bodies, found.bodies)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("name", ["spheres", "soup_float", "tilted_flat_grids", "needles"])
def test_it_does_what_the_cpu_does(options, name):
    a, b = PAIRS[name].build("small", 3)
    on_cpu, on_gpu = (
        impinge.collide(a, b, method=peel(device, resolution=64, **options))
        for device in ("cpu", "gpu")
    )
    assert np.array_equal(on_cpu.pairs, on_gpu.pairs)
    assert counted(on_cpu) == counted(on_gpu)


@pytest.mark.parametrize("layers", [None, 3])
@pytest.mark.parametrize("name", CLOSED)
def test_both_ends_do_what_the_cpu_does(name, layers):
    a, b = PAIRS[name].build("small", 2)
    on_cpu, on_gpu = (
        impinge.collide(
            a, b, method=peel(device, conservative=False, sampling="dual", layers=layers)
        )
        for device in ("cpu", "gpu")
    )
    assert np.array_equal(on_cpu.pairs, on_gpu.pairs)
    assert counted(on_cpu) == counted(on_gpu)


def test_any_direction_gives_the_same_pairs():
    a, b = PAIRS["spheres"].build("small", 1)
    truth = impinge.collide(a, b, method="brute").pairs
    for direction in np.random.default_rng(0).normal(size=(4, 3)):
        found = impinge.collide(a, b, method=peel(direction=direction, resolution=32))
        assert np.array_equal(found.pairs, truth)


def test_only_candidates_come_back():
    a = meshes.sphere(24)
    b = meshes.moved(a, (1.9, 0.1, 0.2))
    found = impinge.collide(a, b, method=peel())
    faces = len(a[1]) + len(b[1])
    assert 0 < found.stats["downloaded"] < faces / 4
    # an id and a box for each, and three tallies
    assert found.stats["bytes_down"] == 20 * found.stats["downloaded"] + 3 * 16
    for stage in ("snap", "transfer", "sample", "merge", "separate", "pack", "exact"):
        assert found.stats[f"{stage}_seconds"] > 0


def test_cancelling():
    a = meshes.sphere(8)
    with pytest.raises(Cancelled):
        impinge.collide(a, a, method=peel(), progress=lambda fraction: fraction < 0.2)
    seen: list[float] = []
    impinge.collide(a, a, method=peel(), progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1.0


def test_threads_share_a_detector():
    method = peel()
    a = meshes.sphere(8)
    others = [meshes.moved(a, (0.2 * i, 0.1, 0)) for i in range(8)]
    truth = [impinge.collide(a, b, method="brute").pairs for b in others]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda b: impinge.collide(a, b, method=method).pairs, others))
    assert all(np.array_equal(x, y) for x, y in zip(truth, found, strict=True))


def test_auto_takes_the_cpu_without_a_real_gpu(monkeypatch):
    monkeypatch.setattr(impinge.gpu, "find_device", lambda: None)
    a = meshes.sphere(4)
    assert "bytes_up" not in impinge.collide(a, a, method=peel("auto")).stats


def test_auto_takes_a_real_gpu(monkeypatch, gpu_device):
    monkeypatch.setattr(impinge.gpu, "find_device", lambda: gpu_device)
    a = meshes.sphere(4)
    assert "bytes_up" in impinge.collide(a, a, method=peel("auto")).stats


def test_without_wgpu_or_driver(monkeypatch):
    from impinge.gpu import device

    a = meshes.sphere(4)
    monkeypatch.setattr(device, "_open", {})
    monkeypatch.setattr(device, "adapters", lambda: ())
    with pytest.raises(NoAdapterError, match="mesa-vulkan-drivers"):
        impinge.collide(a, a, method=peel())
    monkeypatch.setitem(sys.modules, "wgpu", None)
    with pytest.raises(MissingDependencyError, match=r"needs wgpu: pip install"):
        impinge.collide(a, a, method=peel())
