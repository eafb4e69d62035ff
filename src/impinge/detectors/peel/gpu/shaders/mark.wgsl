// uses: each_item.wgsl
// Switches on every ray with more fragments than were looked at.
@group(0) @binding(0) var<storage, read> counts: array<u32>;
@group(0) @binding(1) var<storage, read_write> mask: array<u32>;
@group(0) @binding(2) var<uniform> size: vec4u;

fn run(i: u32) {
  if (i < size.x && counts[i] > size.y) { mask[i] = 1u; }
}
