// uses: grid.wgsl
// How many of the later boxes of its cluster start within each box, by halving.
@group(0) @binding(0) var<storage, read> lows: array<vec4f>;
@group(0) @binding(1) var<storage, read> highs: array<vec4f>;
@group(0) @binding(2) var<storage, read> rows: array<vec2u>;
@group(0) @binding(3) var<storage, read> starts: array<u32>;
@group(0) @binding(4) var<uniform> size: vec4u;
@group(0) @binding(5) var<storage, read_write> overlaps: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let i = item_of(group, groups, local);
  if (i >= size.x) { return; }
  let end = highs[i].x;
  // all before `low` start within, none from `high` on
  var low = i + 1u;
  var high = starts[rows[i].y + 1u];
  while (low < high) {
    let middle = (low + high) / 2u;
    if (lows[middle].x <= end) { low = middle + 1u; } else { high = middle; }
  }
  overlaps[i] = low - i - 1u;
}
