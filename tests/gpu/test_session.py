"""Buffers, passes and their errors."""

from __future__ import annotations

import gc
import multiprocessing
import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from impinge.errors import DeviceLostError, GpuLimitError, ShaderError
from impinge.gpu import Device, Draw, State, Target, open_device, sources
from impinge.gpu.passes import MOST_GROUPS, WORKGROUP, groups_of

DOUBLE = """// uses: grid.wgsl
@group(0) @binding(0) var<storage, read_write> values: array<u32>;
@group(0) @binding(1) var<uniform> count: vec4u;
override STEP: u32 = 1;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
        @builtin(local_invocation_index) local: u32) {
  let i = item_of(group, groups, local);
  if (i < count.x) { values[i] = 2u * values[i] + STEP; }
}
"""

CORNER = """
@group(0) @binding(0) var<storage, read_write> hits: array<atomic<u32>>;

@vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
  return vec4f(f32(i % 2u) * 4.0 - 1.0, f32(i / 2u) * 4.0 - 1.0, 0.25, 1.0);
}
@fragment fn fs() -> @location(0) vec4f {
  atomicAdd(&hits[0], 1u);
  return vec4f(1.0);
}
"""


LAYER = """
@group(0) @binding(0) var<uniform> depth: vec4f;

@vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
  // a triangle over all of the image; those after the first are beside it
  let beside = 8.0 * f32(i / 3u);
  return vec4f(f32(i % 2u) * 4.0 - 1.0 + beside, f32(i % 3u / 2u) * 4.0 - 1.0, depth.x, 1.0);
}
@fragment fn fs() -> @location(0) vec4u { return vec4u(7u, 8u, 9u, 10u); }
"""

SHOWN = """// uses: grid.wgsl
@group(0) @binding(0) var image: texture_2d<u32>;
@group(0) @binding(1) var stencils: texture_2d<u32>;
@group(0) @binding(2) var<storage, read_write> values: array<u32>;

@compute @workgroup_size(1) fn main() {
  let pixel = textureLoad(image, vec2i(3), 0);
  for (var k = 0u; k < 4u; k++) { values[k] = pixel[k]; }
  values[4] = textureLoad(stencils, vec2i(3), 0).x;
}
"""


@pytest.fixture(autouse=True)
def shaders(monkeypatch):
    """Shaders of these tests only."""
    texts = {
        "double": DOUBLE,
        "corner": CORNER,
        "layer": LAYER,
        "shown": SHOWN,
        "broken": "\nfn main( {",
        "mistyped": "@compute @workgroup_size(1) fn main() { let x: u32 = 1i; }",
    }
    read = sources._read
    monkeypatch.setattr(sources, "_read", lambda name: texts.get(name) or read(name))
    sources.source.cache_clear()
    yield
    sources.source.cache_clear()


def doubled(gpu, values, **constants):
    buffer = gpu.upload(values)
    gpu.compute("double", len(values), constants, values=buffer, count=gpu.uniform(len(values)))
    return gpu.read(buffer, np.uint32)


@pytest.mark.parametrize("count", [0, 1, 63, 64, 65, 1000])
def test_compute(gpu, count):
    values = np.arange(count, dtype=np.uint32)
    assert np.array_equal(doubled(gpu, values), 2 * values + 1)


def test_constants_make_another_pipeline(gpu):
    values = np.arange(5, dtype=np.uint32)
    assert np.array_equal(doubled(gpu, values, STEP=7), 2 * values + 7)
    assert np.array_equal(doubled(gpu, values), 2 * values + 1)


