// uses: each_item.wgsl
// Adds what is before the block of each value.
@group(0) @binding(0) var<storage, read> totals: array<u32>;
@group(0) @binding(1) var<uniform> size: vec4u;
@group(0) @binding(2) var<storage, read_write> sums: array<u32>;

fn run(i: u32) {
  if (i < size.x) { sums[i] += totals[i / 256u]; }
}
