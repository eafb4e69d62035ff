// uses: grid.wgsl
// Sums of all values before each one within a block of 256, and the sum of each block.
@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<uniform> size: vec4u;
@group(0) @binding(2) var<storage, read_write> sums: array<u32>;
@group(0) @binding(3) var<storage, read_write> totals: array<u32>;

const EACH = 4u;
var<workgroup> parts: array<u32, WORKGROUP>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let thread = item_of(group, groups, local);
  let first = EACH * thread;
  var own: array<u32, EACH>;
  var sum = 0u;
  for (var k = 0u; k < EACH; k++) {
    own[k] = sum;
    if (first + k < size.x) { sum += values[first + k]; }
  }
  parts[local] = sum;
  for (var step = 1u; step < WORKGROUP; step *= 2u) {
    workgroupBarrier();
    var left = 0u;
    if (local >= step) { left = parts[local - step]; }
    workgroupBarrier();
    parts[local] += left;
  }
  workgroupBarrier();
  let before = parts[local] - sum;
  for (var k = 0u; k < EACH; k++) {
    if (first + k < size.x) { sums[first + k] = before + own[k]; }
  }
  // the grid may have more workgroups than there are blocks
  let block = thread / WORKGROUP;
  if (local == WORKGROUP - 1u && block < size.y) { totals[block] = parts[local]; }
}
