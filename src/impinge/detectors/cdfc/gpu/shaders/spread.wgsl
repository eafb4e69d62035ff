// uses: grid.wgsl cdfc/sums.wgsl
// Sums of x - c and of the products of its components over the centroids of each cluster, in PARTS
// parts: row by row of workgroups, x and the count, xx xy xz yy, yz zz.
override PARTS: u32 = 16;
@group(0) @binding(0) var<storage, read> balls: array<vec4f>;
@group(0) @binding(1) var<storage, read> triangles: array<u32>;
@group(0) @binding(2) var<storage, read> starts: array<u32>;
@group(0) @binding(3) var<storage, read> centres: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> moments: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let centre = centres[group.y].xyz;
  let end = starts[group.y + 1u];
  var mine: Sums;
  for (var row = starts[group.y] + WORKGROUP * group.x + local; row < end; row += WORKGROUP * PARTS) {
    let d = balls[triangles[row]].xyz - centre;
    mine[0] += vec4f(d, 1.0);
    mine[1] += vec4f(d.x * d, d.y * d.y);
    mine[2] += vec4f(d.y * d.z, d.z * d.z, 0.0, 0.0);
  }
  let all = added(mine, local);
  if (local < 3u) { moments[3u * (PARTS * group.y + group.x) + local] = all[local]; }
}
