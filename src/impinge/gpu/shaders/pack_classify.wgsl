// uses: grid.wgsl
// 1 for each row of a sparse array that is not all zero.
override WORDS: u32 = 4;
@group(0) @binding(0) var<storage, read> sparse: array<u32>;
@group(0) @binding(1) var<storage, read_write> used: array<u32>;
@group(0) @binding(2) var<uniform> size: vec4u;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let i = item_of(group, groups, local);
  if (i >= size.x) { return; }
  var all = 0u;
  for (var k = 0u; k < WORDS; k++) { all |= sparse[WORDS * i + k]; }
  used[i] = u32(all != 0u);
}
