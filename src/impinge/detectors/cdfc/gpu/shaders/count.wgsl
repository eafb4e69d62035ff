// uses: each_item.wgsl
// How many of the later boxes of its cluster start within each box, by halving.
@group(0) @binding(0) var<storage, read> lows: array<vec4f>;
@group(0) @binding(1) var<storage, read> highs: array<vec4f>;
@group(0) @binding(2) var<storage, read> rows: array<vec2u>;
@group(0) @binding(3) var<storage, read> starts: array<u32>;
@group(0) @binding(4) var<uniform> size: vec4u;
@group(0) @binding(5) var<storage, read_write> overlaps: array<u32>;

fn run(i: u32) {
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
