// uses: each_item.wgsl cdfc/share.wgsl
// Clusters of each triangle, one bit for each. Rounding may only add clusters: u = 2^-23, since WGSL
// may round up or down, and may add in any order; all coordinates are within one.
//
// bisector, g_l - g_k <= 2 |c_l - c_k| r with g_l = |c_l|^2 - 2 x.c_l: a g is off by 2u (its stored
// square), 18u (the product, three terms of up to three roundings each) and 9u, their difference by
// 58u + 18u, and 18u more when SLACK is taken away: 94u in all. Only what is above is squared, and
// both squares are off by a few u of themselves, which ROOM covers; TINY is above any underflow.
// generous, d_l <= d_min + 2 r: a distance of at most 3.5 is off by 35u, with a square root of 5u,
// both by 70u, their sum with a reach of 10.5 by 21u.
const SLACK = 256.0 * 0x1p-23;
const ROOM = 1.0 + 0x1p-16;
const TINY = 0x1p-60;

override RULE: u32 = 0;
const BISECTOR = 0u;
const GENEROUS = 1u;
const ABSOLUTE = 2u;

struct Rule {
  triangles: u32,
  centres: u32,
  words: u32,
  unused: u32,
  // 1 / (m - 1) and the threshold of "absolute"
  power: f32,
  threshold: f32,
}

// centroid and radius
@group(0) @binding(0) var<storage, read> balls: array<vec4f>;
// centre and its square
@group(0) @binding(1) var<storage, read> centres: array<vec4f>;
@group(0) @binding(2) var<uniform> rule: Rule;
@group(0) @binding(3) var<storage, read_write> members: array<u32>;

fn run(i: u32) {
  if (i >= rule.triangles) { return; }
  let ball = balls[i];
  let nearest = nearest_of(ball.xyz);
  let least = squared_distance(ball.xyz, centres[nearest].xyz);
  var bound = 0.0;
  if (RULE == GENEROUS) { bound = root(least) + 2.0 * ball.w + SLACK; }
  if (RULE == ABSOLUTE) {
    for (var l = 0u; l < rule.centres; l++) { bound += share_of(ball.xyz, l, least); }
    bound *= rule.threshold;
  }
  var bits = 0u;
  for (var l = 0u; l < rule.centres; l++) {
    var inside = l == nearest;
    switch (RULE) {
      case BISECTOR: { inside |= is_within(ball, l, nearest); }
      case GENEROUS: { inside |= !(root(squared_distance(ball.xyz, centres[l].xyz)) > bound); }
      default: { inside |= share_of(ball.xyz, l, least) >= bound; }
    }
    bits |= u32(inside) << (l % 32u);
    if (l % 32u == 31u || l + 1u == rule.centres) {
      members[rule.words * i + l / 32u] = bits;
      bits = 0u;
    }
  }
}

fn nearest_of(x: vec3f) -> u32 {
  var nearest = 0u;
  var least = squared_distance(x, centres[0].xyz);
  for (var l = 1u; l < rule.centres; l++) {
    let squared = squared_distance(x, centres[l].xyz);
    if (squared < least) {
      least = squared;
      nearest = l;
    }
  }
  return nearest;
}

fn share_of(x: vec3f, l: u32, least: f32) -> f32 {
  return share(least, squared_distance(x, centres[l].xyz), rule.power);
}

// Not of zero, whose root some compute by its inverse.
fn root(squared: f32) -> f32 {
  return sqrt(max(squared, TINY));
}

// Few pass the plane to the nearest centre, which comes first.
fn is_within(ball: vec4f, l: u32, nearest: u32) -> bool {
  for (var k = 0u; k < rule.centres; k++) {
    if (is_beyond(ball, l, (nearest + k) % rule.centres)) { return false; }
  }
  return true;
}

// Whether the ball is certainly beyond the plane half way from centre l to centre k.
fn is_beyond(ball: vec4f, l: u32, k: u32) -> bool {
  let over = plane_of(ball.xyz, l) - plane_of(ball.xyz, k) - SLACK;
  if (!(over > 0.0)) { return false; }
  let squared = squared_distance(centres[l].xyz, centres[k].xyz);
  return over * over > 4.0 * squared * ball.w * ball.w * ROOM + TINY;
}

fn plane_of(x: vec3f, l: u32) -> f32 {
  return centres[l].w - 2.0 * dot(x, centres[l].xyz);
}
