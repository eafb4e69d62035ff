// uses: each_item.wgsl
// One log step of counting: sums of neighbours, half as many columns.
@group(0) @binding(0) var<storage, read> before: array<u32>;
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;
@group(0) @binding(2) var<uniform> size: vec4u;

fn run(i: u32) {
  if (i < size.x) { sums[i] = before[2u * i] + before[2u * i + 1u]; }
}
