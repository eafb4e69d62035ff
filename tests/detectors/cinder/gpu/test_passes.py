"""Buffers after each pass on the GPU, pixel by pixel against the slow truth and the CPU."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from detectors.cinder import reference, scenes
from detectors.peel.scenes import random_scene
from impinge.detectors.cinder import View, cpu
from impinge.detectors.cinder.gpu import run
from impinge.detectors.cinder.gpu.scene import layers_of
from impinge.gpu import sources
from support import meshes

pytestmark = pytest.mark.usefixtures("gpu_device")

ALONG = View.orthographic((0, 0, 1))
CASES = {
    "prevent": {},
    "filter": {"self_interference": "filter"},
    "offset": {"self_interference": "offset", "offset": 0.03},
    "original": {"variant": "original"},
    "original filter": {"variant": "original", "self_interference": "filter"},
    "printed": {"variant": "printed"},
    "printed filter": {"variant": "printed", "self_interference": "filter"},
    "triangles": {"payload": "triangles"},
    "triangles filter": {"payload": "triangles", "self_interference": "filter", "ids": "16bit"},
    "normals": {"payload": "normals", "reference": 1, "ids": "16bit"},
    "16bit": {"ids": "16bit"},
}


def assert_same(geometry, view, options):
    """As on the CPU, which other tests compare with the slow truth."""
    on_gpu, on_cpu = (stages.passes(geometry, view, options, dump=True) for stages in (run, cpu))
    assert list(on_gpu.stages) == list(on_cpu.stages)
    for name, stage in on_cpu.stages.items():
        for buffer, expected in stage._asdict().items():
            found = getattr(on_gpu.stages[name], buffer)
            assert np.array_equal(found, expected), (name, buffer)
            assert found.dtype == expected.dtype
    assert np.array_equal(on_gpu.edge_id, on_cpu.edge_id)
    assert np.array_equal(on_gpu.solid_id, on_cpu.solid_id)
    for name in ("edge_pixels", "pixels_penetrating", "negative_pixels", "self_pixels"):
        assert on_gpu.counters[name] == on_cpu.counters[name], name
    return on_gpu


def assert_true(geometry, view, options):
    """As the slow truth has it."""
    truth, _ = reference.passes(
        scenes.as_reference(geometry, view, options), options.variant, options.self_interference
    )
    found = assert_same(geometry, view, options)
    assert list(found.stages) == list(truth)
    for name, stage in truth.items():
        for buffer, expected in stage._asdict().items():
            assert np.array_equal(getattr(found.stages[name], buffer), expected), (name, buffer)
    return found


@pytest.mark.parametrize("case", CASES)
def test_walk_through(case):
    bodies = scenes.three_boxes()
    found = assert_true(*scenes.seen(bodies, resolution=64, views=ALONG, **CASES[case]))
    # the last pass clears what it used, but as it is printed it uses nothing
    assert found.stages["penetrated"].stencil.any() == case.startswith("printed")


@pytest.mark.parametrize("case", ["prevent", "filter", "original filter", "printed filter"])
def test_edges_in_back_faces(case):
    """A back counts at the depth of an edge too, or the edges of each box lie in their own box."""
    options = {"resolution": 64, "views": ALONG, **CASES[case]}
    assert_true(*scenes.seen(scenes.stacked_boxes(), **options))
    alone = assert_same(*scenes.seen([meshes.box()], **options))
    assert alone.stages["minus"].stencil.any() == (case == "original filter")


@pytest.mark.parametrize("case", CASES)
def test_twenty_bodies(case):
    seen = scenes.seen(scenes.many(20, 0, size=4), resolution=64, **CASES[case])
    found = assert_true(*seen) if case == "prevent" else assert_same(*seen)
    assert found.stages["minus"].stencil.any()


def test_a_perspective_that_clips():
    view = View.perspective((0.2, 0.1, -1.4), (0, 0, 0), fov=50, near=0.9, far=2.2)
    found = assert_same(*scenes.seen(scenes.three_boxes(), resolution=64, views=view))
    assert found.counters["negative_pixels"]


def test_open_bodies():
    bodies = scenes.three_boxes()
    vertices, faces = bodies[1]
    nearest = np.argsort(vertices[faces, 2].mean(axis=1))
    bodies[1] = vertices, faces[nearest[4:]]
    found = assert_same(*scenes.seen(bodies, resolution=64, views=ALONG))
    assert found.counters["negative_pixels"]


def test_nothing():
    assert_same(*scenes.seen([], resolution=16))
    assert_same(*scenes.seen([meshes.empty()], resolution=16))


def test_counts_saturate():
    """300 plates before a box, with their fronts and with their backs to the viewer."""
    plates = np.array([[(0, 0, z), (0, 4, z), (4, 0, z)] for z in np.linspace(0, 1, 300)])
    fronts, backs = meshes.soup(plates), meshes.soup(plates[:, ::-1])
    box = meshes.box((0.5, 0.5, 2), (1.5, 1.5, 3))
    for bodies in ([fronts, box], [backs, box]):
        found = assert_same(*scenes.seen(bodies, resolution=16, views=ALONG))
        assert found.stages["minus"].stencil.max() == (255 if bodies[0] is fronts else 0)
        assert (found.counters["negative_pixels"] > 0) == (bodies[0] is backs)


@pytest.mark.parametrize("seed", range(6))
def test_any_triangles_and_edges(seed):
    """Also edge-on, without area, steep, and one over the other."""
    rng = np.random.default_rng(seed)
    ways = ("prevent", "filter")
    variants = ("corrected", "original", "printed")
    geometry, view, options = scenes.seen(
        [meshes.box()] * 3,
        resolution=32,
        variant=variants[seed % 3],
        self_interference=ways[seed % 2],
    )
    drawn = random_scene(rng, 32, int(rng.choice([3, 30, 400])))
    edges = rng.integers(0, len(drawn.snapped), (40, 2)).astype(np.int32)
    assert_same(
        replace(
            geometry,
            snapped=drawn.snapped,
            faces=drawn.faces,
            body=drawn.body,
            face=np.zeros_like(drawn.body),
            edges=edges,
            edge_body=np.sort(rng.integers(0, 3, 40)).astype(np.int32),
            edge_face=np.zeros(40, np.int32),
            closed=drawn.closed,
        ),
        view,
        options,
    )


def lines(rng, resolution):
    """Edges of all lengths and slopes, and points, as flat faces that are not drawn."""
    side = 256 * resolution
    start = rng.integers(0, side + 1, (400, 2))
    reach = 2 ** rng.integers(0, 2 + side.bit_length(), (400, 1))
    end = np.clip(start + rng.integers(-reach, reach + 1, (400, 2)), 0, side)
    end[::5, 0] = start[::5, 0]
    end[1::5, 1] = start[1::5, 1]
    end[2::20] = start[2::20]
    # along a diagonal, and through corners of pixels
    end[3::5] = np.clip(start[3::5] + (end - start)[3::5, :1], 0, side)
    start[4::5], end[4::5] = start[4::5] // 256 * 256, end[4::5] // 256 * 256
    depths = rng.integers(16, 2**23 - 15, (2, 400, 1))
    return np.concatenate([np.hstack([start, depths[0]]), np.hstack([end, depths[1]])]).astype(
        np.int32
    )


@pytest.mark.parametrize("resolution", [16, 256])
def test_lines(resolution):
    geometry, view, options = scenes.seen([meshes.box()], resolution=resolution)
    corners = lines(np.random.default_rng(resolution), resolution)
    count = len(corners) // 2
    edges = np.arange(2 * count, dtype=np.int32).reshape(2, count).T
    bodies = np.zeros(count, np.int32)
    drawn = replace(
        geometry, snapped=corners, edges=edges, edge_body=bodies, edge_face=bodies,
        faces=np.zeros((0, 3), np.int32), body=bodies[:0], face=bodies[:0],
    )  # fmt: skip
    expected = np.zeros((resolution, resolution), np.int32)
    for a, b in corners[edges]:
        x, y, z = reference.line(a, b, resolution)
        expected[y, x] = z
    stage = run.passes(drawn, view, options, dump=True).stages["edges"]
    assert np.array_equal(stage.depth, expected)


def test_layers_keep_bodies_apart_and_in_order():
    geometry, _, _ = scenes.seen(scenes.many(30, 5, spread=6.0), resolution=64)
    layer = layers_of(geometry)
    boxes = {}
    for body in range(30):
        own = geometry.body == body
        assert len(set(layer[own])) == 1
        pixels = geometry.snapped[geometry.faces[own], :2] >> 8
        boxes[body] = pixels.min(axis=(0, 1)), pixels.max(axis=(0, 1)), layer[own][0]
    for (low, high, before), (low2, high2, after) in combinations(boxes.values(), 2):
        if np.all(low <= high2) and np.all(low2 <= high):
            assert before < after
    assert layer.max() < 20


ROUND_TRIP = """// uses: grid.wgsl cinder/colour.wgsl
@group(0) @binding(0) var<storage, read_write> numbers: array<vec2u>;

