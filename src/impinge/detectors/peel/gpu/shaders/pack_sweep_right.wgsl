// uses: grid.wgsl
// Four columns of the sweep from left to right: where the nearest used place to the left is.
struct Sweep {
  rows: u32,
  columns: u32,
  first: u32,
}

@group(0) @binding(0) var<storage, read> used: array<u32>;
@group(0) @binding(1) var<storage, read_write> left: array<i32>;
@group(0) @binding(2) var<uniform> sweep: Sweep;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let row = item_of(group, groups, local);
  if (row >= sweep.rows) { return; }
  let start = row * sweep.columns;
  for (var c = sweep.first; c < sweep.first + 4u; c++) {
    var nearest = -1;
    if (c > 0u) { nearest = select(left[start + c - 1u], i32(c) - 1, used[start + c - 1u] != 0u); }
    left[start + c] = nearest;
  }
}
