// uses: grid.wgsl
// The cluster of each row in another order.
@group(0) @binding(0) var<storage, read> clusters: array<u32>;
@group(0) @binding(1) var<storage, read> order: array<u32>;
@group(0) @binding(2) var<uniform> size: vec4u;
@group(0) @binding(3) var<storage, read_write> picked: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let i = item_of(group, groups, local);
  if (i < size.x) { picked[i] = clusters[order[i]]; }
}
