// uses: grid.wgsl
// Four columns of the sweep from right to left: the used places of each row, moved to the right
// end, in their order. It follows the places that the first sweep left, and only ever gathers.
struct Sweep {
  rows: u32,
  columns: u32,
  // columns of the result, and how many of them are done
  most: u32,
  done: u32,
}

@group(0) @binding(0) var<storage, read> used: array<u32>;
@group(0) @binding(1) var<storage, read> left: array<i32>;
@group(0) @binding(2) var<storage, read_write> shifted: array<i32>;
@group(0) @binding(3) var<uniform> sweep: Sweep;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let row = item_of(group, groups, local);
  if (row >= sweep.rows) { return; }
  for (var k = sweep.done; k < min(sweep.done + 4u, sweep.most); k++) {
    shifted[row * sweep.most + sweep.most - 1u - k] = next_place(row, k);
  }
}

fn next_place(row: u32, k: u32) -> i32 {
  let start = row * sweep.columns;
  let last = sweep.columns - 1u;
  if (k == 0u) { return select(left[start + last], i32(last), used[start + last] != 0u); }
  let right = shifted[row * sweep.most + sweep.most - k];
  if (right < 0) { return -1; }
  return left[start + u32(right)];
}
