// uses: each_item.wgsl
// The cluster of each row in another order.
@group(0) @binding(0) var<storage, read> clusters: array<u32>;
@group(0) @binding(1) var<storage, read> order: array<u32>;
@group(0) @binding(2) var<uniform> size: vec4u;
@group(0) @binding(3) var<storage, read_write> picked: array<u32>;

fn run(i: u32) {
  if (i < size.x) { picked[i] = clusters[order[i]]; }
}
