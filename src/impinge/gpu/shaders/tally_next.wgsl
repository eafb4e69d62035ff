// uses: grid.wgsl tally.wgsl
// Later steps of a tally, in the same way.
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
  for (var k = select(size.x, i, i < size.y); k < size.x; k += size.y) {
    mine = joined(mine, before[k]);
  }
  let all = tallied(mine, local);
  if (local == 0u && i < size.y) { tallies[i / WORKGROUP] = all; }
}
