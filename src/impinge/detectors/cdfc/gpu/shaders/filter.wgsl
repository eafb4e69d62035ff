// uses: each_item.wgsl cdfc/points.wgsl cdfc/apart.wgsl
// Of pairs whose boxes overlap, those that are to be tested exactly: wanted, without a common corner,
// in their lowest common cluster, and not certainly apart.
struct Query {
  pairs: u32,
  // of each triangle in `members`
  words: u32,
  bodies: u32,
  // whether only some pairs of bodies are wanted
  only: u32,
}
@group(0) @binding(0) var<storage, read> pairs: array<vec2u>;
@group(0) @binding(1) var<storage, read> rows: array<vec2u>;
@group(0) @binding(2) var<storage, read> soup: array<vec4i>;
@group(0) @binding(3) var<storage, read> points: array<i32>;
@group(0) @binding(4) var<storage, read> members: array<u32>;
// bits: bodies that are checked against themselves, then, row by row, pairs of bodies
@group(0) @binding(5) var<storage, read> wanted: array<u32>;
@group(0) @binding(6) var<uniform> query: Query;
// as cdfc_collect has them, then pairs tested here, and kept
@group(0) @binding(7) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(8) var<storage, read_write> undecided: array<vec2u>;

fn run(i: u32) {
  if (i >= query.pairs) { return; }
  let a = rows[pairs[i].x];
  let b = rows[pairs[i].y];
  let s = soup[a.x];
  let t = soup[b.x];
  if (!is_wanted(u32(s.w), u32(t.w)) || shares(s, t) || lowest_common(a.x, b.x) != a.y) { return; }
  let p = Corners(point(s.x), point(s.y), point(s.z));
  let q = Corners(point(t.x), point(t.y), point(t.z));
  if (boxes_apart(p, q)) { return; }
  atomicAdd(&counts[2], 1u);
  if (certainly_apart(p, q)) { return; }
  undecided[atomicAdd(&counts[3], 1u)] = vec2u(a.x, b.x);
}

fn is_wanted(a: u32, b: u32) -> bool {
  if (a == b) { return bit(a); }
  return query.only == 0u || bit(query.bodies + a * query.bodies + b);
}

fn bit(index: u32) -> bool {
  return (wanted[index / 32u] >> (index % 32u) & 1u) != 0u;
}

// Neighbours are left to the fans around vertices.
fn shares(s: vec4i, t: vec4i) -> bool {
  return any(s.xyz == t.xxx) || any(s.xyz == t.yyy) || any(s.xyz == t.zzz);
}

fn lowest_common(a: u32, b: u32) -> u32 {
  for (var word = 0u; word < query.words; word++) {
    let both = members[query.words * a + word] & members[query.words * b + word];
    if (both != 0u) { return 32u * word + firstTrailingBit(both); }
  }
  return 0u;
}
