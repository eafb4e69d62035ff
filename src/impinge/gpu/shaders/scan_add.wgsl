// uses: grid.wgsl
// Adds what is before the block of each value.
@group(0) @binding(0) var<storage, read> totals: array<u32>;
@group(0) @binding(1) var<uniform> size: vec4u;
@group(0) @binding(2) var<storage, read_write> sums: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let i = item_of(group, groups, local);
  if (i < size.x) { sums[i] += totals[i / 256u]; }
}
