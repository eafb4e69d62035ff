// uses: grid.wgsl
// Joins the shifted rows: each place of the result finds the row whose line covers it.
override WORDS: u32 = 4;
struct Line {
  total: u32,
  rows: u32,
  columns: u32,
  most: u32,
}

@group(0) @binding(0) var<storage, read> sparse: array<u32>;
@group(0) @binding(1) var<storage, read> shifted: array<i32>;
// where the line of each row starts in the result, and the total
@group(0) @binding(2) var<storage, read> starts: array<u32>;
@group(0) @binding(3) var<uniform> line: Line;
@group(0) @binding(4) var<storage, read_write> ids: array<u32>;
@group(0) @binding(5) var<storage, read_write> rows: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let place = item_of(group, groups, local);
  if (place >= line.total) { return; }
  let row = row_of(place);
  // lines end at the right end of their row
  let column = line.most - (starts[row + 1u] - place);
  let id = row * line.columns + u32(shifted[row * line.most + column]);
  ids[place] = id;
  for (var k = 0u; k < WORDS; k++) { rows[WORDS * place + k] = sparse[WORDS * id + k]; }
}

// The last row that starts at or before this place and is not empty.
fn row_of(place: u32) -> u32 {
  var low = 0u;
  var high = line.rows;
  while (high - low > 1u) {
    let middle = (low + high) / 2u;
    if (starts[middle] <= place) { low = middle; } else { high = middle; }
  }
  return low;
}
