"""Masks of the GPU, pixel by pixel against the slow truth."""

from __future__ import annotations

from itertools import chain

import numpy as np
import pytest

from detectors.peel import reference
from detectors.peel.gpu import scenes
from impinge.detectors.image.gpu.count import counted
from impinge.detectors.image.gpu.scene import set_up
from impinge.detectors.peel.gpu.lists import fragment_lists
from impinge.detectors.peel.gpu.sample import dilated, read_mask, sample
from impinge.detectors.peel.options import PeelOptions
from impinge.errors import GpuLimitError

CLOSED = {"boxes": scenes.boxes, "blobs": scenes.blobs}


def masked(gpu, scene, *, gap=1, reach=0, **options):
    chosen = PeelOptions(**options)
    on_gpu = set_up(gpu, scenes.geometry_of(scene), scene.resolution, ties=chosen.ties, gap=gap)
    found = sample(gpu, on_gpu, chosen)
    return read_mask(gpu, dilated(gpu, found, on_gpu, reach), scene.resolution), found.counters


@pytest.mark.parametrize("seed", range(3))
def test_set_up(gpu, seed):
    rng = np.random.default_rng(seed)
    bodies = scenes.soup(rng, 4096, 300) + scenes.soup(rng, 64, 300) + scenes.steep()
    scene = scenes.scene_of(bodies, 4096)
    on_gpu = set_up(gpu, scenes.geometry_of(scene), scene.resolution)
    planes = gpu.read(on_gpu.planes, np.int32).reshape(-1, 4)
    ranges = gpu.read(on_gpu.ranges, np.int32).reshape(-1, 4)
    for setup, plane, span, body in zip(
        reference.setups(scene.snapped, scene.faces), planes, ranges, scene.body, strict=True
    ):
        expected = [reference.wrapped(value) for value in (setup.depth, *setup.gradient)]
        assert plane[:3].tolist() == expected
        assert (plane[3] & 0xFFFF, plane[3] >> 16) == setup.pixel
        flags = 1 * setup.back + 2 * setup.steep + 4
        assert span.tolist() == [setup.low | flags << 24, setup.high, body, 0]


@pytest.mark.parametrize("kind", CLOSED)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("sampling", ["lists", "peel", "dual"])
def test_closed_bodies(gpu, kind, seed, sampling):
    scene = scenes.scene_of(CLOSED[kind](np.random.default_rng(seed), 64), 64)
    pixels = [pixel for row in reference.fragments(scene) for pixel in row]
    for options in (
        {},
        {"ties": "separate"},
        {"layers": 3},
        {"layers": 4, "deeper": "mark"},
        {"layers": 3, "deeper": "mark", "ties": "separate"},
    ):
        found, counters = masked(gpu, scene, conservative=False, sampling=sampling, **options)
        expected = reference.plain_mask(scene, reference.Rules(sampling=sampling, **options))
        assert np.array_equal(found, expected)
        assert counters["fragments"] == sum(map(len, pixels))
        assert counters["layers"] == max(map(len, pixels))
        assert counters["odd_pixels"] == 0


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("sampling", ["lists", "peel"])
@pytest.mark.parametrize("gap", [1, 30_000])
def test_open_bodies(gpu, seed, sampling, gap):
    rng = np.random.default_rng(seed)
    bodies = scenes.blobs(rng, 64, 2) + scenes.soup(rng, 64, 40) + scenes.whole(64)
    closed = [True, True, *[False] * 42]
    scene = scenes.scene_of(bodies, 64, closed)
    for options in ({}, {"layers": 2}, {"layers": 2, "deeper": "mark", "ties": "separate"}):
        found, _ = masked(gpu, scene, conservative=False, sampling=sampling, gap=gap, **options)
        rules = reference.Rules(sampling=sampling, gap=gap, **options)
        assert np.array_equal(found, reference.plain_mask(scene, rules))


def test_odd_rays_are_counted(gpu):
    rng = np.random.default_rng(1)
    corners, faces = scenes.blobs(rng, 64, 1)[0]
    scene = scenes.scene_of([(corners, faces[:-5])], 64)
    expected = sum(len(pixel) % 2 for row in reference.fragments(scene) for pixel in row)
    for sampling in ("lists", "peel", "dual"):
        _, counters = masked(gpu, scene, conservative=False, sampling=sampling)
        assert counters["odd_pixels"] == expected > 0


@pytest.mark.parametrize("resolution", [32, 128])
@pytest.mark.parametrize("alone", [False, True])
def test_conservative(gpu, resolution, alone):
    rng = np.random.default_rng(resolution)
    bodies = [*scenes.blobs(rng, resolution, 2), *scenes.boxes(rng, resolution, 3)]
    bodies += scenes.soup(rng, resolution, 30)
    # one body of many triangles, so that it meets itself
    corners = np.concatenate([body[0] for body in scenes.soup(rng, resolution, 20)])
    bodies.append((corners, np.arange(len(corners)).reshape(-1, 3)))
    scene = scenes.scene_of(bodies, resolution, alone=alone)
    found, counters = masked(gpu, scene)
    assert np.array_equal(found, reference.conservative_mask(scene))
    covered = [
        len(reference.covered(setup, resolution)[0])
        for setup in reference.setups(scene.snapped, scene.faces)
    ]
    assert counters["fragments"] == sum(covered)


