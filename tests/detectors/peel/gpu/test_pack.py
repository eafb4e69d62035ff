"""Packing on the GPU is compaction."""

from __future__ import annotations

import numpy as np
import pytest

from detectors.peel import reference
from impinge.detectors.peel.gpu.pack import pack
from impinge.detectors.peel.gpu.separate import GpuBoxes


def packed(gpu, boxes, packing, *, half=False):
    stored = (boxes / 256).astype(np.float16) if half else boxes
    return pack(gpu, GpuBoxes(gpu.upload(stored), len(boxes), half), packing)


@pytest.mark.parametrize("packing", ["scan", "sweep"])
@pytest.mark.parametrize("count", [0, 1, 5, 64, 1000, 5000])
def test_it_is_compaction(gpu, packing, count):
    rng = np.random.default_rng(count)
    for density in (0, 0.01, 0.3, 0.9, 1):
        boxes = 4 * rng.integers(1, 512, (count, 4)).astype(np.int32)
        boxes[rng.random(count) >= density] = 0
        expected = reference.packed(boxes)
        for half in (False, True):
            ids, rows = packed(gpu, boxes, packing, half=half)
            assert ids.dtype == rows.dtype == np.int32
            assert np.array_equal(ids, expected[0])
            assert np.array_equal(rows, expected[1])


@pytest.mark.parametrize("packing", ["scan", "sweep"])
def test_empty_and_full_rows(gpu, packing):
    boxes = np.zeros((64 * 64, 4), dtype=np.int32)
    boxes[64:128] = 8
    boxes[[0, 63, 128, 4095]] = 16
    ids, rows = packed(gpu, boxes, packing)
    expected = reference.packed(boxes)
    assert np.array_equal(ids, expected[0])
    assert np.array_equal(rows, expected[1])


@pytest.mark.parametrize("packing", ["scan", "sweep"])
def test_only_what_is_left_is_read(gpu, packing):
    boxes = np.zeros((4096, 4), dtype=np.int32)
    boxes[::100] = 256
    used = len(boxes[::100])
    packed(gpu, boxes, packing)
    assert gpu.bytes_down == 20 * used + (16 if packing == "scan" else 4 * 64)


def test_passes_depend_on_the_counts_only(gpu, monkeypatch):
    """Which places are used does not change what is done, only how many there are in a row."""
    calls = []
    compute = type(gpu).compute
    monkeypatch.setattr(
        type(gpu), "compute", lambda self, *a, **k: calls.append(a[:2]) or compute(self, *a, **k)
    )
    orders = []
    for shift in (0, 5):
        boxes = np.zeros((256, 4), dtype=np.int32)
        boxes[shift::16] = 256
        calls.clear()
        packed(gpu, boxes, "sweep")
        orders.append(list(calls))
    assert orders[0] == orders[1]
