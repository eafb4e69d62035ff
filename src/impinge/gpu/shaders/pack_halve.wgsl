// uses: grid.wgsl
// One log step of counting: sums of neighbours, half as many columns.
@group(0) @binding(0) var<storage, read> before: array<u32>;
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;
@group(0) @binding(2) var<uniform> size: vec4u;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let i = item_of(group, groups, local);
  if (i < size.x) { sums[i] = before[2u * i] + before[2u * i + 1u]; }
}
