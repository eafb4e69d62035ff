// uses: grid.wgsl
// How many clusters each triangle is in. size: triangles, words of each.
@group(0) @binding(0) var<storage, read> members: array<u32>;
@group(0) @binding(1) var<uniform> size: vec4u;
@group(0) @binding(2) var<storage, read_write> copies: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let i = item_of(group, groups, local);
  if (i >= size.x) { return; }
  var count = 0u;
  for (var word = 0u; word < size.y; word++) { count += countOneBits(members[size.y * i + word]); }
  copies[i] = count;
}
