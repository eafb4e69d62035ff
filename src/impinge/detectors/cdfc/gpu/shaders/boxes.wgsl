// uses: each_item.wgsl cdfc/points.wgsl
// Boxes along the axes of the cluster, rounded outward.
// A mapped corner, in units of the frame, is off by 1.74 * 1.01 * 2^-24, since the components of a
// unit vector add up to 1.74 at most, by four roundings of each term, 7u with u = 2^-23, and moving
// a bound outward rounds by 2u: together less than 10u.
const MARGIN = 16.0 * 0x1p-23;
const UNIT = 0x1p-24;
@group(0) @binding(0) var<storage, read> points: array<i32>;
// corners and body
@group(0) @binding(1) var<storage, read> soup: array<vec4i>;
@group(0) @binding(2) var<storage, read> triangles: array<u32>;
@group(0) @binding(3) var<storage, read> clusters: array<u32>;
// three of each cluster
@group(0) @binding(4) var<storage, read> axes: array<vec4f>;
@group(0) @binding(5) var<uniform> size: vec4u;
@group(0) @binding(6) var<storage, read_write> lows: array<vec4f>;
@group(0) @binding(7) var<storage, read_write> highs: array<vec4f>;

fn run(i: u32) {
  if (i >= size.x) { return; }
  let corners = soup[triangles[i]];
  let first = 3u * clusters[i];
  let turn = transpose(mat3x3f(axes[first].xyz, axes[first + 1u].xyz, axes[first + 2u].xyz));
  let p = turn * (vec3f(point(corners.x)) * UNIT);
  let q = turn * (vec3f(point(corners.y)) * UNIT);
  let r = turn * (vec3f(point(corners.z)) * UNIT);
  lows[i] = vec4f(min(min(p, q), r) - MARGIN, 0.0);
  highs[i] = vec4f(max(max(p, q), r) + MARGIN, 0.0);
}
