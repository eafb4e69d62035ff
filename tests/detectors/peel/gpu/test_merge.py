"""Pyramids and boxes of the GPU against the slow truth."""

from __future__ import annotations

import numpy as np
import pytest

from detectors.peel import reference
from detectors.peel.gpu import scenes
from impinge.detectors.image.gpu.scene import set_up
from impinge.detectors.peel.gpu.merge import merge, read_levels
from impinge.detectors.peel.gpu.sample import GpuSample
from impinge.detectors.peel.gpu.separate import read_sparse, separate
from impinge.detectors.peel.merge import merge as merge_on_cpu
from impinge.detectors.peel.separate import separate as separate_on_cpu


def masks(rng, size):
    yield np.zeros((size, size), dtype=np.uint8)
    yield np.ones((size, size), dtype=np.uint8)
    for density in (0.001, 0.05):
        yield (rng.random((size, size)) < density).astype(np.uint8)


@pytest.mark.parametrize("precision", ["fp32", "fp16"])
@pytest.mark.parametrize("size", [16, 64, 128])
def test_levels_and_boxes(gpu, precision, size):
    rng = np.random.default_rng(size)
    bodies = [*scenes.blobs(rng, size), *scenes.boxes(rng, size), *scenes.soup(rng, size)]
    scene = scenes.scene_of(bodies, size)
    on_gpu = set_up(gpu, scenes.geometry_of(scene), size)
    for mask in masks(rng, size):
        found = GpuSample(gpu.upload(mask.astype(np.uint32)), {})
        levels = merge(gpu, on_gpu, found, precision)
        expected = reference.pyramid(mask)
        for mine, truth in zip(read_levels(gpu, levels), expected, strict=True):
            # borders of so few pixels are exact in half floats
            assert np.array_equal(mine, truth)
        boxes = read_sparse(gpu, separate(gpu, on_gpu, levels))
        assert np.array_equal(boxes, reference.separated(scene, expected, precision))


def test_half_floats_beyond_their_exact_range(gpu):
    """At 4096 pixels, borders above 2048 are rounded outward: as on the CPU, which is quicker there
    than the slow truth."""
    size = 4096
    rng = np.random.default_rng(2)
    scene = scenes.scene_of(scenes.soup(rng, size, 40), size)
    mask = np.zeros((size, size), dtype=np.uint8)
    mask[tuple(rng.integers(0, size, (2, 60)))] = 1
    on_gpu = set_up(gpu, scenes.geometry_of(scene), size)
    levels = merge(gpu, on_gpu, GpuSample(gpu.upload(mask.astype(np.uint32)), {}), "fp16")
    boxes = read_sparse(gpu, separate(gpu, on_gpu, levels))
    expected = separate_on_cpu(scenes.geometry_of(scene), merge_on_cpu(mask, "fp16"))
    assert boxes.any()
    assert np.array_equal(boxes, expected)


def test_halves_take_half_the_room(gpu):
    scene = scenes.scene_of(scenes.blobs(np.random.default_rng(1), 64), 64)
    on_gpu = set_up(gpu, scenes.geometry_of(scene), 64)
    found = GpuSample(gpu.zeros(4 * 64**2), {})
    full, half = (merge(gpu, on_gpu, found, precision) for precision in ("fp32", "fp16"))
    assert full.pyramid.nbytes == 2 * half.pyramid.nbytes
    assert separate(gpu, on_gpu, full).boxes.nbytes == 2 * separate(gpu, on_gpu, half).boxes.nbytes