@pytest.mark.parametrize("seed", range(3))
def test_surfaces_on_the_verge_of_overlapping(gpu, seed):
    scene = scenes.scene_of(scenes.sheets(np.random.default_rng(seed), 64), 64)
    expected = reference.conservative_mask(scene)
    assert np.array_equal(masked(gpu, scene)[0], expected)
    # a share of the pixels that both cover, neither none nor all
    first = reference.setups(scene.snapped, scene.faces)[::2]
    both = sum(len(reference.covered(setup, 64)[0]) for setup in first)
    assert 0.1 < expected.sum() / both < 0.9


@pytest.mark.parametrize("boxes", [False, True])
def test_lists_of_fragments(gpu, boxes):
    """Every key and every lowest depth, in order."""
    rng = np.random.default_rng(8)
    scene = scenes.scene_of(scenes.soup(rng, 64, 50) + scenes.blobs(rng, 64), 64)
    on_gpu = set_up(gpu, scenes.geometry_of(scene), 64)
    found = counted(gpu, on_gpu, conservative=boxes)
    lists = fragment_lists(gpu, on_gpu, found.counts, found.tally.sum, boxes=boxes)
    counts, ends, keys, owners = (
        gpu.read(buffer, np.uint32).tolist()
        for buffer in (lists.counts, lists.ends, lists.keys, lists.owners)
    )
    expected = lowest_depths(scene) if boxes else reference.fragments(scene)
    for pixel, count, end in zip(chain(*expected), counts, ends, strict=True):
        mine = slice(end - count, end)
        assert list(zip(keys[mine], owners[mine], strict=True)) == pixel


def lowest_depths(scene):
    """(lowest depth + 4, face) of all triangles that meet each pixel, in order."""
    size = scene.resolution
    pixels = [[[] for _ in range(size)] for _ in range(size)]
    for face, setup in enumerate(reference.setups(scene.snapped, scene.faces)):
        px, py = reference.covered(setup, size)
        low, _ = reference.fragment_intervals(setup, px, py)
        for x, y, depth in zip(px.tolist(), py.tolist(), low.tolist(), strict=True):
            pixels[y][x].append((depth + 4, face))
    return [[sorted(pixel) for pixel in row] for row in pixels]


@pytest.mark.parametrize("conservative", [False, True])
def test_large_images(gpu, conservative):
    """Where edge functions do not fit into 32 bits."""
    size = 1024
    scene = scenes.scene_of(scenes.soup(np.random.default_rng(4), size, 40), size)
    on_gpu = set_up(gpu, scenes.geometry_of(scene), size)
    counts = gpu.read(counted(gpu, on_gpu, conservative=conservative).counts, np.uint32)
    expected = np.zeros((size, size), dtype=np.uint32)
    covered = reference.covered if conservative else reference.centres
    for setup in reference.setups(scene.snapped, scene.faces):
        px, py = covered(setup, size)
        expected[py, px] += 1
    assert np.array_equal(counts.reshape(size, size), expected)


def test_long_lists_are_sorted(gpu):
    """More fragments at a pixel than are sorted by insertion."""
    rng = np.random.default_rng(7)
    scene = scenes.scene_of(scenes.boxes(rng, 16, 150), 16)
    found, counters = masked(gpu, scene, conservative=False)
    assert counters["layers"] > 24
    assert np.array_equal(found, reference.plain_mask(scene, reference.Rules()))


@pytest.mark.parametrize("reach", [1, 2])
def test_dilation(gpu, reach):
    scene = scenes.scene_of(scenes.boxes(np.random.default_rng(5), 32), 32)
    found, _ = masked(gpu, scene, conservative=False, reach=reach)
    plain = reference.plain_mask(scene, reference.Rules())
    assert np.array_equal(found, reference.dilated(plain, reach))


@pytest.mark.parametrize("conservative", [True, False])
def test_nothing_at_all(gpu, conservative):
    nothing = [(np.zeros((0, 3)), np.zeros((0, 3)))]
    scene = scenes.scene_of(nothing, 32)
    found, counters = masked(gpu, scene, conservative=conservative)
    assert not found.any()
    assert counters["fragments"] == 0


def test_more_fragments_than_a_buffer_holds(gpu, monkeypatch):
    scene = scenes.scene_of(scenes.blobs(np.random.default_rng(1), 64, 12), 64)
    limits = {**gpu.device.limits, "max-storage-buffer-binding-size": 4 * 64**2}
    monkeypatch.setattr(gpu.device, "limits", limits)
    with pytest.raises(GpuLimitError, match="use a lower resolution"):
        masked(gpu, scene)
