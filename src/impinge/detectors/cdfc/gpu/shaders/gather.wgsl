// uses: each_item.wgsl
// Rows in the order of the sweep: boxes, and triangle and cluster.
@group(0) @binding(0) var<storage, read> order: array<u32>;
@group(0) @binding(1) var<storage, read> lows: array<vec4f>;
@group(0) @binding(2) var<storage, read> highs: array<vec4f>;
@group(0) @binding(3) var<storage, read> triangles: array<u32>;
@group(0) @binding(4) var<storage, read> clusters: array<u32>;
@group(0) @binding(5) var<uniform> size: vec4u;
@group(0) @binding(6) var<storage, read_write> sorted_lows: array<vec4f>;
@group(0) @binding(7) var<storage, read_write> sorted_highs: array<vec4f>;
@group(0) @binding(8) var<storage, read_write> rows: array<vec2u>;

fn run(i: u32) {
  if (i >= size.x) { return; }
  let row = order[i];
  sorted_lows[i] = lows[row];
  sorted_highs[i] = highs[row];
  rows[i] = vec2u(triangles[row], clusters[row]);
}
