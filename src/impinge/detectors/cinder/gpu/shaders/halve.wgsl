// uses: each_item.wgsl
// Half as many pixels on a side: each is the highest of four, taken whole, since the highest edge
// with the highest solid might be a pair that nobody drew.
override WORDS: u32 = 2;
@group(0) @binding(0) var<storage, read> before: array<u32>;
@group(0) @binding(1) var<storage, read_write> halved: array<u32>;
// pixels whose four had different values that are not zero, for each stage
@group(0) @binding(2) var<storage, read_write> clashes: array<atomic<u32>>;
// pixels on a side, and the number of this stage
@group(0) @binding(3) var<uniform> size: vec4u;

fn run(i: u32) {
  if (i >= size.x * size.x) { return; }
  let corner = 2u * vec2u(i % size.x, i / size.x);
  var highest = vec2u(0u);
  var clash = false;
  for (var k = 0u; k < 4u; k++) {
    let value = value_at(2u * size.x * (corner.y + (k >> 1u)) + corner.x + (k & 1u));
    clash |= any(value != vec2u(0u)) && any(highest != vec2u(0u)) && any(value != highest);
    if (is_above(value, highest)) { highest = value; }
  }
  if (clash) { atomicAdd(&clashes[size.y], 1u); }
  halved[WORDS * i] = highest.x;
  if (WORDS == 2u) { halved[2u * i + 1u] = highest.y; }
}

fn value_at(i: u32) -> vec2u {
  if (WORDS == 1u) { return vec2u(before[i], 0u); }
  return vec2u(before[2u * i], before[2u * i + 1u]);
}

fn is_above(a: vec2u, b: vec2u) -> bool {
  return a.x > b.x || (a.x == b.x && a.y > b.y);
}