@compute @workgroup_size(WORKGROUP) fn main(@builtin(global_invocation_id) thread: vec3u) {
  let colour = colour_of(numbers[thread.x].x, numbers[thread.x].y);
  // no byte of a colour may be more than a byte
  numbers[thread.x] = select(
    numbers_of(colour), vec2u(0u), SOLID_BITS != 0u && any(colour > vec4u(255u)));
}
"""


@pytest.mark.parametrize(("solid_bits", "edges", "solids"), [(0, 32, 32), (16, 16, 16), (8, 24, 8)])
def test_numbers_come_back(gpu, monkeypatch, solid_bits, edges, solids):
    read = sources._read
    monkeypatch.setattr(
        sources, "_read", lambda name: ROUND_TRIP if name == "round_trip" else read(name)
    )
    every = np.arange(65_536, dtype=np.uint64)
    numbers = np.stack([every * 65_537 % 2**edges, every[::-1] * 65_537 % 2**solids], axis=1)
    buffer = gpu.upload(numbers, np.uint32)
    gpu.compute("round_trip", len(numbers), {"SOLID_BITS": solid_bits}, numbers=buffer)
    assert np.array_equal(gpu.read(buffer, np.uint32).reshape(-1, 2), numbers)
    assert edges != 16 or len(np.unique(numbers[:, 0])) == 65_536
