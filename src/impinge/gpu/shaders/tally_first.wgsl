// uses: grid.wgsl tally.wgsl
// First step of a tally: largest value, sum of values (64 bits) and of marks. Each of size.y threads
// takes every size.y-th of size.x values.
@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<storage, read> marks: array<u32>;
@group(0) @binding(2) var<uniform> size: vec4u;
@group(0) @binding(3) var<storage, read_write> tallies: array<vec4u>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let i = item_of(group, groups, local);
  var mine = vec4u(0u);
  for (var k = select(size.x, i, i < size.y); k < size.x; k += size.y) {
    mine = joined(mine, vec4u(values[k], values[k], 0u, marks[k]));
  }
  let all = tallied(mine, local);
  if (local == 0u && i < size.y) { tallies[i / WORKGROUP] = all; }
}
