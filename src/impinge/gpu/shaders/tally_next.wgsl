// uses: grid.wgsl tally.wgsl
// Later steps of a tally: 64 of the last step become one.
@group(0) @binding(0) var<storage, read> before: array<vec4u>;
@group(0) @binding(1) var<uniform> size: vec4u;
@group(0) @binding(2) var<storage, read_write> tallies: array<vec4u>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let i = item_of(group, groups, local);
  var mine = vec4u(0u);
  if (i < size.x) { mine = before[i]; }
  let all = tallied(mine, local);
  if (local == 0u && i < size.x) { tallies[i / WORKGROUP] = all; }
}
