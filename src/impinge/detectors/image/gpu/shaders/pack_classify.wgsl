// uses: each_item.wgsl
// 1 for each row of a sparse array that is not all zero.
override WORDS: u32 = 4;
@group(0) @binding(0) var<storage, read> sparse: array<u32>;
@group(0) @binding(1) var<storage, read_write> used: array<u32>;
@group(0) @binding(2) var<uniform> size: vec4u;

fn run(i: u32) {
  if (i >= size.x) { return; }
  var all = 0u;
  for (var k = 0u; k < WORDS; k++) { all |= sparse[WORDS * i + k]; }
  used[i] = u32(all != 0u);
}
