"""64-bit integers of wide.wgsl against Python's."""

from __future__ import annotations

import numpy as np
import pytest

from impinge.gpu import sources

OPERATIONS = {
    "add": ("wide_add(a, b)", lambda a, b: a + b),
    "sub": ("wide_sub(a, b)", lambda a, b: a - b),
    "mul": ("wide_mul(a, b)", lambda a, b: a * b),
    "times": (
        "wide_times(i32(a.x), i32(b.x))",
        lambda a, b: signed(a, 32) * signed(b, 32),
    ),
    "negated": ("wide_negated(a)", lambda a, b: -a),
    "abs": ("wide_abs(a)", lambda a, b: abs(a)),
    "shifted": ("wide_shifted_left(a, 15u)", lambda a, b: a << 15),
    "quotient": ("wide_quotient(a, b)", lambda a, b: quotient(a, b) if b else None),
    "below": ("Wide(u32(wide_is_below(a, b)), 0u)", lambda a, b: int(a % 2**64 < b % 2**64)),
    "negative": ("Wide(u32(wide_is_negative(a)), 0u)", lambda a, b: int(a < 0)),
    "zero": ("Wide(u32(wide_is_zero(a)), 0u)", lambda a, b: int(a == 0)),
    "of": ("wide_of(i32(a.x))", lambda a, b: signed(a, 32)),
}

CODE = """// uses: grid.wgsl wide.wgsl
@group(0) @binding(0) var<storage, read> first: array<vec2u>;
@group(0) @binding(1) var<storage, read> second: array<vec2u>;
@group(0) @binding(2) var<storage, read_write> result: array<vec2u>;
@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) thread: vec3u) {
  if (thread.x < arrayLength(&first)) {
    let a = first[thread.x];
    let b = second[thread.x];
    result[thread.x] = EXPRESSION;
  }
}
"""


def signed(value: int, bits: int) -> int:
    half = 1 << (bits - 1)
    return (value + half) % (1 << bits) - half


def quotient(a: int, b: int) -> int:
    size = abs(a) // abs(b)
    return size if (a < 0) == (b < 0) else -size


def numbers() -> list[int]:
    rng = np.random.default_rng(11)
    extremes = [0, 1, 2, 3, 0xFFFF, 0x10000, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**32 + 1]
    extremes += [2**41, 2**44 - 1, 2**59, 2**62, 2**63 - 1]
    extremes += [-value for value in extremes] + [-(2**63) + 1]
    wide = [int(rng.integers(-(2**62), 2**62)) >> int(rng.integers(0, 62)) for _ in range(400)]
    return extremes + wide


@pytest.mark.parametrize("name", OPERATIONS)
def test_it_is_exact(gpu, monkeypatch, name):
    expression, python = OPERATIONS[name]
    shader = f"wide_{name}"
    read = sources._read
    text = CODE.replace("EXPRESSION", expression)
    monkeypatch.setattr(sources, "_read", lambda file: text if file == shader else read(file))
    values = numbers()
    rng = np.random.default_rng(5)
    pairs = [(a, b) for a in values[:33] for b in values[:33]]
    pairs += list(zip(values, (values[i] for i in rng.permutation(len(values))), strict=True))
    first, second = np.array(pairs, dtype=np.int64).T
    result = gpu.zeros(8 * len(pairs))
    gpu.compute(
        shader, len(pairs), first=gpu.upload(first), second=gpu.upload(second), result=result
    )
    for (a, b), found in zip(pairs, gpu.read(result, np.int64).tolist(), strict=True):
        expected = python(a, b)
        if expected is not None:
            assert found == signed(expected, 64), (a, b)
