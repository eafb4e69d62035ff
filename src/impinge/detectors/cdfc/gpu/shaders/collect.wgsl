// uses: each_item.wgsl
// A piece of all pairs that overlap along the first axis, one thread each; keeps those that overlap
// along the others.
struct Piece {
  pairs: u32,
  // of the running totals: the first, how many, and pairs of the first that come before the piece
  first: u32,
  blocks: u32,
  skip: u32,
  rows: u32,
}
const BLOCK = 256u;

@group(0) @binding(0) var<storage, read> lows: array<vec4f>;
@group(0) @binding(1) var<storage, read> highs: array<vec4f>;
// running totals of the overlaps within each block of rows, and of the blocks within the piece
@group(0) @binding(2) var<storage, read> totals: array<u32>;
@group(0) @binding(3) var<storage, read> block_totals: array<u32>;
@group(0) @binding(4) var<uniform> piece: Piece;
// pairs that overlap along two axes, along all three
@group(0) @binding(5) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(6) var<storage, read_write> pairs: array<vec2u>;

fn run(i: u32) {
  if (i >= piece.pairs) { return; }
  let block = block_of(i);
  var place = i - block_totals[block];
  if (block == 0u) { place += piece.skip; }
  let row = row_of(BLOCK * (piece.first + block), place);
  let partner = row + 1u + place - totals[row];
  if (!(lows[partner].y <= highs[row].y && lows[row].y <= highs[partner].y)) { return; }
  atomicAdd(&counts[0], 1u);
  if (!(lows[partner].z <= highs[row].z && lows[row].z <= highs[partner].z)) { return; }
  pairs[atomicAdd(&counts[1], 1u)] = vec2u(row, partner);
}

// The last block that starts at or before this pair.
fn block_of(pair: u32) -> u32 {
  var low = 0u;
  var high = piece.blocks;
  while (high - low > 1u) {
    let middle = (low + high) / 2u;
    if (block_totals[middle] <= pair) { low = middle; } else { high = middle; }
  }
  return low;
}

// The last row of a block that starts at or before this place in it.
fn row_of(first: u32, place: u32) -> u32 {
  var low = first;
  var high = min(first + BLOCK, piece.rows);
  while (high - low > 1u) {
    let middle = (low + high) / 2u;
    if (totals[middle] <= place) { low = middle; } else { high = middle; }
  }
  return low;
}
