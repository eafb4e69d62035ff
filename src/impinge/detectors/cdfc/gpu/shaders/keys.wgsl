// uses: each_item.wgsl
// Numbers without sign in the order of the floats where boxes start: all bits of negatives are
// flipped, of the others the sign.
@group(0) @binding(0) var<storage, read> lows: array<vec4f>;
@group(0) @binding(1) var<uniform> size: vec4u;
@group(0) @binding(2) var<storage, read_write> keys: array<u32>;
@group(0) @binding(3) var<storage, read_write> order: array<u32>;

fn run(i: u32) {
  if (i >= size.x) { return; }
  let bits = bitcast<u32>(lows[i].x);
  keys[i] = bits ^ select(0x80000000u, 0xffffffffu, (bits >> 31u) != 0u);
  order[i] = i;
}
