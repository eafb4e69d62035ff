// uses: grid.wgsl
// The entry point of shaders that look at one item after the other: calls run(i).
@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  run(item_of(group, groups, local));
}