def test_more_groups_than_one_dimension_has(gpu):
    count = MOST_GROUPS * WORKGROUP + 77
    assert groups_of(count) == (MOST_GROUPS // 2 + 2, 2)
    buffer = gpu.zeros(4 * count)
    gpu.compute("double", count, values=buffer, count=gpu.uniform(count))
    assert np.all(gpu.read(buffer, np.uint32) == 1)


def test_bytes_are_counted(gpu):
    doubled(gpu, np.arange(10, dtype=np.uint32))
    assert (gpu.bytes_up, gpu.bytes_down) == (40 + 16, 40)
    gpu.read(gpu.upload(np.arange(100, dtype=np.int16)), np.int16, 3)
    assert (gpu.bytes_up, gpu.bytes_down) == (40 + 16 + 200, 40 + 6)


def test_odd_sizes_come_back(gpu):
    values = np.arange(7, dtype=np.uint8)
    assert np.array_equal(gpu.read(gpu.upload(values), np.uint8), values)


def test_copy_and_clear(gpu):
    values = np.arange(8, dtype=np.int32)
    one, two = gpu.upload(values), gpu.zeros(32)
    gpu.copy(one, two, 16)
    gpu.clear(one)
    assert not gpu.read(one, np.int32).any()
    assert gpu.read(two, np.int32).tolist() == [0, 1, 2, 3, 0, 0, 0, 0]


@pytest.mark.parametrize("vertices", [0, 3])
def test_render(gpu, vertices):
    colour = gpu.texture(8, 8, "r32float")
    depth = gpu.texture(8, 8, "depth32float")
    hits = gpu.zeros(4)
    gpu.render(
        "corner",
        vertices,
        State(targets=("r32float",), depth="depth32float", compare="less", depth_write=True),
        [Target(colour.create_view(), 0.0)],
        depth=Target(depth.create_view(), 1.0),
        hits=hits,
    )
    assert gpu.read(hits, np.uint32).item() == (64 if vertices else 0)


def test_several_draws_in_a_pass(gpu):
    image = gpu.texture(8, 8, "rgba8uint").create_view()
    depth = gpu.texture(8, 8, "depth32float-stencil8")
    near, far = ({"depth": gpu.uniform(value, dtype=np.float32)} for value in (0.25, 0.75))

    def state(write, change, mask=0xFF):
        side = ("always" if mask == 0xFF else "not-equal", "keep", "keep", change)
        return State(
            targets=("rgba8uint",),
            write=write,
            depth="depth32float-stencil8",
            compare="less",
            stencil=(side, side),
            stencil_mask=mask,
        )

    plus = state("", "increment-clamp")
    draws = [
        Draw("layer", 3, plus, near),
        Draw("layer", 3, plus, near, watched=True),
        # behind what is there, and beside the image
        Draw("layer", 3, plus, far, watched=True),
        Draw("layer", 3, plus, near, 3, watched=True),
        # two is zero under this mask
        Draw("layer", 3, state("r", "zero", 1), near),
        Draw("layer", 3, state("ga", "keep", 2), near, watched=True),
    ]
    passed = gpu.draw(draws, [Target(image, 1.0)], depth=Target(depth.create_view(), 0.5, 0))
    values = gpu.zeros(20)
    stencils = depth.create_view(format="stencil8", aspect="stencil-only")
    gpu.compute("shown", 1, image=image, stencils=stencils, values=values)
    assert gpu.read(values, np.uint32).tolist() == [1, 8, 1, 10, 2]
    assert (gpu.read(passed, np.uint64) > 0).tolist() == [True, False, False, True]


@pytest.mark.parametrize("stamped", [True, False])
def test_times_of_stages(gpu, stamped):
    gpu._clock.stamped = stamped and "timestamp-query" in gpu.device.features
    with gpu.stage("sample"):
        for _ in range(3):
            doubled(gpu, np.zeros(1000, dtype=np.uint32))
    with gpu.stage("merge"):
        gpu.clear(gpu.zeros(4))
    counters = gpu.counters()
    assert counters["sample_seconds"] > 0
    assert counters["bytes_down"] == 12_000


def test_more_passes_than_a_query_set_has_stamps(gpu):
    gpu._clock.stamped = "timestamp-query" in gpu.device.features
    buffer, count = gpu.zeros(4), gpu.uniform(1)
    with gpu.stage("many"):
        for _ in range(2050):
            gpu.compute("double", 1, values=buffer, count=count)
    assert gpu.read(buffer, np.uint32).item() == 2**32 - 1
    assert gpu.counters()["many_seconds"] > 0


def test_too_large_a_buffer(gpu):
    allowed = gpu.device.limits["max-storage-buffer-binding-size"]
    with pytest.raises(GpuLimitError) as caught:
        gpu.zeros(allowed + 4)
    assert f"needs {allowed + 4:,}, but the adapter allows {allowed:,}" in str(caught.value)
    assert 'device="cpu"' in str(caught.value)
    with pytest.raises(GpuLimitError, match="max-texture-dimension-2d"):
        gpu.texture(1 << 20, 4, "r32float")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("broken", "expected identifier"),
        ("mistyped", "expected to be `u32`"),
        ("doubel", r"no such shader"),
    ],
)
def test_bad_shaders(gpu, name, message):
    with pytest.raises(ShaderError, match=message) as caught:
        gpu.compute(name, 1)
    assert str(caught.value).startswith(f"{name}.wgsl: ")


def test_a_broken_line_keeps_its_number(gpu):
    with pytest.raises(ShaderError, match="wgsl:2:"):
        gpu.compute("broken", 1)


def test_wrong_bindings(gpu):
    with pytest.raises(ShaderError, match=r"double.wgsl: wants values, count, got values"):
        gpu.compute("double", 1, values=gpu.zeros(4))


def test_a_lost_device_is_replaced(gpu_device):
    lost = Device(gpu_device.adapter)
    lost.handle.destroy()
    with pytest.raises(DeviceLostError, match="run the query again"), lost.session() as session:
        doubled(session, np.zeros(4, dtype=np.uint32))
    assert open_device(software=True) is gpu_device


def test_threads_share_the_device(gpu_device):
    def work(seed):
        values = np.arange(seed, seed + 1000, dtype=np.uint32)
        with gpu_device.session() as session:
            return np.array_equal(doubled(session, values), 2 * values + 1)

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, range(12)))


def _in_child(answers):
    gc.collect()
    with open_device(software=True).session() as session:
        answers.put(doubled(session, np.arange(4, dtype=np.uint32)).tolist())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="fork of POSIX")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_opens_its_own(gpu_device):
    # garbage of the parent, which the child must not give back
    cycle = Device(gpu_device.adapter).session()
    cycle.cycle = cycle
    doubled(cycle, np.arange(4, dtype=np.uint32))
    del cycle
    context = multiprocessing.get_context("fork")
    answers = context.SimpleQueue()
    child = context.Process(target=_in_child, args=(answers,))
    child.start()
    child.join(60)
    code = child.exitcode
    child.kill()
    assert code == 0
    assert answers.get() == [1, 3, 5, 7]
