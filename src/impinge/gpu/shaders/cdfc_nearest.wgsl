// uses: grid.wgsl cdfc_fuzzy.wgsl cdfc_share.wgsl
// Of each point: the squared distance of the nearest centre, and the sum of all shares.
@group(0) @binding(3) var<storage, read_write> nearest: array<vec2f>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let i = item_of(group, groups, local);
  if (i >= fuzzy.points) { return; }
  let x = points[i].xyz;
  var least = squared_distance(x, centres[0].xyz);
  for (var l = 1u; l < fuzzy.centres; l++) {
    least = min(least, squared_distance(x, centres[l].xyz));
  }
  var sum = 0.0;
  for (var l = 0u; l < fuzzy.centres; l++) {
    sum += share(least, squared_distance(x, centres[l].xyz), fuzzy.power);
  }
  nearest[i] = vec2f(least, sum);
}
